"""One common token, solved: its speed and every logit of the reference dynamics, for any overlap, K and M.

Used by chapter Scan and Snap; beyond the paper (Tian, Wang, Chen, Du 2023, arXiv 2305.16380), whose Theorem 4 is the
limit of weak overlap with the norm of the scores held. One query, classes equal up to renaming their distinct tokens.

The common token is all that two classes share, so that rho = f^2 is its squared decoder input, and Theorem 2 says

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

from lib.errors import require
from lib.theory.scan_snap._arrays import Array, floats, overlap_value, positive, sizes
from lib.theory.scan_snap.drive import equal_class_drive, zeta_products

_ACCURACY = 1e-11  # relative, of a stretch of the integral


class SingleCommon(NamedTuple):
    """The reference dynamics with one common token, at T values of S."""

    S: Array  #: (T,) what 1/score^2 of every distinct token has lost
    Gamma: Array  #: (T,) operational time lr_Z int gamma
    common: Array  #: (T,) logit of the common token, nats
    distinct: Array  #: (T, D) logits of a class's distinct tokens, nats
    rho: Array  #: (T,) correlation of two classes


def common_speed(K: ArrayLike, rho: ArrayLike, M: ArrayLike) -> Array:
    """Speed dz / dGamma (...) of the logit of the only common token, negative; about -(K-1) rho^2 at weak overlap.

    Args:
        K: number of classes (...), under one query.
        rho: correlation of two classes in [0, 1) (...).
        M: output tokens (...).

    Returns:
        -(K-1)(q1 rho^2 + |q0| rho) / (1+(K-1)rho).

    Raises:
        InputError: if rho is outside [0, 1) or M < K.

    Source: the paper's Theorem 2 with equal correlations; beyond the paper.
    """
    r, k, (q1, q0) = overlap_value(rho), sizes(K, M)[0], zeta_products(M)
    return -(k - 1.0) * (q1 * r**2 - q0 * r) / (1.0 + (k - 1.0) * r)


def single_common(S: ArrayLike, common: float, distinct: ArrayLike, K: int, M: int) -> SingleCommon:
    """All logits of the reference dynamics with one common token, and when they are reached.

    Args:
        S: increasing values from 0 (T,), below 1 over the largest distinct probability squared.
        common: probability of the common token in every class, positive.
        distinct: probabilities of a class's distinct tokens (D,), positive.
        K: number of classes, at least 2, under one query.
        M: output tokens.

    Returns:
        `SingleCommon`; Gamma is an integral over S, good to ten digits.

    Raises:
        InputError: if an argument is out of range.

    Source: beyond the paper.
    """
    p, lost = positive(distinct, "distinct"), floats(S)
    shared = float(positive(common, "common"))
    sizes(K, M)
    require(K >= 2, "K", "at least two classes", K)
    limit = 1.0 / float(np.max(p)) ** 2
    rising = lost.ndim == 1 and lost.size > 0 and bool(np.all(np.diff(lost) > 0)) and lost[0] == 0
    require(rising and bool(lost[-1] < limit), "S", f"increasing values from 0 below {limit:.6g}, shape (T,)", S)

    def state(value: float | Array) -> tuple[Array, Array, Array]:
        """Logits of distinct tokens (..., D) and of the common one, and the squared norm of distinct scores, (...)."""
        kept = 1.0 - np.asarray(value)[..., None] * p**2
        return -0.5 * np.log(kept), 0.5 * K * np.log(kept).sum(axis=-1), (p**2 / kept).sum(axis=-1)

    def overlap_of(z: Array, own: Array) -> Array:
        every = (shared * np.exp(z)) ** 2
        return every / (every + own)

    def slope(value: float) -> float:
        _, z, own = state(value)
        rho = overlap_of(z, own)
        return float(0.5 * K * own / (1.0 - rho) / equal_class_drive(K, rho, M))

    stretches = [quad(slope, a, b, epsabs=0, epsrel=_ACCURACY)[0] for a, b in pairwise(lost)]
    raised, z, own = state(lost)
    return SingleCommon(lost, np.concatenate([[0.0], np.cumsum(stretches)]), z, raised, overlap_of(z, own))
