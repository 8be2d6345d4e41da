"""The curves of the chapter's figures, made of the risks of the modules beside it, in portable Python.

Chapter `linear_block`. H = diag(h), Psi = I, and a prior mean of equal entries and length `norm`; sigma is the standard
deviation of the label noise, M the number of examples. A result with one entry is a number of its own.

Along a curve the best attention without the MLP takes fewer searches a point than one point needs: two valleys are
tried, one on the scale of the mean and one on that of the labels' deviation, and a third start where they are not the
same. Along lengths a search begins where the last one ended. Where variances fall steeply there are more valleys, and
at a few points of a thousand the lowest is missed, by less than 1 %.
"""

from lib.portable.primitives import Readings, Vector, Wholes, inf, nan, sqrt, zeros
from lib.portable.vectors import filled, scaled, total
from lib.theory.linear_block.portable import (
    bayes_floor,
    bayes_ratio_bound,
    best_gains,
    best_risk,
    best_risk_from,
    gains_risk,
    gap_bound,
    label_variance,
    least_squares_risk,
    long_risk,
)
from lib.theory.linear_block.portable_attention import Search, attention_risk, label_scale, search_of, searched

NORMS = 9  # on the curve over the prior mean: 0 to 16


def _even_mean(d: int, norm: float) -> Vector:
    """(d,) equal entries, of this length together."""
    return filled(d, norm / sqrt(float(d)))


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
            one = searched(search, scaled(mean, 1.0))
            risks[k] = _lower(search, one, searched(search, scaled(direction, far)))
    return risks


def over_lengths(h: Vector, norm: float, sigma: float, lengths: Wholes, place: int, count: int) -> Readings:
    """Risks of all rules over the length of a prompt.

    Args:
        h, norm, sigma: of the task.
        lengths: (L,) rising.
        place: of the length M among them that is looked at.
        count: points of the curves at that length.

    Returns:
        (L,) each: M; step, the best step and the best block; attention alone; zero, the best step from there; squares,
        least squares where its mean is known and finite; prior, no example read; gap of the attention, and its bound.
        (count,) each, at M: here, the best step; floor, below Bayes. Numbers, at M: now, norm, noise, step_now,
        attention_now, zero_now, gap_now, times (gap over bound), most (excess of the step over that of Bayes).

    Source: arXiv 2402.14951, Theorems 4.1 and 5.2, Corollary 6.2; attention, zero, gap and constants are ours.
    """
    L, mean, size = len(lengths), _even_mean(len(h), norm), norm * norm / float(len(h)) * total(h)
    x, step, zero, squares, gap, bound = zeros(L), zeros(L), zeros(L), zeros(L), zeros(L), zeros(L)
    for i in range(L):
        M = float(lengths[i])
        x[i] = M
        step[i] = best_risk(h, sigma, M)
        zero[i] = best_risk_from(h, 1.0, mean, sigma, M, zeros(len(h)))
        least = least_squares_risk(h, 1.0, mean, sigma, lengths[i])
        squares[i] = least if least < inf else nan
        bound[i] = gap_bound(size, M)
    attention = attention_by_length(h, 1.0, mean, sigma, x)
    for i in range(L):
        gap[i] = max(0.0, attention[i] - step[i])  # rounding alone is below zero, where the mean is zero
    return {
        "M": x, "step": step, "attention": attention, "zero": zero, "squares": squares,
        "prior": filled(L, label_variance(h, sigma)), "gap": gap, "bound": bound,
        "here": filled(count, step[place]), "floor": filled(count, bayes_floor(h, sigma, x[place])),
        "now": [x[place]], "norm": [norm], "noise": [sigma * sigma], "step_now": [step[place]],
        "attention_now": [attention[place]], "zero_now": [zero[place]], "gap_now": [gap[place]],
        "times": [gap[place] / bound[place] if size > 0.0 else nan], "most": [bayes_ratio_bound(h, sigma)],
    }  # fmt: skip


def over_means(h: Vector, norm: float, sigma: float, M: float) -> Readings:
    """Risks over the length of the prior mean, 0 to 16.

    Returns:
        norm, step, attention, zero, (9,) each, as in `over_lengths`; now, the length that is looked at.

    Source: arXiv 2402.14951, Theorem 5.2; attention and zero are ours.
    """
    norms, zero, unit = zeros(NORMS), zeros(NORMS), _even_mean(len(h), 1.0)
    for i in range(NORMS):
        norms[i] = 2.0 * float(i)
        zero[i] = best_risk_from(h, 1.0, scaled(unit, norms[i]), sigma, M, zeros(len(h)))
    attention = attention_by_mean(h, 1.0, unit, norms, sigma, M)
    return {
        "norm": norms, "step": filled(NORMS, best_risk(h, sigma, M)), "attention": attention, "zero": zero,
        "now": [norm],
    }  # fmt: skip


def at_other_lengths(h: Vector, sigma: float, M: float, lengths: Wholes) -> Readings:
    """The step that is best at M examples, on prompts of other lengths.

    Returns:
        (L,) each: kept, with a mean over the examples; summed, with a sum; anew, the best step there; floor, endless
        prompts.

    Source: beyond the paper.
    """
    L, gains = len(lengths), best_gains(h, 1.0, sigma, M)
    kept, summed, anew = zeros(L), zeros(L), zeros(L)
    for i in range(L):
        other = float(lengths[i])
        kept[i] = gains_risk(h, 1.0, sigma, other, gains)
        summed[i] = gains_risk(h, 1.0, sigma, other, scaled(gains, other / M))
        anew[i] = best_risk(h, sigma, other)
    return {"kept": kept, "summed": summed, "anew": anew, "floor": filled(L, long_risk(h, 1.0, sigma, gains))}
