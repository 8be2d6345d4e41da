"""The two stages of the decoder: when it turns from linear to logarithmic, and the simple forms before and after.

Used by chapter Scan and Snap. Paper: Tian, Wang, Chen, Du (2023), arXiv 2305.16380, Lemmas 8 and 9 and Theorem 4.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import lambertw

from lib.errors import require
from lib.portable import lift
from lib.theory.scan_snap import portable
from lib.theory.scan_snap._arrays import Array, non_negative, positive, sizes
from lib.theory.scan_snap.decoder import logit_gap


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

    Args:
        K: number of classes (...).
        M: output tokens (...), at least 4.
        lr_Y: learning rate of the decoder (...).

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
    """Which inequalities hold at time t, and which the paper promises there.

    Args:
        t: time in steps (...).
        K: number of classes (...).
        M: output tokens (...), at least 4.
        lr_Y: learning rate of the decoder (...).

    Returns:
        `Stages`.

    Raises:
        InputError: if a time is negative, a rate not positive, M < K or M < 4.

    Source: the paper's Lemma 9.
    """
    x, m = logit_gap(t, K, M, lr_Y), sizes(K, M)[1]
    first, second = transition_times(K, M, lr_Y)
    time = non_negative(t, "t")
    raised, line = np.exp(x), (m - 1.0) * x
    before = (time <= first) & (x >= line_roots(M)[0])
    fields = (before, raised <= m - 1.0, raised <= line, time >= second, raised >= m - 1.0, raised >= line)
    return Stages(*(np.asarray(field) for field in np.broadcast_arrays(*fields)))


def early_gap(t: ArrayLike, K: ArrayLike, lr_Y: ArrayLike) -> Array:
    """Form lr_Y t/K (...) of x = M h before t0'; steps and nats as in `logit_gap`.

    Raises:
        InputError: if a time is negative or a rate not positive.

    Source: the paper's Lemma 9.
    """
    return positive(lr_Y, "lr_Y") * non_negative(t, "t") / positive(K, "K")


def late_gap(t: ArrayLike, K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike) -> Array:
    """Form ln(M lr_Y t/K) (...) of x = M h after t0; steps and nats as in `logit_gap`.

    Raises:
        InputError: if a time or rate is not positive, or M < K.

    Source: the paper's Lemma 9.
    """
    k, m = sizes(K, M)
    return np.log(m * positive(lr_Y, "lr_Y") * positive(t, "t") / k)


def _enough_for_a_line(M: Array) -> None:
    """Refuse vocabularies for which the line (M-1) x stays under e^x."""
    require(np.all(M >= 4), "M", "at least 4 output tokens", M)
