"""The curves of the chapter's figures, made of the risks of the modules beside it, in portable Python.

Chapter `linear_block`. H = diag(h), Psi = psi I; sigma is the standard deviation of the label noise.

Along a curve the best attention without the MLP takes fewer searches a point than one point needs: two valleys are
tried, one on the scale of the mean and one on that of the labels' deviation, and a third start where they are not the
same. Along lengths a search begins where the last one ended. Where variances fall steeply there are more valleys, and
at a few points of a thousand the lowest is missed, by less than 1 %.
"""

from lib.portable.primitives import Vector, sqrt, zeros
from lib.portable.vectors import scaled
from lib.theory.linear_block.portable_attention import Search, attention_risk, label_scale, search_of, searched


def _lower(search: Search, near: float, far: float) -> float:
    """The lower of two risks found, or of a third search if they differ, from the mean times the root of h."""
    if abs(near - far) <= 1e-7 * near:
        return min(near, far)
    start = zeros(len(search.h))
    for i in range(len(start)):
        start[i] = sqrt(search.h[i]) * search.mean[i]
    return min(min(near, far), searched(search, start))


def attention_by_length(h: Vector, psi: float, mean: Vector, sigma: float, lengths: Vector) -> Vector:
    """(L,) the risk of the best attention at each of the rising lengths of a prompt.

    Source: beyond the paper.
    """
    risks, count, other = zeros(len(lengths)), len(lengths), label_scale(search_of(h, psi, mean, sigma, lengths[0]))
    near, far = scaled(mean, 1.0), scaled(mean, 0.3 * other)
    for k in range(count):
        at = count - 1 - k  # from the longest: there the two valleys lie farthest apart
        search = search_of(h, psi, mean, sigma, lengths[at])
        risks[at] = searched(search, near) if other > 0.0 else attention_risk(search, near, zeros(len(h)))
    for k in range(count):
        search = search_of(h, psi, mean, sigma, lengths[k])
        if other > 0.0:
            risks[k] = _lower(search, risks[k], searched(search, far))
    return risks
