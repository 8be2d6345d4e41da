"""The best attention without the MLP along a curve, in portable Python: fewer searches a point than one point needs.

Chapter `linear_block`. The searches of `portable_attention`, which has their source. Two valleys are tried, one on the
scale of the mean and one on that of the labels' deviation; along lengths a search begins where the last one ended.
Tests hold the curves to single searches with all their starts.
"""

from __future__ import annotations

from lib.portable.primitives import Vector, sqrt, zeros
from lib.theory.linear_block.portable import label_variance
from lib.theory.linear_block.portable_attention import Search, attention_risk, search_of, searched


def scaled(mean: Vector, factor: float) -> Vector:
    """(d,) a multiple of the mean."""
    found = zeros(len(mean))
    for i in range(len(mean)):
        found[i] = factor * mean[i]
    return found


def label_scale(h: Vector, psi: float, mean: Vector, sigma: float) -> float:
    """The factor that brings the mean to the scale of a label's deviation; 0 where there is no mean."""
    size = 0.0
    for i in range(len(h)):
        size += h[i] * mean[i] * mean[i]
    return sqrt(label_variance(h, psi, sigma) / size) if size > 0.0 else 0.0


def lower(search: Search, near: Vector, far: Vector) -> float:
    """The lower of two searches; both virtual means move to where they ended."""
    risk = searched(search, near)
    return min(risk, searched(search, far))


def risks_by_length(h: Vector, psi: float, mean: Vector, sigma: float, lengths: Vector) -> Vector:
    """(L,) the risk of the best attention at each of the rising context lengths."""
    risks, count, other = zeros(len(lengths)), len(lengths), label_scale(h, psi, mean, sigma)
    near, far = scaled(mean, 1.0), scaled(mean, 0.3 * other)
    for k in range(count):
        at = count - 1 - k  # from the longest: there the two valleys lie farthest apart
        search = search_of(h, psi, mean, sigma, lengths[at])
        risks[at] = lower(search, near, far) if other > 0.0 else attention_risk(search, near, zeros(len(h)))
    return risks


def risks_by_mean(h: Vector, psi: float, direction: Vector, norms: Vector, sigma: float, M: float) -> Vector:
    """(K,) the risk of the best attention for prior means of rising lengths along a direction; the first may be 0."""
    risks, far = zeros(len(norms)), 0.3 * label_scale(h, psi, direction, sigma)
    for k in range(len(norms)):
        mean = scaled(direction, norms[k])
        search = search_of(h, psi, mean, sigma, M)
        if norms[k] == 0.0:
            risks[k] = attention_risk(search, mean, zeros(len(h)))
        else:
            risks[k] = lower(search, scaled(mean, 1.0), scaled(direction, far))
    return risks
