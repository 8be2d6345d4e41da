"""The group-sparse classification task and its one-layer transformer (chapter `group_sparse`, arXiv 2504.08638)."""

from lib.models.group_sparse.dense import (
    GroupTransformer,
    LinearAttention,
    Params,
    cosine,
    loss_and_gradient,
    mean_attention,
    norm_ratio,
    sine_positions,
)
from lib.models.group_sparse.linear import (
    Features,
    LogisticRegression,
    Weights,
    accuracy,
    attended,
    flattened,
    one_by_one,
)
from lib.models.group_sparse.pair import Pair, PairTransformer
from lib.models.group_sparse.six import ORBITS, Reduced, SixParams, SymmetricTransformer, orbits
from lib.models.group_sparse.task import Examples, Task, downstream, logistic, logistic_slope, unit_direction

__all__ = [
    "ORBITS", "Examples", "Features", "GroupTransformer", "LinearAttention", "LogisticRegression", "Pair",
    "PairTransformer", "Params", "Reduced", "SixParams", "SymmetricTransformer", "Task", "Weights", "accuracy",
    "attended", "cosine", "downstream", "flattened", "logistic", "logistic_slope", "loss_and_gradient",
    "mean_attention", "norm_ratio", "one_by_one", "orbits", "sine_positions", "unit_direction",
]  # fmt: skip
