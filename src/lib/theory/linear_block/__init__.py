"""What theory predicts for a linear transformer block that regresses in context; imports no model.

Chapter `linear_block`, arXiv 2402.14951. A task is anything with H, Psi, mean, sigma, M and the roots of H and Psi,
such as `lib.models.linear_block.Task`.
"""

from lib.theory.linear_block.attention_only import (
    Attention,
    as_block,
    attention_at,
    best_attention,
    gap_bound,
    large_mean_gap,
    small_mean_gap,
)
from lib.theory.linear_block.best import (
    bayes_floor,
    bayes_ratio_bound,
    bayes_risk,
    bayes_risks,
    best_risk,
    best_step,
    least_squares_risk,
    prior_risk,
    rate_bounds,
    zero_start_risk,
)
from lib.theory.linear_block.cut import PARTS, Cut, best_cut, part_squares, unmasked_cost
from lib.theory.linear_block.many_steps import (
    best_steps_risk,
    context_spectra,
    endless_steps_risk,
    shared_rate,
    steps_risk,
    steps_to_match,
)
from lib.theory.linear_block.risks import (
    Effective,
    Task,
    block_risk,
    block_risk_and_gradient,
    label_variance,
    long_risk,
    sandwich,
    signal_spectrum,
    square_variance,
    step_moment,
    step_risk,
)
from lib.theory.linear_block.shifts import heavy_noise_risk, shift_cost, shifted_bayes_risk
from lib.theory.linear_block.training import (
    FlowPath,
    curvature,
    flow_slopes,
    stable_rate,
    start_bound,
    step_flow,
    trap_block,
    trap_criterion,
    trap_risk,
)

__all__ = [
    "PARTS", "Attention", "Cut", "Effective", "FlowPath", "Task", "as_block", "attention_at", "bayes_floor",
    "bayes_ratio_bound", "bayes_risk", "bayes_risks", "best_attention", "best_cut", "best_risk", "best_step",
    "best_steps_risk", "block_risk", "block_risk_and_gradient", "context_spectra", "curvature", "endless_steps_risk",
    "flow_slopes", "gap_bound", "heavy_noise_risk", "label_variance", "large_mean_gap", "least_squares_risk",
    "long_risk", "part_squares", "prior_risk", "rate_bounds", "sandwich", "shared_rate", "shift_cost",
    "shifted_bayes_risk", "signal_spectrum", "small_mean_gap", "square_variance", "stable_rate", "start_bound",
    "step_flow", "step_moment", "step_risk", "steps_risk", "steps_to_match", "trap_block", "trap_criterion",
    "trap_risk", "unmasked_cost", "zero_start_risk",
]  # fmt: skip
