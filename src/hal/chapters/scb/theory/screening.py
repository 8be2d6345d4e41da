"""What finding the support costs in samples, by counting: the chi-squared screen.

Chapter `scb`, beyond the paper (Ren, Wang, Lee 2024, arXiv 2410.23438), whose Stage 1 asks for poly(T) samples and
which conjectures that this is unavoidable. Useful positions are found with about log T samples, by counting (x_t, x_o)
over samples with last token k. mu (..., N) is the token distribution, P (..., N, N) the transition; T is in tokens,
counts in samples. What is out of range is refused (`InputError`).
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtri

from lib.errors import require
from lib.theory._arrays import Array, floats, positive
from lib.theory.scb import centred


def dependence(mu: ArrayLike, P: ArrayLike) -> Array:
    """Strength (...) of one transition for the test, sum_ij R_ij^2 mu_j / mu_i."""
    mu = floats(mu)
    return np.einsum("...ij,...j,...i->...", centred(P, mu) ** 2, mu, 1.0 / positive(mu, "mu"))


def chi2_mean(count: ArrayLike, mu: ArrayLike, P: ArrayLike, q_t: ArrayLike) -> Array:
    """Exact mean (...) of the statistic of one cell given how many samples it has (N^2 - 1 when q_t = 0).

    The statistic is sum_ij (O_ij - n pi_ij)^2 / (n pi_ij) with pi = mu mu^T.

    `count` samples have this last token, q_t is the attention of this position (...).
    """
    mu = floats(mu)
    pi = mu[..., :, None] * mu[..., None, :]
    shift = floats(q_t)[..., None, None] * centred(P, mu) * mu[..., None, :]
    p = pi + shift
    spread = np.sum(p * (1.0 - p) / pi, axis=(-2, -1))
    return spread + positive(count, "count") * np.sum(shift**2 / pi, axis=(-2, -1))


def samples_to_screen(mu: ArrayLike, P: ArrayLike, q_min: ArrayLike, T: ArrayLike, miss: float = 0.1) -> Array:
    """Samples (...) at which the weakest useful cell rises above the largest of T empty ones: an estimate, like log T.

    The chi-squared quantile 1 - miss / T over the excess of one sample.

    q_min is the smallest non-zero weight of Q (...), `miss` the allowed probability that some empty cell of a row
    exceeds the level. It compares means with a quantile, so it is good to a factor of two.
    """
    require(0.0 < miss < 1.0, "miss", "a probability in (0, 1)", miss)
    mu = floats(mu)
    freedom = float(mu.shape[-1] ** 2 - 1)
    level = chdtri(freedom, miss / positive(T, "T")) - freedom
    rare = np.min(mu, axis=-1)
    return level / (dependence(mu, P) * rare * positive(q_min, "q_min") ** 2)
