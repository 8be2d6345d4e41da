"""The best attention without the MLP along a curve, in portable Python: fewer searches a point than one point needs.

Chapter `linear_block`. Source: beyond arXiv 2402.14951; the searches are those of `portable_attention`. Two valleys are
tried, one on the scale of the mean and one on that of the labels' deviation; along lengths a search begins where the
last one ended. Tests hold the curves to single searches with all their starts.
"""

from lib.portable.primitives import Vector, zeros
from lib.portable.vectors import scaled
from lib.theory.linear_block.portable_attention import Search, attention_risk, label_scale, search_of, searched


def _lower(search: Search, near: Vector, far: Vector) -> float:
    """The lower of two searches; both virtual means move to where they ended."""
    risk = searched(search, near)
    return min(risk, searched(search, far))


def attention_by_length(h: Vector, psi: float, mean: Vector, sigma: float, lengths: Vector) -> Vector:
    """(L,) the risk of the best attention at each of the rising lengths of a prompt.

    Source: beyond the paper.
    """
    risks, count, other = zeros(len(lengths)), len(lengths), label_scale(search_of(h, psi, mean, sigma, lengths[0]))
    near, far = scaled(mean, 1.0), scaled(mean, 0.3 * other)
    for k in range(count):
        at = count - 1 - k  # from the longest: there the two valleys lie farthest apart
        search = search_of(h, psi, mean, sigma, lengths[at])
        risks[at] = _lower(search, near, far) if other > 0.0 else attention_risk(search, near, zeros(len(h)))
    return risks


def attention_by_mean(h: Vector, psi: float, direction: Vector, norms: Vector, sigma: float, M: float) -> Vector:
    """(K,) the risk of the best attention for prior means of rising lengths along a direction; the first may be 0.

    Source: beyond the paper.
    """
    risks, far = zeros(len(norms)), 0.3 * label_scale(search_of(h, psi, direction, sigma, M))
    for k in range(len(norms)):
        mean = scaled(direction, norms[k])
        search = search_of(h, psi, mean, sigma, M)
        if norms[k] == 0.0:
            risks[k] = attention_risk(search, mean, zeros(len(h)))
        else:
            risks[k] = _lower(search, scaled(mean, 1.0), scaled(direction, far))
    return risks
