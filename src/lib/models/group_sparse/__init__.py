"""The group-sparse classification task and its one-layer transformer (chapter `group_sparse`, arXiv 2504.08638)."""

from lib.models.group_sparse.fast import (
    Examples,
    GroupTransformer,
    Params,
    Task,
    accuracy,
    cosine,
    downstream,
    logistic,
    logistic_slope,
    loss_and_gradient,
    mean_attention,
    norm_ratio,
    sine_positions,
    unit_direction,
)

__all__ = [
    "Examples", "GroupTransformer", "Params", "Task", "accuracy", "cosine", "downstream", "logistic", "logistic_slope",
    "loss_and_gradient", "mean_attention", "norm_ratio", "sine_positions", "unit_direction",
]  # fmt: skip
