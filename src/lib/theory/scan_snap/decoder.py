"""The decoder on its own: one scalar clock h(t), the right token's logit gap, and the speed it leaves to attention.

It turns from linear to logarithmic: two stages, with simple forms in both. Used by chapter Scan and Snap. Paper: Tian,
Wang, Chen, Du (2023), arXiv 2305.16380, Lemmas 3 and 5 to 9, Theorems 1, 4 and 5. Attention is held still. A class is
seen once every K steps, so that at step t it has been seen t/K times. Time is in steps, a gradient step of rate lr_Y
being one unit of it; everything broadcasts.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import lambertw, wrightomega

from lib.errors import require, whole
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
    """Bound 2 lr_Y / M (...) on h*(k) - h(k), which is never negative. Source: the paper's Lemma 7.

    Raises:
        InputError: if a rate is not positive or M < 2.
    """
    return 2.0 * positive(lr_Y, "lr_Y") / sizes(1, M)[1]


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

    Args are those of `logit_gap`.

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
    """Directions zeta_n = (M/(M-1)) (e_n - 1/M) of the first K output tokens, (K, M). Source: the paper's Lemma 5.

    Raises:
        InputError: if M < K or M < 2.
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


class Stages(NamedTuple):
    """On which side of its two thresholds e^x lies; fields (...)."""

    before: NDArray[np.bool_]  #: t <= t0' and past the sliver: both of the next two are promised
    small: NDArray[np.bool_]  #: e^x <= M - 1
    linear: NDArray[np.bool_]  #: e^x <= (M - 1) x
    after: NDArray[np.bool_]  #: t >= t0: the next two are promised
    large: NDArray[np.bool_]  #: e^x >= M - 1
    exponential: NDArray[np.bool_]  #: e^x >= (M - 1) x


def line_roots(M: ArrayLike) -> tuple[Array, Array]:
    """The two roots of e^x = (M-1) x: about 1/(M-1), where the sliver at t = 0 ends, and x-hat.

    Args:
        M: output tokens (...), at least 4 (below, the line stays under the exponential).

    Returns:
        (small, large), each (...): -W_0(-1/(M-1)) and -W_{-1}(-1/(M-1)), Lambert's W.

    Raises:
        InputError: if M < 4.

    Source: the paper's Lemma 8.
    """
    m = sizes(1, M)[1]
    _enough_for_a_line(m)
    small, large = (-np.real(lambertw(-1.0 / (m - 1.0), branch)) for branch in (0, -1))
    return small, large


def omega_1(M: ArrayLike) -> Array:
    """omega_1 = x-hat / ln M - 1 (...), of order ln ln M / ln M: how much later than ln M the line is crossed.

    Raises:
        InputError: if M < 4.

    Source: the paper's Lemma 8.
    """
    return line_roots(M)[1] / np.log(sizes(1, M)[1]) - 1.0


def transition_times(K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike) -> tuple[Array, Array]:
    """End of the scan and start of the snap, t0' = K ln M / lr_Y and t0 = 2 (1 + omega_1) t0', in steps.

    Args are those of `logit_gap`, M at least 4.

    Returns:
        (t0', t0), each (...).

    Raises:
        InputError: if a rate is not positive, M < K or M < 4.

    Source: the paper's Theorem 4 and Lemma 9.
    """
    (k, m), rate = sizes(K, M), positive(lr_Y, "lr_Y")
    _enough_for_a_line(m)
    return lift(portable.scan_end)(k, m, rate), lift(portable.snap_start)(k, m, rate)


def stage_inequalities(t: ArrayLike, K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike) -> Stages:
    """Which inequalities hold at time t, and which the paper promises there. Source: the paper's Lemma 9.

    Args are those of `logit_gap`, M at least 4.

    Raises:
        InputError: if a time is negative, a rate not positive, M < K or M < 4.
    """
    x, m = logit_gap(t, K, M, lr_Y), sizes(K, M)[1]
    first, second = transition_times(K, M, lr_Y)
    time = non_negative(t, "t")
    raised, line = np.exp(x), (m - 1.0) * x
    before = (time <= first) & (x >= line_roots(M)[0])
    fields = (before, raised <= m - 1.0, raised <= line, time >= second, raised >= m - 1.0, raised >= line)
    return Stages(*(np.asarray(field) for field in np.broadcast_arrays(*fields)))


def early_gap(t: ArrayLike, K: ArrayLike, lr_Y: ArrayLike) -> Array:
    """Form lr_Y t/K (...) of x = M h before t0'; steps and nats as in `logit_gap`. Source: the paper's Lemma 9.

    Raises:
        InputError: if a time is negative or a rate not positive.
    """
    return positive(lr_Y, "lr_Y") * non_negative(t, "t") / positive(K, "K")


def late_gap(t: ArrayLike, K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike) -> Array:
    """Form ln(M lr_Y t/K) (...) of x = M h after t0; steps and nats as in `logit_gap`. Source: the paper's Lemma 9.

    Raises:
        InputError: if a time or rate is not positive, or M < K.
    """
    k, m = sizes(K, M)
    return np.log(m * positive(lr_Y, "lr_Y") * positive(t, "t") / k)


def operational_time(t: ArrayLike, K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike, lr_Z: ArrayLike) -> Array:
    """Gamma(t) = lr_Z int_0^t gamma = (lr_Z / lr_Y) (K (M-1)^2 / 2) h(t/K)^2, exact.

    Args are those of `logit_gap`, and the learning rate of attention lr_Z (...).

    Raises:
        InputError: if a value is out of range.

    Source: the paper's proof of Theorem 4.
    """
    x, rate = logit_gap(t, K, M, lr_Y), non_negative(lr_Z, "lr_Z")
    Gamma: Array = lift(portable.operational_time)(x, K, M, lr_Y, rate)
    return Gamma


def reduced_B(t: ArrayLike, K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike, lr_Z: ArrayLike, C0: ArrayLike = 1.0) -> Array:
    """Growth exponent B = ln(1 + 4 Gamma / C0) / 4 (...) of the reduced system; the common logit is -B.

    Args are those of `operational_time`, and C0 = rho_0^4 / K (...), positive.

    Raises:
        InputError: if a value is out of range.

    Source: the paper's Theorem 4, with the -ln(C0)/4 that makes B(0) = 0.
    """
    B: Array = lift(portable.reduced_B)(operational_time(t, K, M, lr_Y, lr_Z), positive(C0, "C0"))
    return B


def _enough_for_a_line(M: Array) -> None:
    """Refuse vocabularies for which the line (M-1) x stays under e^x."""
    require(np.all(M >= 4), "M", "at least 4 output tokens", M)
