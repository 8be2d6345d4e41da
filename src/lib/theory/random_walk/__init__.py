"""What theory predicts for one layer that learns a random walk (chapter `random_walk`); imports no model."""

from lib.theory.random_walk.circle import (
    best_lag,
    drawn_signal,
    first_output,
    first_values,
    lag_signal,
    second_scores,
    step_matrix,
    visits,
)
from lib.theory.random_walk.late import (
    best_accuracy,
    lag_accuracy,
    law_distance,
    root_target,
    saturated,
    settled_value,
    two_regimes,
)
from lib.theory.random_walk.parity import lag_closure, parity_drift, parity_projection
from lib.theory.random_walk.ridge import (
    escape_clock,
    escape_depth,
    escape_step,
    even_output,
    growth,
    ridge_scores,
)
from lib.theory.random_walk.variants import joint_root, parent_law

__all__ = [
    "best_accuracy", "best_lag", "drawn_signal", "escape_clock", "escape_depth", "escape_step",
    "even_output", "first_output", "first_values", "growth",
    "joint_root", "lag_accuracy", "lag_closure", "lag_signal", "law_distance", "parent_law",
    "parity_drift", "parity_projection", "ridge_scores", "root_target", "saturated", "second_scores",
    "settled_value", "step_matrix", "two_regimes", "visits",
]  # fmt: skip
