"""What the sign and the support cost in samples: the sign law, and the chi-squared screen that counts.

Chapter `scb`. All beyond the paper (Ren, Wang, Lee 2024, arXiv 2410.23438), whose Stage 1 asks for poly(T) samples and
which conjectures that this is unavoidable: they buy one bit, which of the two mirror solutions a run picks. Useful
positions are found with about log T samples, by counting (x_t, x_o) over samples with last token k.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtri, ndtri

from lib.errors import require
from lib.portable import lift
from lib.portable.chances import normal_cdf
from lib.theory._arrays import Array, floats, positive
from lib.theory.scb import portable_samples
from lib.theory.scb.coordinates import centred

control_number = lift(portable_samples.control_number, positive=("batch", "eta", "T"))
noise_loop = lift(portable_samples.noise_loop, positive=("G", "T", "K_P", "K_Q", "tr_S2"))


def sign_z(
    batch: ArrayLike, eta: ArrayLike, s2: ArrayLike, T: ArrayLike, head_start: ArrayLike = 0.0, K_Q: ArrayLike = 1.0
) -> Array:
    """Signal over noise of the sign (...), z = sqrt(2 B / (eta s2 T)) = sqrt(2 G / s2).

    Args:
        batch: samples per step (...).
        eta: base step (...).
        s2: noise constant of the task (...).
        T: context length in tokens (...).
        head_start: alpha_V + alpha_A at the start (...); z has a factor 1 + head_start K_Q T, negative for the mirror.
        K_Q: attention signal (...), used with a head start.

    Raises:
        InputError: if a value is not positive.

    Source: beyond the paper.
    """
    z: Array = lift(portable_samples.sign_z, positive=("s2",))(control_number(batch, eta, T), s2)
    return z * (1.0 + floats(head_start) * positive(K_Q, "K_Q") * floats(T))


def sign_probability(
    batch: ArrayLike, eta: ArrayLike, s2: ArrayLike, T: ArrayLike, head_start: ArrayLike = 0.0, K_Q: ArrayLike = 1.0
) -> Array:
    """Probability (...) that a run ends at the true solution and not at its mirror, Phi(z); arguments as `sign_z`.

    Between 1/2 and 1 for a standard start. Measured rates agree where `noise_loop` is below 1/2 and lie below it else.

    Raises:
        InputError: if a value is not positive.

    Source: beyond the paper.
    """
    chance: Array = lift(normal_cdf)(sign_z(batch, eta, s2, T, head_start, K_Q))
    return chance


def batch_for_sign(eta: ArrayLike, s2: ArrayLike, T: ArrayLike, probability: ArrayLike = 0.9) -> Array:
    """Batch (...) for a given chance of the true sign, B = z_p^2 eta s2 T / 2 (0.82 eta s2 T for 90 %); not rounded.

    Raises:
        InputError: if `probability` is outside (1/2, 1) or a value is not positive.

    Source: beyond the paper.
    """
    p = floats(probability)
    require(np.all((p > 0.5) & (p < 1.0)), "probability", "values in (1/2, 1)", probability)
    return 0.5 * ndtri(p) ** 2 * positive(eta, "eta") * positive(s2, "s2") * positive(T, "T")


def stage1_samples(
    s2: ArrayLike, T: ArrayLike, K_Q: ArrayLike, level: ArrayLike = 0.1, probability: ArrayLike = 0.9
) -> Array:
    """Samples (...) of Stage 1 for the right sign, B tau_1 = z_p^2 s2 T log(2 level K_Q T) / 2: about T log T, any eta.

    Stage 1 ends at `level`; `probability` is that of the true sign, by the sign law: where that asks for so few that
    `noise_loop` is above 1/2, more are needed.

    Raises:
        InputError: if a value is out of range.

    Source: beyond the paper.
    """
    p, samples = floats(probability), lift(portable_samples.samples_for_sign, positive=("s2", "T", "K_Q", "level"))
    require(np.all((p > 0.5) & (p < 1.0)), "probability", "values in (1/2, 1)", probability)
    found: Array = samples(s2, T, K_Q, level, ndtri(p))
    require(not np.any(np.isnan(found)), "level", "a level above 1 / (2 K_Q T)", level)
    return found


def dependence(mu: ArrayLike, P: ArrayLike) -> Array:
    """Strength of one transition for the test, sum_ij R_ij^2 mu_j / mu_i, shape (...).

    Source: beyond the paper.
    """
    mu = floats(mu)
    return np.einsum("...ij,...j,...i->...", centred(P, mu) ** 2, mu, 1.0 / positive(mu, "mu"))


def chi2_mean(count: ArrayLike, mu: ArrayLike, P: ArrayLike, q_t: ArrayLike) -> Array:
    """Exact mean (...) of the statistic of one cell given how many samples it has (N^2 - 1 when q_t = 0).

    The statistic is sum_ij (O_ij - n pi_ij)^2 / (n pi_ij) with pi = mu mu^T.

    Args:
        count: samples n with this last token (...).
        mu: token distribution (..., N).
        P: transition matrix (..., N, N).
        q_t: attention of this position (...).

    Raises:
        InputError: if `count` is not positive.

    Source: beyond the paper.
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

    Args:
        mu: token distribution (..., N).
        P: transition matrix (..., N, N).
        q_min: smallest non-zero weight of Q (...).
        T: context length in tokens (...).
        miss: allowed probability that some empty cell of a row exceeds the level, in (0, 1).

    Raises:
        InputError: if a value is out of range.

    Source: beyond the paper (our estimate; it compares means with a quantile, so it is good to a factor of two).
    """
    require(0.0 < miss < 1.0, "miss", "a probability in (0, 1)", miss)
    mu = floats(mu)
    freedom = float(mu.shape[-1] ** 2 - 1)
    level = chdtri(freedom, miss / positive(T, "T")) - freedom
    rare = np.min(mu, axis=-1)
    return level / (dependence(mu, P) * rare * positive(q_min, "q_min") ** 2)
