"""What theory predicts for group-sparse classification (chapter `group_sparse`, arXiv 2504.08638); imports no model."""

from lib.theory.group_sparse.edge import first_edge
from lib.theory.group_sparse.population import (
    MARGIN_CONSTANT,
    first_gap,
    first_strength,
    largest_rate,
    late_leak,
    late_loss,
    late_strength,
    leak_constant,
    loss_of_strength,
    population_loss,
    time_to_loss,
)
from lib.theory.group_sparse.trap import cycle_strength, largest_population_rate, return_time, third_gap

__all__ = [
    "MARGIN_CONSTANT", "cycle_strength", "first_edge", "first_gap", "first_strength", "largest_population_rate",
    "largest_rate", "late_leak", "late_loss", "late_strength", "leak_constant", "loss_of_strength", "population_loss",
    "return_time", "third_gap", "time_to_loss",
]  # fmt: skip
