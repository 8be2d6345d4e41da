"""Starting from a related task: the signal it brings, and the batch that one attention step needs.

Chapter `scb`. Paper: Ren, Wang, Lee (2024), arXiv 2410.23438, Theorem 4.1 (transfer); the batch law is beyond the
paper. rho is the correlation of the old centred transition matrix with the new one. A start is V (N, N), its task mu
(N,), P (N, N) and Q (N, T); batches are in samples. What is out of range is refused (`InputError`).
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import ndtr

from hal.chapters.scb.theory.noise import attention_coordinate_variance
from lib.errors import require
from lib.theory._arrays import Array, floats, positive
from lib.theory.scb import centred, inner_V

KAPPA = 0.92  # what `half_batch` has on the default ring, T = 128 to 1024


def one_step_batch(rho: ArrayLike, s2: ArrayLike, T: ArrayLike, mu_min: ArrayLike, q_min: ArrayLike) -> Array:
    """A rule of thumb for `half_batch` (...): KAPPA s2 (sqrt(2 log T) + 1)^2 / (mu_min rho^2 q_min^2) samples.

    Of the task are the noise constant s2, T, the probability of the rarest token and the smallest weight of Q (...);
    the correlation rho is not zero, and its sign does not matter if |scores| are ranked.
    """
    r = positive(np.abs(floats(rho)), "rho")
    require(np.all(r <= 1.0 + 1e-12), "rho", "values in [-1, 1]", rho)
    needed = KAPPA * positive(s2, "s2") * (np.sqrt(2.0 * np.log(positive(T, "T"))) + 1.0) ** 2
    return needed / (positive(mu_min, "mu_min") * positive(q_min, "q_min") ** 2) / r**2


def found_probability(
    V: ArrayLike, mu: ArrayLike, P: ArrayLike, Q: ArrayLike, batch: ArrayLike, nodes: int = 2001
) -> Array:
    """Probability (...) that one attention step from uniform attention ranks the useful positions of every row first.

    A score of row k is <U, R>_mu (q_t - 1/T) plus Gaussian noise of variance tr(M E_k) / (mu_k B), independent from
    position to position. Scores are ranked by size, so that a negative correlation does as well. This is the leading
    order in T and in the batch; no constant is fitted.

    The integral over the largest useless score has `nodes` points.
    """
    V, mu, Q = floats(V), floats(mu), floats(Q)
    sizes = positive(batch, "batch")
    signal = inner_V(mu, centred(V, mu), centred(P, mu))
    noise = np.sqrt(attention_coordinate_variance(V, np.full(Q.shape, 1.0 / Q.shape[1]), mu, P, Q))  # (N,), one sample
    level = np.linspace(0.0, 10.0, nodes)  # in standard deviations of a score
    chance = np.ones(sizes.shape)
    for row, deviation in zip(Q, noise, strict=True):
        useful = signal * (row[row > 0] - 1.0 / row.size) / deviation * np.sqrt(sizes)[..., None]  # (..., Q)
        above = ndtr(useful[..., None] - level) + ndtr(-useful[..., None] - level)  # (..., Q, nodes)
        largest = (2.0 * ndtr(level) - 1.0) ** (row.size - useful.shape[-1])  # law of the largest useless score
        every = above.prod(axis=-2)
        chance = chance * np.sum(0.5 * (every[..., 1:] + every[..., :-1]) * np.diff(largest), axis=-1)
    return chance


def half_batch(V: ArrayLike, mu: ArrayLike, P: ArrayLike, Q: ArrayLike) -> float:
    """Batch B_50 with which `found_probability` is one half; not rounded. V must have some correlation to P."""

    def off(log_batch: float) -> float:
        return float(found_probability(V, mu, P, Q, np.exp(log_batch))) - 0.5

    return float(np.exp(brentq(off, 0.0, 30.0, xtol=1e-6)))
