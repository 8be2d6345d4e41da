"""What theory predicts for group-sparse classification (chapter `group_sparse`, arXiv 2504.08638); imports no model."""

from lib.theory.group_sparse.early import first_gap, first_strength, largest_rate
from lib.theory.group_sparse.late import (
    MARGIN_CONSTANT,
    late_leak,
    late_loss,
    late_strength,
    leak_constant,
    loss_of_strength,
    time_to_loss,
)
from lib.theory.group_sparse.population import population_loss

__all__ = [
    "MARGIN_CONSTANT", "first_gap", "first_strength", "largest_rate", "late_leak", "late_loss", "late_strength",
    "leak_constant", "loss_of_strength", "population_loss", "time_to_loss",
]  # fmt: skip
