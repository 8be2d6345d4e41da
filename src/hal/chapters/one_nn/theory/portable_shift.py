"""Prompts with separated labels: their loss by quadrature.

Chapter `one_nn`. With z_* given and the far labels averaged out, 2 L = E[((sum_far e_j + c)^2 + sum_far e_j^2) / S^2]:
e_j = exp(-xi_1 (z_* - z_j)), c = exp(xi_1 (1 - z_*) - xi_2) the query's own, S = 1 + sum_j e_j + c, and far are those
with z_* - z_j >= delta / 2; the others have the label of the nearest. By 1 / S^2 = int s exp(-s S) ds the examples are
independent. No term is negative, so that a small loss is as exact as a large one. Source: beyond the paper, Li et al.
(2024), arXiv 2411.10830, for its theorem on distribution shift.
"""

from hal.chapters.one_nn.theory.portable_reduced import LOG_2, parts_of
from lib.portable.numbers import exp
from lib.portable.primitives import Vector
from lib.theory.one_nn.portable import (
    PLACES,
    WEIGHTS,
    Law,
    nearest_density,
    place_of,
    power,
    product_at,
    raw,
    share_below,
)

SEEN = 18.0  # scores this far below the nearest one's get no attention


def separated_loss(law: Law, xi1: float, xi2: float, delta: float) -> tuple[float, float]:
    """The loss at (xi1, xi2) on prompts separated by delta, and the part of it that is there for every delta.

    That floor is what is left where no example is far: the query's attention on itself. Squared errors with the factor
    1/2, for xi1 above -4; both err by 1 % or, if that is more, by 1e-7. With delta = 0 the loss is that of uniform
    prompts.

    Source: beyond the paper, see the head of this file.
    """
    loss, floor_ = 0.0, 0.0
    borders = parts_of(law, xi1, xi2)
    for part in range(len(borders) - 1):
        wide = borders[part + 1] - borders[part]
        for i in range(len(PLACES)):
            w = borders[part] + wide * PLACES[i]
            weight = 0.5 * wide * WEIGHTS[i] * nearest_density(law, w)
            if weight > 1e-12:
                both, alone = separated_at(law, w, xi1, xi2, delta)
                loss += weight * both
                floor_ += weight * alone
    return loss, floor_


def separated_at(law: Law, w: float, xi1: float, xi2: float, delta: float) -> tuple[float, float]:
    """Twice the loss of prompts whose largest inner product is at w, and its floor."""
    n = law.N - 1
    z = product_at(w)
    c = exp(min(xi1 * (1.0 - z) - xi2, 600.0))
    reach = SEEN / xi1 if xi1 > 0.0 else 2.0
    cut = min(0.5 * delta, z + 1.0)
    near, near_v, far, far_v, e, e_far = law.room[0], law.room[1], law.room[2], law.room[3], law.room[4], law.room[5]
    spread_gaps(law, w, 0.0, min(cut, reach), xi1, near, near_v)
    spread_gaps(law, w, cut, cut + reach, xi1, far, far_v)
    top = 1.0 if xi1 >= 0.0 else exp(-xi1 * (1.0 + z))
    s = 1.0 / (64.0 * (1.0 + c + float(n) * top))
    for i in range(len(PLACES)):
        e[i] = exp(-s * near[i])
        e_far[i] = exp(-s * far[i])
    loss, alone = 0.0, 0.0
    more = 4.0 / 3.0  # places below the first: 1/2, 1/4 ... of s, where the integrand is s^2
    while s * (1.0 + c) < 24.0:
        kept, first, second = 0.0, 0.0, 0.0
        for i in range(len(PLACES)):
            kept += near_v[i] * (1.0 - e[i]) + far_v[i] * (1.0 - e_far[i])
            pulled = far_v[i] * s * far[i] * e_far[i]
            first += pulled
            second += pulled * s * far[i]
            e[i] = e[i] * e[i]  # for the next s, which is twice as large
            e_far[i] = e_far[i] * e_far[i]
        psi, own = 1.0 - kept, s * c
        one = power(psi, max(n - 1, 0))
        ds = more * LOG_2 * exp(-s * (1.0 + c))
        alone += ds * own * own * (one * psi if n > 0 else 1.0)
        loss += ds * 2.0 * float(n) * (own * first + second) * one
        loss += ds * float(n) * float(n - 1) * first * first * power(psi, max(n - 2, 0))
        more = 1.0
        s = 2.0 * s
    return loss + alone, alone


def spread_gaps(law: Law, w: float, low: float, high: float, xi1: float, e: Vector, v: Vector) -> None:
    """Places on the gaps between low and high behind a largest inner product at w: e = exp(-xi1 gap), and how likely
    an example, which is below it, is there.
    """
    z = product_at(w)
    start = w if low == 0.0 else place_of(z - low)
    across = start - place_of(max(-1.0, z - high))
    below = max(share_below(law, w), 1e-300)
    for i in range(len(PLACES)):
        t = PLACES[i]
        y = across * t * t
        gap = low + 0.5 * y * (3.0 * (1.0 - start * start) + y * (3.0 * start - y))
        e[i] = exp(-xi1 * gap)
        v[i] = 2.0 * across * t * WEIGHTS[i] * raw(start - y, law.d) / (law.whole * below)
