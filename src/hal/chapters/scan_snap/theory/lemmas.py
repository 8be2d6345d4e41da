"""Lemmas of Scan and Snap that proofs and claims use, over those of `lib.theory.scan_snap`, whose conventions hold
here.

Chapter `scan_snap`. Source: Tian, Wang, Chen, Du (2023), arXiv 2305.16380; a docstring names the place, or says
"beyond".
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import lambertw

from hal.chapters.scan_snap.theory.portable_beyond import equal_overlaps
from lib.errors import require, wholes
from lib.portable import lift
from lib.theory._arrays import Array, positive
from lib.theory.scan_snap import (
    non_negative,
    overlap_value,
    scores_of,
    sizes,
    square,
)  # fmt: skip


class SpeedPeak(NamedTuple):
    """The largest speed coefficient; fields (...)."""

    time: Array
    speed: Array  #: gamma there
    gap: Array  #: x there


def series_error_bound(E: ArrayLike) -> Array:
    """Bound lambda^2 / (1 - lambda) (...) on every entry of |E' - E|, lambda the largest |eigenvalue| of E, below 1,
    where the series behind it converges. Lemma 17."""
    largest = np.max(np.abs(np.linalg.eigvalsh(square(E))), axis=-1)
    require(np.all(largest < 1.0), "E", "eigenvalues below 1 in size", f"{largest.max():.3g}")
    return largest**2 / (1.0 - largest)


def equal_modified_overlaps(K: ArrayLike, rho: ArrayLike) -> tuple[Array, Array]:
    """Diagonal and off-diagonal entry of E', each (...), when all pairs of classes have correlation rho. Beyond."""
    entries: tuple[Array, Array] = lift(equal_overlaps)(wholes("K", K, 1), overlap_value(rho))
    return entries


def speed_peak(K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike) -> SpeedPeak:
    """Where gamma is largest: x = 1 + w and gamma = (M-1) w / M with w = W((M-1)/e), Lambert's W. Beyond."""
    (k, m), rate = sizes(K, M), positive(lr_Y, "lr_Y")
    w = np.real(lambertw((m - 1.0) / math.e))
    x = 1.0 + w
    time = k * (np.expm1(x) + (m - 1.0) * x) / (m * rate)
    return SpeedPeak(time, *(np.broadcast_to(a, time.shape).copy() for a in ((m - 1.0) / m * w, x)))


def inverse_square_loss(scores: ArrayLike, scores_start: ArrayLike) -> Array:
    """1/score(0)^2 - 1/score(t)^2 per token (..., K, C); in the reference dynamics one number per class, S_n; NaN for
    tokens outside the class. Proof of Theorem 3."""
    now, start = scores_of(scores), scores_of(scores_start)
    with np.errstate(divide="ignore", invalid="ignore"):
        return start**-2.0 - now**-2.0


def clock_gap_bound(M: ArrayLike, lr_Y: ArrayLike) -> Array:
    """Bound 2 lr_Y / M (...) on h*(k) - h(k), which is never negative. Lemma 7."""
    return 2.0 * positive(lr_Y, "lr_Y") / sizes(1, M)[1]


def early_gap(t: ArrayLike, K: ArrayLike, lr_Y: ArrayLike) -> Array:
    """Form lr_Y t/K (...) of the gap before t0'. Lemma 9."""
    return positive(lr_Y, "lr_Y") * non_negative(t, "t") / positive(K, "K")


def late_gap(t: ArrayLike, K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike) -> Array:
    """Form ln(M lr_Y t/K) (...) of the gap after t0. Lemma 9."""
    k, m = sizes(K, M)
    return np.log(m * positive(lr_Y, "lr_Y") * positive(t, "t") / k)
