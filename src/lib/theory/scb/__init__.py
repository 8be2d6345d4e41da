"""What theory predicts for sparse contextual bigrams with a one-layer transformer.

Paper: Ren, Wang, Lee, "Learning and Transferring Sparse Contextual Bigrams with Linear Transformers" (NeurIPS 2024,
arXiv 2410.23438). Everything here is closed form or a recursion of a few numbers; nothing samples, and nothing knows
the model or the optimiser. Attention is stored by rows, (..., N, T); leading axes are runs.
"""

from lib.theory.scb.coordinates import Coordinates, centred, inner_A, inner_V, one_step, signal_coordinates
from lib.theory.scb.expectations import (
    excess_loss,
    expected_gradient_A,
    expected_gradient_V,
    fed_back_laws,
    irreducible_loss,
    mirror_excess_loss,
    population_loss,
)
from lib.theory.scb.flow import (
    PopulationPath,
    drift_number,
    early_growth,
    escape_from,
    escape_time,
    jacobian,
    population_run,
    solution_rates,
    valley,
    velocity,
)
from lib.theory.scb.noise import (
    NoiseMatrices,
    attention_coordinate_variance,
    attention_noise_energy,
    marginal_error,
    noise_matrices,
    start_noise_energy_V,
    start_signal_step,
)
from lib.theory.scb.prox import (
    RowPath,
    effective_threshold,
    matched_eta_w,
    product_bias,
    prox_population_run,
    rest_balance,
    rest_point,
    softmax_blow_up_time,
    softmax_escape_time,
    softmax_population_run,
    valley_drift,
    valley_push,
)
from lib.theory.scb.samples import (
    batch_for_sign,
    chi2_mean,
    control_number,
    dependence,
    noise_loop,
    samples_to_screen,
    sign_probability,
    sign_z,
    stage1_samples,
)
from lib.theory.scb.sgd import ClosurePath, attention_floor, closure, collapse_steps, critical_eta
from lib.theory.scb.task_constants import Constants, constants, ring_constants
from lib.theory.scb.transfer import (
    break_even_correlation,
    first_attention_error,
    found_probability,
    half_batch,
    one_step_batch,
    start_alpha_V,
)

__all__ = [
    "ClosurePath", "Constants", "Coordinates", "NoiseMatrices", "PopulationPath", "RowPath",
    "attention_coordinate_variance", "attention_floor", "attention_noise_energy", "batch_for_sign",
    "break_even_correlation", "centred", "chi2_mean", "closure", "collapse_steps", "constants", "control_number",
    "critical_eta", "dependence", "drift_number", "early_growth", "effective_threshold", "escape_from",
    "escape_time", "excess_loss", "expected_gradient_A", "expected_gradient_V", "fed_back_laws",
    "first_attention_error", "found_probability", "half_batch", "inner_A", "inner_V", "irreducible_loss",
    "jacobian", "marginal_error", "matched_eta_w", "mirror_excess_loss", "noise_loop", "noise_matrices", "one_step",
    "one_step_batch", "population_loss", "population_run", "product_bias", "prox_population_run", "rest_balance",
    "rest_point",
    "ring_constants", "samples_to_screen", "sign_probability", "sign_z", "signal_coordinates", "softmax_blow_up_time",
    "softmax_escape_time", "softmax_population_run", "solution_rates", "stage1_samples", "start_alpha_V",
    "start_noise_energy_V", "start_signal_step", "valley", "valley_drift", "valley_push", "velocity",
]  # fmt: skip
