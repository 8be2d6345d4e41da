"""One common token: the phase transition in one variable at weak overlap.

Used by chapter Scan and Snap. Paper: Tian, Wang, Chen, Du (2023), arXiv 2305.16380, Theorem 4 and its proof. One query,
classes equal up to renaming their distinct tokens. The reduced system is the limit of weak overlap, with the norm of
the scores held at rho_0: dz/dt = -lr_Z gamma e^{4z} / C0 for the common logit, C0 = rho_0^4 / K. Its B lacks the 1/K of
the full reference dynamics: divide it by K before comparing. Conventions are those of `lib.theory.scan_snap`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lib.integrate import integrate
from lib.theory._arrays import Array, floats
from lib.theory.scan_snap import reduced_B, sizes


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
