"""What a Scan and Snap run is measured by: attention of each class, its entropy, and the recall of a threshold.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 3.3 (c_n) and Section 8; the entropy and the recall as the
authors' released numbers imply them.
"""

import numpy as np
from numpy.typing import NDArray

from lib.attention import softmax
from lib.errors import require
from lib.models.scan_snap.model import Params
from lib.models.scan_snap.task import Array, Task, check_distinct, check_logits


def attention(params: Params, task: Task) -> Array:
    """(R, K, C) attention c_n of each class in an infinitely long sequence, P(l | n) exp(z_l) divided by its sum.

    Args:
        params: parameters of R runs; only Z (R, Q, C) counts.
        task: gives P and the queries.

    Raises:
        InputError: if Z has other queries or tokens than the task.

    Source: arXiv 2305.16380, Section 3.3 and Lemma 2.
    """
    check_logits(params.Z, task)
    z = np.where(task.P > 0, params.Z[:, task.query], -np.inf)  # a token that is absent must not set the scale
    scores = task.P * np.exp(z - z.max(axis=-1, keepdims=True))
    return scores / scores.sum(axis=-1, keepdims=True)


def entropy(params: Params, task: Task) -> Array:
    """(R,) entropy in nats of the attention on a class's distinct tokens, renormalised to 1; mean over classes.

    The largest possible value is the logarithm of the number of distinct tokens. Where common tokens have drawn all
    attention, what is left for the distinct ones may be too small for a float; their shares are found all the same.

    Args:
        params: parameters of R runs; only Z (R, Q, C) counts.
        task: gives P, the queries, and which tokens are distinct.

    Raises:
        InputError: if a class has no distinct token, or Z has other queries or tokens than the task.

    Source: the quantity of arXiv 2305.16380, Figure 6, as the released numbers imply it.
    """
    check_logits(params.Z, task)
    check_distinct(task)
    z = np.where(task.distinct, params.Z[:, task.query], -np.inf)  # the largest of these sets the scale
    return _entropy(np.where(task.distinct, task.P, 0.0) * np.exp(z - z.max(axis=-1, keepdims=True)))


def entropy_of(c: Array, task: Task) -> Array:
    """The same from attention c (..., K, C); shape (...), NaN where c is 0 on all distinct tokens of a class.

    Args:
        c: attention of each class (..., K, C), as `attention` gives it.
        task: says which tokens are distinct.

    Raises:
        InputError: if a class has no distinct token.
    """
    check_distinct(task)
    with np.errstate(invalid="ignore"):
        return _entropy(np.where(task.distinct, c, 0.0))


def _entropy(own: Array) -> Array:
    """Mean over classes (...) of the entropies of rows (..., K, C), each divided by its sum."""
    p = own / own.sum(axis=-1, keepdims=True)
    # taken from 0, not negated: the entropy of one token alone is 0, not -0
    return 0.0 - (p * np.log(np.where(p > 0, p, 1.0))).sum(axis=-1).mean(axis=-1)


def mass_on(c: Array, tokens: NDArray[np.bool_]) -> Array:
    """(...) attention on the marked tokens, mean over classes.

    Args:
        c: attention of each class (..., K, C).
        tokens: marks, (C,) or (K, C) bool: `Task.common`, `Task.distinct`.
    """
    return np.where(tokens, c, 0.0).sum(axis=-1).mean(axis=-1)


def recall(params: Params, task: Task, thresholds: Array, others: Array | None = None) -> Array:
    """Share of distinct tokens whose plain softmax weight exceeds each threshold, mean over queries.

    The softmax of row m of Z runs over all M tokens and is not weighted by how often a token occurs. Tokens that never
    occur as context keep the logit of the start.

    Args:
        params: parameters of R runs.
        task: its distinct tokens count for the query of their class.
        thresholds: (H,) probabilities, near 1 / M.
        others: (R or 1, Q, M - C) logits of the tokens that never occur as context; default zeros.

    Returns:
        (R, H) shares.

    Raises:
        InputError: if `others` has another shape, or Z has other queries or tokens than the task.

    Source: arXiv 2305.16380, Figures 11 and 12; the definition is inferred from the printed axes.
    """
    check_logits(params.Z, task)
    rows = np.zeros((*params.Z.shape[:-1], max(task.M, task.C)))
    rows[..., : task.C] = params.Z
    if others is not None:
        expected = (task.Q, rows.shape[-1] - task.C)
        require(others.shape[1:] == expected, "others", f"shape (R or 1, {expected[0]}, {expected[1]})", others.shape)
        rows[..., task.C :] = others
    weight = softmax(rows)[..., : task.C]  # (R, Q, C)
    mine = np.stack([task.distinct[task.query == m].any(axis=0) for m in range(task.Q)])  # (Q, C)
    above = (weight[..., None] > thresholds) & mine[..., None]
    return (above.sum(axis=-2) / mine.sum(axis=-1)[:, None]).mean(axis=-2)
