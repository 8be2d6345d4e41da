"""The decoder on its own: one scalar clock h(t), the right token's logit gap, and the speed it leaves to attention.

Used by chapter Scan and Snap. Paper: Tian, Wang, Chen, Du (2023), arXiv 2305.16380, Lemmas 3, 5, 6, 7, 8 and Theorems 1
and 5. Attention is held still. A class is seen once every K steps, so that at step t it has been seen t/K times. Time
is in steps, a gradient step of rate lr_Y being one unit of it; everything broadcasts.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import lambertw, wrightomega

from lib.errors import whole
from lib.portable import lift
from lib.theory.scan_snap import portable
from lib.theory.scan_snap._arrays import Array, floats, non_negative, positive, sizes
from lib.theory.scan_snap.geometry import correlations, modified_overlaps


class SpeedPeak(NamedTuple):
    """The largest speed coefficient; fields (...)."""

    time: Array  #: steps
    speed: Array  #: gamma there
    gap: Array  #: x there


def h_star(steps: int, M: ArrayLike, lr_Y: ArrayLike) -> Array:
    """The decoder's clock in single gradient steps: h*(k+1) = h*(k) + lr_Y / (M - 1 + e^{M h*(k)}), h*(0) = 0.

    Args:
        steps: how many times the class has been seen.
        M: output tokens (...).
        lr_Y: learning rate of the decoder (...).

    Returns:
        (..., steps + 1).

    Raises:
        InputError: if `steps` is not a whole number >= 0, M < 2, or the rate is not positive.

    Source: the paper's Lemma 5.
    """
    (_, m), rate = sizes(1, M), positive(lr_Y, "lr_Y")
    x = np.zeros(np.broadcast_shapes(m.shape, rate.shape))
    path = np.empty((whole("steps", steps) + 1, *x.shape))
    with np.errstate(over="ignore"):  # an overflowing e^x means a step of zero, which is right
        for k in range(len(path)):
            path[k] = x
            x = x + m * rate / (m - 1.0 + np.exp(x))
    return np.moveaxis(path, 0, -1) / m[..., None]


def logit_gap(t: ArrayLike, K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike) -> Array:
    """Gap x between the right token's logit and any other's: the root of e^x + (M-1) x = M lr_Y t/K + 1.

    Args:
        t: time in steps (...).
        K: number of classes (...); 1 makes t the number of times the class was seen.
        M: output tokens (...).
        lr_Y: learning rate of the decoder (...).

    This form takes a thousandth of the time of the portable one, which finds the root by Newton's method.

    Returns:
        x = M h (...), nats; with a = (M lr_Y t/K + 1)/(M-1) and w the Wright omega function it is
        a - w(a - ln(M-1)) = ln((M-1) w), of which the second form keeps its digits at late times.

    Raises:
        InputError: if a time is negative, a rate not positive, or M < K.

    Source: the paper's Lemma 6; closed form beyond the paper.
    """
    (k, m), rate = sizes(K, M), positive(lr_Y, "lr_Y")
    reached = m * rate * non_negative(t, "t") / k
    x = np.log((m - 1.0) * wrightomega((reached + 1.0) / (m - 1.0) - np.log(m - 1.0)))
    # one Newton step, written for small x, gives the first instants their digits
    return x - (np.expm1(x) + (m - 1.0) * x - reached) / (np.exp(x) + m - 1.0)


def h(t: ArrayLike, K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike) -> Array:
    """The decoder's clock in continuous time, h(t/K) = `logit_gap` / M (...); arguments as there.

    Raises:
        InputError: if a time is negative, a rate not positive, or M < K.

    Source: the paper's Lemma 6.
    """
    return logit_gap(t, K, M, lr_Y) / floats(M)


def clock_gap_bound(M: ArrayLike, lr_Y: ArrayLike) -> Array:
    """Bound 2 lr_Y / M (...) on h*(k) - h(k), which is never negative.

    Raises:
        InputError: if a rate is not positive or M < 2.

    Source: the paper's Lemma 7.
    """
    return 2.0 * positive(lr_Y, "lr_Y") / sizes(1, M)[1]


def residual(t: ArrayLike, K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike) -> Array:
    """Probability (...) not yet on the right token, (M-1)/(M-1+e^x); delta_n is this times zeta_n.

    Args are those of `logit_gap`.

    Raises:
        InputError: if a time is negative, a rate not positive, or M < K.

    Source: the paper's Lemma 5.
    """
    left: Array = lift(portable.residual)(logit_gap(t, K, M, lr_Y), M)
    return left


def speed(t: ArrayLike, K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike) -> Array:
    """Speed coefficient gamma(t) = (M-1)^2 h / (M-1+e^{Mh}) (...), which multiplies everything attention does.

    Args are those of `logit_gap`.

    Raises:
        InputError: if a time is negative, a rate not positive, or M < K.

    Source: the paper's Theorem 1.
    """
    gamma: Array = lift(portable.speed)(logit_gap(t, K, M, lr_Y), M)
    return gamma


def speed_peak(K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike) -> SpeedPeak:
    """Where the speed coefficient is largest: x = 1 + w and gamma = (M-1) w / M with w = W((M-1)/e), Lambert's W.

    Args:
        K: number of classes (...).
        M: output tokens (...).
        lr_Y: learning rate of the decoder (...).

    Returns:
        `SpeedPeak`; the time is K (e^x + (M-1) x - 1) / (M lr_Y).

    Raises:
        InputError: if a rate is not positive or M < K.

    Source: beyond the paper.
    """
    (k, m), rate = sizes(K, M), positive(lr_Y, "lr_Y")
    w = np.real(lambertw((m - 1.0) / math.e))
    x = 1.0 + w
    time = k * (np.expm1(x) + (m - 1.0) * x) / (m * rate)
    return SpeedPeak(time, *(np.broadcast_to(a, time.shape).copy() for a in ((m - 1.0) / m * w, x)))


def zeta(K: int, M: int) -> Array:
    """Directions zeta_n = (M/(M-1)) (e_n - 1/M) of the first K output tokens, (K, M).

    Raises:
        InputError: if M < K or M < 2.

    Source: the paper's Lemma 5.
    """
    sizes(K, M)
    return M / (M - 1.0) * (np.eye(K, M) - 1.0 / M)


def decoder_weights(f: ArrayLike, M: int, clock: float) -> Array:
    """Decoder of the reference dynamics when its clock shows h: Y = F (I - E') W with rows w_n = (M-1) h zeta_n.

    Args:
        f: decoder inputs (K, C) of length one, held still.
        M: output tokens.
        clock: h.

    Returns:
        Y (C, M), one row per contextual token.

    Raises:
        InputError: if f is not of length one, classes coincide, or M < K.

    Source: the paper's Theorem 5.
    """
    rows = floats(f)
    K = rows.shape[-2]
    W = (M - 1.0) * float(non_negative(clock, "clock")) * zeta(K, M)
    return rows.T @ (np.eye(K) - modified_overlaps(correlations(rows))) @ W
