"""What the chapter needs beyond `lib.optim`: updates of V that leave V mu, updates of A within a support.

Chapter `scb`. Beyond the paper (arXiv 2410.23438): its projector on V keeps column sums only.
"""

import numpy as np
from numpy.typing import NDArray

from lib.optim import Transform
from lib.optim.base import rebuild, stateless


def keep_mean(mu: NDArray[np.float64]) -> Transform:
    """Right-multiply the update of V by I - mu 1^T, so that V mu does not move.

    Args:
        mu: (N,) or (R, N) token law.

    Returns:
        A transform of the field V (R, N, N) alone, for `per_field`.
    """
    return stateless(lambda updates, params: rebuild(updates, [u - np.matmul(u, mu[..., None]) for u in updates]))


def within(kept: NDArray[np.bool_]) -> Transform:
    """Update the kept entries alone, with the mean over them taken off, so that sums of rows stay.

    Args:
        kept: (R, N, T) true where an entry may move.

    Returns:
        A transform of the field A (R, N, T) alone, for `per_field`.
    """
    count = kept.sum(axis=-1, keepdims=True)

    def one(u: NDArray[np.float64]) -> NDArray[np.float64]:
        inside = np.where(kept, u, 0.0)
        return np.where(kept, u - inside.sum(axis=-1, keepdims=True) / count, 0.0)

    return stateless(lambda updates, params: rebuild(updates, map(one, updates)))
