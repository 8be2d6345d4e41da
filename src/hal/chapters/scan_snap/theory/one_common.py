"""One common token: the phase transition in one variable at weak overlap, and the solution for any overlap, K and M.

Used by chapter Scan and Snap. Paper: Tian, Wang, Chen, Du (2023), arXiv 2305.16380, Theorem 4 and its proof. One query,
classes equal up to renaming their distinct tokens. The reduced system is the limit of weak overlap, with the norm of
the scores held at rho_0: dz/dt = -lr_Z gamma e^{4z} / C0 for the common logit, C0 = rho_0^4 / K. Its B lacks the 1/K of
the full reference dynamics: divide it by K before comparing. Conventions are those of `lib.theory.scan_snap`.

The solution is beyond the paper. The common token is all that two classes share, so that rho = f^2 is its squared
decoder input, and Theorem 2 says

    dz / dGamma = -(1 - rho) xi / gamma = -(K - 1) (q1 rho^2 + |q0| rho) / (1 + (K - 1) rho):

weak overlap leaves (K - 1) rho^2, the number of other classes. Theorem 3 gives a distinct token of probability p the
logit -ln(1 - S p^2) / 2, and the sum of all logits stays, z = (K/2) sum ln(1 - S p^2). So S decides every logit, and
what remains is the clock of S, dGamma / dS = K |scores|^2 / (2 xi / gamma), one integral. With s the sum of squared
shares of the distinct tokens in sum scores^2, rho / (1 - rho) falls like e^{2 (1 + s/K) z}: the exponent 1/4 of
Theorem 4 becomes 1 / (4 (1 + s/K)), for the norm grows while attention gathers.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import quad

from hal.chapters.scan_snap.theory.portable_beyond import drive
from lib.integrate import integrate
from lib.theory._arrays import Array, floats
from lib.theory.scan_snap import overlap_value, reduced_B, sizes, zeta_products

_ACCURACY = 1e-11  # relative, of a stretch of the integral


class SingleCommon(NamedTuple):
    """The reference dynamics with one common token, at T values of S."""

    S: Array  #: (T,) what 1/score^2 of every distinct token has lost
    Gamma: Array  #: (T,) operational time lr_Z int gamma
    common: Array  #: (T,) logit of the common token, nats
    distinct: Array  #: (T, D) logits of a class's distinct tokens, nats


def common_speed(K: ArrayLike, rho: ArrayLike, M: ArrayLike) -> Array:
    """Speed dz / dGamma (...) of the logit of the only common token under one query, where classes correlate by rho:
    -(K-1)(q1 rho^2 + |q0| rho) / (1+(K-1)rho). Theorem 2 with equal correlations; beyond."""
    r, k, (q1, q0) = overlap_value(rho), sizes(K, M)[0], zeta_products(M)
    return -(k - 1.0) * (q1 * r**2 - q0 * r) / (1.0 + (k - 1.0) * r)


def single_common(S: ArrayLike, common: float, distinct: ArrayLike, K: int, M: int) -> SingleCommon:
    """All logits of the reference dynamics with one common token under one query, and when they are reached. Beyond.

    Args:
        S: increasing values from 0 (T,), below 1 over the largest distinct probability squared.
        common: probability of the common token in every class.
        distinct: probabilities of a class's distinct tokens (D,).
        K: number of classes, at least 2.
        M: output tokens.

    Returns:
        `SingleCommon`; Gamma is an integral over S, good to ten digits.
    """
    p, lost = floats(distinct), floats(S)

    def state(value: float | Array) -> tuple[Array, Array, Array]:
        """Logits of distinct tokens (..., D) and of the common one, and the squared norm of distinct scores, (...)."""
        kept = 1.0 - np.asarray(value)[..., None] * p**2
        return -0.5 * np.log(kept), 0.5 * K * np.log(kept).sum(axis=-1), (p**2 / kept).sum(axis=-1)

    def slope(value: float) -> float:
        _, z, own = state(value)
        every = (common * np.exp(z)) ** 2
        rho = every / (every + own)
        return float(0.5 * K * own / (1.0 - rho) / drive(K, float(rho), M))

    stretches = [quad(slope, a, b, epsabs=0, epsrel=_ACCURACY)[0] for a, b in pairwise(lost)]
    raised, z, _ = state(lost)
    return SingleCommon(lost, np.concatenate([[0.0], np.cumsum(stretches)]), z, raised)


class ReducedPath(NamedTuple):
    """The reduced system integrated numerically; fields (T,)."""

    times: Array  #: steps
    z: Array  #: logit of the common token
    B: Array  #: lr_Z int xi


def printed_B(t: ArrayLike, K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike, lr_Z: ArrayLike, C0: ArrayLike = 1.0) -> Array:
    """The exponent as printed, ln(C0 + 4 Gamma) / 4 (...): `reduced_B` + ln(C0)/4. Theorem 4."""
    return reduced_B(t, K, M, lr_Y, lr_Z, C0) + 0.25 * np.log(floats(C0))


def scan_branch(
    t: ArrayLike, K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike, lr_Z: ArrayLike, C0: ArrayLike = 1.0
) -> Array:
    """Form of `printed_B` (...) before t0', with x = lr_Y t/K: logarithmic in t. Theorem 4, first branch."""
    k, m = sizes(K, M)
    square = 2.0 * ((m - 1.0) / m) ** 2 / k * floats(lr_Y) * floats(lr_Z)
    return 0.25 * np.log(floats(C0) + square * floats(t) ** 2)


def reduced_run(times: ArrayLike, K: int, M: int, lr_Y: float, lr_Z: float, C0: float = 1.0) -> ReducedPath:
    """Integrate the reduced system and the clock's own equation together, with none of the closed forms, from 0 on and
    recorded at increasing times (T,). Proof of Theorem 4, Lemma 6 for the clock."""

    def motion(now: float, state: Array) -> Array:
        """Motion of (z, B, x = M h)."""
        del now
        z, _, x = state
        slow = M - 1.0 + np.exp(x)
        pull = lr_Z * (M - 1.0) ** 2 / M * x / slow * np.exp(4.0 * z) / C0
        return np.array([-pull, pull, M * lr_Y / K / slow])

    t, what = floats(times), "reduced system"
    path = integrate(motion, np.zeros(3), t, method="explicit", rtol=1e-10, atol=1e-13, what=what)
    return ReducedPath(t, *path.states.T[:2])
