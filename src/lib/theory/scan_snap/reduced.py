"""The phase transition in one variable: a single common token, weak overlap, and the growth that snaps.

Used by chapter Scan and Snap. Paper: Tian, Wang, Chen, Du (2023), arXiv 2305.16380, Theorem 4 and its proof. The norm
of the scores is held at rho_0, which leaves dz/dt = -lr_Z gamma e^{4z} / C0 for the common logit, C0 = rho_0^4 / K.
This B lacks the 1/K of the full reference dynamics: divide it by K before comparing. Everything broadcasts.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lib.integrate import integrate
from lib.portable import lift
from lib.theory.scan_snap import portable
from lib.theory.scan_snap._arrays import Array, floats, increasing, non_negative, one_rate, positive, sizes
from lib.theory.scan_snap.decoder import logit_gap


class ReducedPath(NamedTuple):
    """The reduced system integrated numerically; fields (T,)."""

    times: Array  #: steps
    z: Array  #: logit of the common token
    B: Array  #: lr_Z int xi
    h: Array  #: decoder clock


def operational_time(t: ArrayLike, K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike, lr_Z: ArrayLike) -> Array:
    """Gamma(t) = lr_Z int_0^t gamma = (lr_Z / lr_Y) (K (M-1)^2 / 2) h(t/K)^2, exact.

    Args:
        t: time in steps (...).
        K: number of classes (...).
        M: output tokens (...).
        lr_Y: learning rate of the decoder (...).
        lr_Z: learning rate of attention (...).

    Returns:
        (...).

    Raises:
        InputError: if a value is out of range.

    Source: the paper's proof of Theorem 4.
    """
    x, rate = logit_gap(t, K, M, lr_Y), non_negative(lr_Z, "lr_Z")
    Gamma: Array = lift(portable.operational_time)(x, K, M, lr_Y, rate)
    return Gamma


def reduced_B(t: ArrayLike, K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike, lr_Z: ArrayLike, C0: ArrayLike = 1.0) -> Array:
    """Growth exponent B = ln(1 + 4 Gamma / C0) / 4 (...) of the reduced system; the common logit is -B.

    Args:
        t: time in steps (...).
        K: number of classes (...).
        M: output tokens (...).
        lr_Y: learning rate of the decoder (...).
        lr_Z: learning rate of attention (...).
        C0: rho_0^4 / K (...), positive.

    Raises:
        InputError: if a value is out of range.

    Source: the paper's Theorem 4, with the -ln(C0)/4 that makes B(0) = 0.
    """
    B: Array = lift(portable.reduced_B)(operational_time(t, K, M, lr_Y, lr_Z), positive(C0, "C0"))
    return B


def printed_B(t: ArrayLike, K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike, lr_Z: ArrayLike, C0: ArrayLike = 1.0) -> Array:
    """The exponent as printed, ln(C0 + 4 Gamma) / 4 (...): `reduced_B` + ln(C0)/4; arguments as there.

    Raises:
        InputError: if a value is out of range.

    Source: the paper's Theorem 4.
    """
    return reduced_B(t, K, M, lr_Y, lr_Z, C0) + 0.25 * np.log(floats(C0))


def growth_limit(
    t: ArrayLike, K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike, lr_Z: ArrayLike, C0: ArrayLike = 1.0
) -> Array:
    """Largest growth factor of a token, e^{2B} with `reduced_B` (...): (1 + 4 Gamma / C0)^{1/2}; arguments as there.

    Raises:
        InputError: if a value is out of range.

    Source: the paper's Theorem 4 with Theorem 3; its Figure 3.
    """
    return np.exp(2.0 * reduced_B(t, K, M, lr_Y, lr_Z, C0))


def scan_branch(
    t: ArrayLike, K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike, lr_Z: ArrayLike, C0: ArrayLike = 1.0
) -> Array:
    """Form of `printed_B` (...) before t0', with x = lr_Y t/K: logarithmic in t; arguments as `reduced_B`.

    Raises:
        InputError: if a value is out of range.

    Source: the paper's Theorem 4, first branch.
    """
    k, m = sizes(K, M)
    square = 2.0 * ((m - 1.0) / m) ** 2 / k * positive(lr_Y, "lr_Y") * non_negative(lr_Z, "lr_Z")
    return 0.25 * np.log(positive(C0, "C0") + square * non_negative(t, "t") ** 2)


def reduced_run(times: ArrayLike, K: int, M: int, lr_Y: float, lr_Z: float, C0: float = 1.0) -> ReducedPath:
    """Integrate the reduced system and the clock's own equation together, with none of the closed forms.

    Args:
        times: increasing times to record in steps (T,); the run starts at 0.
        K: number of classes.
        M: output tokens.
        lr_Y: learning rate of the decoder.
        lr_Z: learning rate of attention.
        C0: rho_0^4 / K, positive.

    Returns:
        `ReducedPath`.

    Raises:
        InputError: if a value is out of range.
        DivergedError: if the solver gives up.

    Source: the paper's proof of Theorem 4 (its reduced equations), Lemma 6 for the clock.
    """
    t = increasing(times)
    sizes(K, M)
    rates = one_rate(lr_Y, "lr_Y"), one_rate(lr_Z, "lr_Z", zero=True), one_rate(C0, "C0")
    path = integrate(
        lambda now, state: _reduced_motion(state, K, M, *rates),
        np.zeros(3),
        t,
        method="explicit",
        rtol=1e-10,
        atol=1e-13,
        what="reduced system",
    )
    z, B, x = path.states.T
    return ReducedPath(t, z, B, x / M)


def _reduced_motion(state: Array, K: int, M: int, lr_Y: float, lr_Z: float, C0: float) -> Array:
    """Motion of (z, B, x = M h)."""
    z, _, x = state
    slow = M - 1.0 + np.exp(x)
    pull = lr_Z * (M - 1.0) ** 2 / M * x / slow * np.exp(4.0 * z) / C0
    return np.array([-pull, pull, M * lr_Y / K / slow])
