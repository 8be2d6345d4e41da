"""What the book has found beyond the paper of chapter `scb` (arXiv 2410.23438).

The paper's statements and the sign law are in `lib.theory.scb`. Attention is stored by rows, (..., N, T); leading
axes are runs.
"""

from hal.chapters.scb.theory.noise import (
    NoiseMatrices,
    attention_coordinate_variance,
    attention_noise_energy,
    marginal_error,
    noise_matrices,
    start_noise_energy_V,
    start_signal_step,
)
from hal.chapters.scb.theory.sgd import ClosurePath, closure
from hal.chapters.scb.theory.softmax import RowPath, matched_eta_w, softmax_escape_time, softmax_population_run
from hal.chapters.scb.theory.transfer import (
    first_attention_error,
    found_probability,
    half_batch,
    one_step_batch,
    start_alpha_V,
)

__all__ = [
    "ClosurePath", "NoiseMatrices", "RowPath", "attention_coordinate_variance", "attention_noise_energy", "closure",
    "first_attention_error", "found_probability", "half_batch", "marginal_error", "matched_eta_w", "noise_matrices",
    "one_step_batch", "softmax_escape_time", "softmax_population_run", "start_alpha_V", "start_noise_energy_V",
    "start_signal_step",
]  # fmt: skip
