"""What theory predicts for sparse contextual bigrams with a one-layer transformer.

Paper: Ren, Wang, Lee, "Learning and Transferring Sparse Contextual Bigrams with Linear Transformers" (NeurIPS 2024,
arXiv 2410.23438). Everything here is closed form or a recursion of a few numbers; nothing samples, and nothing knows
the model or the optimiser. Attention is stored by rows, (..., N, T); leading axes are runs.
"""

from lib.theory.scb.coordinates import centred, inner_A, inner_V
from lib.theory.scb.expectations import (
    excess_loss,
    expected_gradient_A,
    expected_gradient_V,
    irreducible_loss,
    mirror_excess_loss,
    population_loss,
)
from lib.theory.scb.flow import (
    PopulationPath,
    drift_number,
    early_growth,
    escape_time,
    jacobian,
    population_run,
    solution_rates,
    valley,
    velocity,
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
from lib.theory.scb.task_constants import Constants, constants, ring_constants

__all__ = [
    "Constants", "PopulationPath", 
    "batch_for_sign", "centred", "chi2_mean", "constants", "control_number",
    "dependence", "drift_number", "early_growth", "escape_time", "excess_loss", "expected_gradient_A",
    "expected_gradient_V", "inner_A", "inner_V",
    "irreducible_loss", "jacobian", "mirror_excess_loss", "noise_loop",
    "population_loss", "population_run", "ring_constants", "samples_to_screen",
    "sign_probability", "sign_z", "solution_rates",
    "stage1_samples", "valley", "velocity",
]  # fmt: skip
