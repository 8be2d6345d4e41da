"""What the chapter looks at while the layer learns: direction and norm ratio of the value, attention on the group.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 5 (figures; their definitions are assumed).
"""

import numpy as np

from lib.models.group_sparse.dense import GroupTransformer, Params
from lib.models.group_sparse.task import Array, Task


def cosine(params: Params, task: Task) -> Array:
    """Cosine of the variables' part of the value with v*, (R,); 0 at the start, where there is no direction."""
    v1 = params.v[:, : task.d]
    length = np.linalg.norm(v1, axis=-1)
    return (v1 @ task.v_star) / np.where(length > 0, length, 1.0)


def norm_ratio(params: Params, task: Task) -> Array:
    """Length of the variables' part of the value over the whole, (R,); 0 at the start."""
    length = np.linalg.norm(params.v, axis=-1)
    return np.linalg.norm(params.v[:, : task.d], axis=-1) / np.where(length > 0, length, 1.0)


def mean_attention(params: Params, model: GroupTransformer, X: Array) -> Array:
    """Mean weight on the deciding group over queries and examples (R or 1, n, D, d), (R,)."""
    return model.attention(params, X)[:, :, model.task.star].mean(axis=(1, 2))
