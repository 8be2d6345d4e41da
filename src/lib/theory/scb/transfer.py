"""Starting from a related task: the signal it brings, the batch that one step needs, and when it pays.

Used by chapter SCB. Paper: Ren, Wang, Lee (2024), arXiv 2410.23438, Theorem 4.1 (transfer); the quantitative batch law
is beyond the paper. rho is the correlation of the old centred transition matrix with the new one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import require

from .._arrays import Array, floats, positive
from .coordinates import centred, inner_V
from .sign import stage1_samples

KAPPA = 0.75  # middle of the 0.6 to 0.95 measured on the ring at 50 % success


def correlation(P_hat: ArrayLike, P: ArrayLike, mu: ArrayLike) -> Array:
    """Correlation rho (...) of two transition matrices with the same mu, after centring, in <., .>_mu.

    Args:
        P_hat: old transition matrix (..., N, N).
        P: new transition matrix (..., N, N).
        mu: token distribution (..., N).

    Source: the paper's transfer condition, normalised.
    """
    R_hat, R = centred(P_hat, mu), centred(P, mu)
    return inner_V(floats(mu), R_hat, R) / np.sqrt(inner_V(mu, R_hat, R_hat) * inner_V(mu, R, R))


def start_alpha_V(P_hat: ArrayLike, P: ArrayLike, mu: ArrayLike, theta: ArrayLike = 1.0) -> Array:
    """Signal of the start V = theta P_hat + (1 - theta) mu 1^T: theta <P_hat - mu 1^T, R>_mu / K_P.

    Args:
        P_hat: old transition matrix (..., N, N).
        P: new transition matrix (..., N, N).
        mu: token distribution (..., N).
        theta: share of the old matrix in [0, 1] (...).

    Returns:
        (...); theta rho when both signals are equally strong.

    Raises:
        InputError: if theta is outside [0, 1].

    Source: the paper's Theorem 4.1 set-up.
    """
    share = floats(theta)
    require(np.all((share >= 0) & (share <= 1)), "theta", "values in [0, 1]", theta)
    R_hat, R = centred(P_hat, mu), centred(P, mu)
    return share * inner_V(mu, R_hat, R) / inner_V(mu, R, R)


def one_step_batch(
    rho: ArrayLike, s2: ArrayLike, T: ArrayLike, mu_min: ArrayLike, q_min: ArrayLike, kappa: float = KAPPA
) -> Array:
    """Batch B_50 at which one attention step ranks the useful positions first in half of the tries.

    Args:
        rho: correlation of old and new task (...), not zero; its sign does not matter if |scores| are ranked.
        s2: noise constant (...).
        T: context length in tokens (...).
        mu_min: probability of the rarest token (...).
        q_min: smallest non-zero weight of Q (...).
        kappa: the fitted factor, 0.6 to 0.95 on the ring.

    Returns:
        (...), samples: kappa s2 (sqrt(2 log T) + 1)^2 / (mu_min rho^2 q_min^2).

    Raises:
        InputError: if a value is out of range.

    Source: beyond the paper.
    """
    r = positive(np.abs(floats(rho)), "rho")
    require(np.all(r <= 1.0 + 1e-12), "rho", "values in [-1, 1]", rho)
    crowd = (np.sqrt(2.0 * np.log(positive(T, "T"))) + 1.0) ** 2
    return kappa * positive(s2, "s2") * crowd / (positive(mu_min, "mu_min") * r**2 * positive(q_min, "q_min") ** 2)


def break_even_correlation(
    s2: ArrayLike,
    T: ArrayLike,
    K_Q: ArrayLike,
    mu_min: ArrayLike,
    q_min: ArrayLike,
    kappa: float = KAPPA,
    level: float = 0.1,
    probability: float = 0.9,
) -> Array:
    """Correlation above which the one transfer step needs fewer samples than Stage 1 from scratch.

    Args:
        s2: noise constant (...); it cancels and is kept for the two sample counts to be comparable.
        T: context length in tokens (...).
        K_Q: attention signal (...).
        mu_min: probability of the rarest token (...).
        q_min: smallest non-zero weight of Q (...).
        kappa: the fitted factor of `one_step_batch`.
        level: end of Stage 1 in signal coordinates.
        probability: wanted probability of the true sign from scratch.

    Returns:
        rho* (...), about T^(-1/2) up to logarithms; above 1 means that transfer never pays.

    Raises:
        InputError: if a value is out of range.

    Source: beyond the paper.
    """
    at_one = one_step_batch(1.0, s2, T, mu_min, q_min, kappa)
    return np.sqrt(at_one / stage1_samples(s2, T, K_Q, level, probability))
