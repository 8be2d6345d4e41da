"""What theory predicts for one attention layer that learns the next token: scan and snap.

Paper: Tian, Wang, Chen, Du, "Scan and Snap: Understanding Training Dynamics and Token Composition in 1-layer
Transformer" (NeurIPS 2023, arXiv 2305.16380). Everything here is closed form or an ordinary differential equation;
nothing samples, and nothing knows the model or the optimiser. Contexts are infinitely long, P (K, C) holds the
probability of contextual token l in class n, `query` (K,) the query token of each class, M counts output tokens.
Time is in steps, logits and gaps are in nats; the mean over classes (1/K) is kept everywhere.
"""

from lib.theory.scan_snap.decoder import (
    SpeedPeak,
    Stages,
    clock_gap_bound,
    decoder_weights,
    early_gap,
    h,
    h_star,
    late_gap,
    line_roots,
    logit_gap,
    omega_1,
    operational_time,
    reduced_B,
    speed,
    speed_peak,
    stage_inequalities,
    transition_times,
    zeta,
)
from lib.theory.scan_snap.drive import (
    Drive,
    class_drive,
    class_drive_sum,
    drive_coefficients,
    equal_class_drive,
    gradient_at_input,
    logit_velocity,
    zeta_products,
)
from lib.theory.scan_snap.fates import (
    fate_velocity,
    growth_bounds,
    growth_factor,
    inverse_square_loss,
    kappa_star,
    partly_common_push,
    predicted_gain,
    relative_gain,
)
from lib.theory.scan_snap.geometry import (
    Assumption2,
    assumption_2,
    attention,
    correlations,
    decoder_inputs,
    equal_modified_overlaps,
    modified_overlaps,
    overlap,
    scores,
    series_error_bound,
)

__all__ = [
    "Assumption2", "Drive", "SpeedPeak", "Stages",
    "assumption_2", "attention", "class_drive", "class_drive_sum", "clock_gap_bound", "correlations",
    "decoder_inputs", "decoder_weights", "drive_coefficients", "early_gap", "equal_class_drive",
    "equal_modified_overlaps", "fate_velocity", "gradient_at_input", "growth_bounds", "growth_factor",
    "h", "h_star", "inverse_square_loss", "kappa_star", "late_gap", "line_roots", "logit_gap",
    "logit_velocity", "modified_overlaps", "omega_1", "operational_time", "overlap",
    "partly_common_push", "predicted_gain", "reduced_B", "relative_gain",
    "scores", "series_error_bound",     "speed", "speed_peak", "stage_inequalities", "transition_times", "zeta",
    "zeta_products",
]  # fmt: skip
