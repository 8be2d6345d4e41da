"""Stage 3 of the paper's algorithm: round and normalise the attention, and fit what is left.

Chapter `scb`. Source: arXiv 2410.23438, Section 3.4 and Appendix F; the refit is beyond the paper.
"""

import numpy as np

from lib.errors import require
from lib.models.scb.model import Params
from lib.models.scb.task import Array, Task, mu_inner_rows


def round_attention(A: Array, keep: float = 0.25) -> Array:
    """Keep the entries of each row of at least `keep` times its largest, set the rest to 0, divide by the sum.

    Args:
        A: (..., N, T) attention rows, un-mirrored (a row's largest entry must be positive).
        keep: fraction in (0, 1).

    Returns:
        (..., N, T) probability vectors.

    Raises:
        InputError: if keep lies outside (0, 1), or a row has no positive entry.
    """
    require(0 < keep < 1, "keep", "a fraction between 0 and 1", keep)
    top = A.max(axis=-1, keepdims=True)
    require(
        np.all(top > 0),
        "A",
        "rows with a positive entry (un-mirror first)",
        f"a largest entry of {top.min():g}",
    )
    kept = np.where(keep * top <= A, A, 0.0)
    return kept / kept.sum(axis=-1, keepdims=True)


def best_V(A: Array, task: Task) -> Array:
    """The V that minimises the population loss for fixed attention: mu 1^T + <A, Q>_mu / ||A||_mu^2 R.

    Args:
        A: (R, N, T) attention whose rows sum to 1.
        task: the task.

    Returns:
        (R, N, N). Source: first-order condition of the population loss; used for "after normalisation" curves.
    """
    scale = mu_inner_rows(A, task.Q, task.mu) / mu_inner_rows(A, A, task.mu)
    mu = task.mu[..., :, None]
    return mu + scale[:, None, None] * (task.P - mu)


def normalised(params: Params, task: Task, keep: float = 0.25) -> Params:
    """Rounded attention with the population-optimal V: what the paper's figures call after normalisation."""
    A = round_attention(params.A, keep)
    return Params(best_V(A, task), A)
