"""What theory predicts for sparse contextual bigrams with a one-layer transformer.

Paper: Ren, Wang, Lee, "Learning and Transferring Sparse Contextual Bigrams with Linear Transformers" (NeurIPS 2024,
arXiv 2410.23438). Everything here is closed form or a recursion of a few numbers; nothing samples, and nothing knows
the model or the optimiser. Attention is stored by rows, (..., N, T); leading axes are runs.
"""

from .coordinates import Coordinates, centred, flip, inner_A, inner_V, looks_mirrored, signal_coordinates
from .expectations import (
    excess_loss,
    expected_gradient_A,
    expected_gradient_V,
    irreducible_loss,
    mirror_excess_loss,
    population_loss,
)
from .flow import (
    PopulationPath,
    drift_number,
    early_growth,
    escape_time,
    hyperbola,
    jacobian,
    population_run,
    solution_rates,
    valley_speed,
    velocity,
)
from .noise import (
    NoiseMatrices,
    attention_coordinate_variance,
    attention_noise_energy,
    marginal_error,
    noise_matrices,
    start_noise_energy_V,
    start_signal_step,
)
from .onestep import one_step
from .prox import (
    ProxPath,
    Window,
    effective_threshold,
    product_bias,
    prox_population_run,
    rest_balance,
    rest_point,
    threshold_window,
    valley_drift,
    valley_push,
)
from .screening import chi2_excess, chi2_mean, dependence, samples_to_screen
from .sgd import ClosurePath, attention_floor, closure, collapse_error, collapse_steps, critical_eta
from .sign import batch_for_sign, control_number, sign_probability, sign_z, stage1_samples
from .softmax import SoftmaxPath, matched_eta_w, softmax_blow_up_time, softmax_escape_time, softmax_population_run
from .task_constants import Constants, constants, ring_constants
from .transfer import break_even_correlation, correlation, one_step_batch, start_alpha_V

__all__ = [
    "ClosurePath",
    "Constants",
    "Coordinates",
    "NoiseMatrices",
    "PopulationPath",
    "ProxPath",
    "SoftmaxPath",
    "Window",
    "attention_coordinate_variance",
    "attention_floor",
    "attention_noise_energy",
    "batch_for_sign",
    "break_even_correlation",
    "centred",
    "chi2_excess",
    "chi2_mean",
    "closure",
    "collapse_error",
    "collapse_steps",
    "constants",
    "control_number",
    "correlation",
    "critical_eta",
    "dependence",
    "drift_number",
    "early_growth",
    "effective_threshold",
    "escape_time",
    "excess_loss",
    "expected_gradient_A",
    "expected_gradient_V",
    "flip",
    "hyperbola",
    "inner_A",
    "inner_V",
    "irreducible_loss",
    "jacobian",
    "looks_mirrored",
    "marginal_error",
    "matched_eta_w",
    "mirror_excess_loss",
    "noise_matrices",
    "one_step",
    "one_step_batch",
    "population_loss",
    "population_run",
    "product_bias",
    "prox_population_run",
    "rest_balance",
    "rest_point",
    "ring_constants",
    "samples_to_screen",
    "sign_probability",
    "sign_z",
    "signal_coordinates",
    "softmax_blow_up_time",
    "softmax_escape_time",
    "softmax_population_run",
    "solution_rates",
    "stage1_samples",
    "start_alpha_V",
    "start_noise_energy_V",
    "start_signal_step",
    "threshold_window",
    "valley_drift",
    "valley_push",
    "valley_speed",
    "velocity",
]
