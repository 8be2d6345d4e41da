"""What theory predicts in the chapter `one_nn`; it knows nothing of models and training."""

from lib.theory.one_nn.ends import (
    GAP_INTEGRAL,
    late_loss,
    late_xi1,
    prediction_bound,
    start_loss,
    start_slope,
    time_to_loss,
    typical_distance,
)
from lib.theory.one_nn.reduced import ReducedPath, flow, reduced_gradient, reduced_loss
from lib.theory.one_nn.sphere import cdf, gap_density, nearest_mean, quantile

__all__ = [
    "GAP_INTEGRAL", "ReducedPath", "cdf", "flow", "gap_density", "late_loss", "late_xi1", "nearest_mean",
    "prediction_bound", "quantile", "reduced_gradient", "reduced_loss", "start_loss", "start_slope", "time_to_loss",
    "typical_distance",
]  # fmt: skip
