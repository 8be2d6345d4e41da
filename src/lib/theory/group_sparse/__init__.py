"""What theory predicts for group-sparse classification (chapter `group_sparse`, arXiv 2504.08638); imports no model."""

from lib.theory.group_sparse.population import (
    MARGIN_CONSTANT,
    first_edge,
    first_gap,
    first_strength,
    largest_rate,
    late_leak,
    late_loss,
    late_strength,
    loss_of_strength,
)

__all__ = [
    "MARGIN_CONSTANT", "first_edge", "first_gap", "first_strength", "largest_rate", "late_leak", "late_loss",
    "late_strength", "loss_of_strength",
]  # fmt: skip
