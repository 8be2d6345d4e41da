"""What the book has found beyond the paper of chapter `scb` (arXiv 2410.23438).

The paper's statements and the sign law are in `lib.theory.scb`. Attention is stored by rows, (..., N, T); leading
axes are runs.
"""

from hal.chapters.scb.theory.noise import (
    attention_coordinate_variance,
    attention_noise_energy,
    start_noise_energy_V,
)
from hal.chapters.scb.theory.softmax import matched_eta_w, softmax_escape_time
from hal.chapters.scb.theory.transfer import (
    KAPPA,
    found_probability,
    half_batch,
    one_step_batch,
)
