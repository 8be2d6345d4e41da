"""The reduced loss, for the page: exact for every N, by sums, without a sample.

Chapter `one_nn`. Own derivation from the reduced loss L = E[1 - 2 q_* + sum_j q_j^2] / 2 of Li et al. (2024), arXiv
2411.10830. Let z_* be the largest of N inner products; the others are independent draws below it. With a = exp(xi1
(z - z_*)), c = exp(xi1 (1 - z_*) - xi2) and 1/S = int exp(-s S) ds, the attention averages become

    E[q_* | z_*]           = int exp(-s (1 + c)) psi^(N-1) ds,                               psi(s) = E exp(-s a),
    E[sum_j q_j^2 | z_*]   = int s exp(-s (1 + c)) (psi^(N-1) + (N-1) chi psi^(N-2)) ds,     chi(s) = E a^2 exp(-s a).

The places s double, so that exp(-2 s a) is a square. So coarse a rule is wrong by 1e-5 of the whole, and a late loss
is a small difference of such sums; so the rule's error on exp(-s (1 + c + m)), m = (N-1) E a, whose integrals are
known, is taken off. `lib.theory.one_nn.reduced` has it in NumPy, with another quadrature and more digits.
"""

from lib.portable.numbers import exp
from lib.portable.primitives import Vector, nan, zero_matrix, zeros
from lib.portable.quadrature import gauss_places, gauss_weights
from lib.theory.one_nn.portable import (
    Law,
    law_of,
    nearest_density,
    place_of,
    power,
    product_at,
    raw,
    share_below,
)

RARE = 1e-9  # chance of a place that is left out
WILD = 100.0  # pull away from the query beyond which nothing is computed
LOG_2 = 0.6931471805599453
FEW_PLACES = gauss_places(7)  # for pictures
FEW_WEIGHTS = gauss_weights(FEW_PLACES)


def add_largest(law: Law, w: float, weight: float, xi1: float, xi2: float) -> None:
    """Add to `law.slopes` what prompts whose largest inner product is at w give, times the weight.

    Their expectation given w, the s-integral of the head of this file; the two slopes are its derivatives.
    """
    N = law.N
    below = share_below(law, w)
    own = 1.0 - product_at(w)
    exponent = xi1 * own - xi2
    c = exp(min(exponent, 600.0))
    places = law.places
    weights = law.weights
    steep = law.steep
    a, v, av, aav, e, gap = law.room[0], law.room[1], law.room[2], law.room[3], law.room[4], law.room[5]
    # others farther than 18 / xi1 get no attention
    across = w + 1.0
    if xi1 * (1.0 - own + 1.0) > 18.0:
        across = w - place_of(product_at(w) - 18.0 / xi1)
    top = 1.0 if xi1 >= 0.0 else exp(-xi1 * (2.0 - own))
    most = 1.0 + c + float(N - 1) * top
    s = 1.0 / (64.0 * most)
    for i in range(len(a)):
        t = places[i]
        y = across * t * t
        gap[i] = 0.5 * y * (3.0 * (1.0 - w * w) + y * (3.0 * w - y))  # z(w) - z(w - y)
        a[i] = exp(-xi1 * gap[i])
        v[i] = 2.0 * across * t * weights[i] * raw(w - y, law.d) / (law.whole * max(below, 1e-300))
        av[i] = a[i] * v[i]
        aav[i] = a[i] * av[i]
        e[i] = exp(-s * a[i])
    gone = exp(-s * (1.0 + c))
    others = float(N - 1)
    # the attention that the others ask for, its squares, and how both grow with xi1
    m, m_2, m_grows, m_2_grows = 0.0, 0.0, 0.0, 0.0
    for i in range(len(a)):
        m += others * av[i]
        m_2 += others * aav[i]
        m_grows -= others * av[i] * gap[i]
        m_2_grows -= 2.0 * others * aav[i] * gap[i]
    known = exp(-s * (1.0 + c + m))
    known_1, known_2, known_3 = 0.0, 0.0, 0.0  # the rule's int s^(k-1) exp(-s (1 + c + m)) ds
    q, squares, q_1, squares_1, q_2, squares_2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    fresh = True
    while s * (1.0 + c) < 24.0:
        kept, chi, kept_1, chi_1 = 0.0, 0.0, 0.0, 0.0
        if steep:
            for i in range(len(a)):
                kept += v[i] * (1.0 - e[i])
                chi += aav[i] * e[i]
                kept_1 += av[i] * gap[i] * e[i]
                chi_1 += (s * a[i] - 2.0) * aav[i] * gap[i] * e[i]
                e[i] = e[i] * e[i]
        else:
            for i in range(len(a)):
                kept += v[i] * (1.0 - e[i])
                chi += aav[i] * e[i]
                e[i] = e[i] * e[i]
        psi = 1.0 - kept
        third = power(psi, max(N - 3, 0))
        second = third * psi if N > 2 else 1.0
        all_others = second * psi if N > 1 else 1.0
        psi_1 = others * second * s * kept_1
        pair = all_others + others * chi * second
        pair_1 = psi_1 + others * (chi_1 * second + (others - 1.0) * chi * third * s * kept_1)
        ds = LOG_2 * s * gone
        # places below the first: 1/2, 1/4 ... of s, where the integrand is a power of s
        more = 4.0 / 3.0 if fresh else 1.0
        q += LOG_2 * s * (gone * all_others + (2.0 + gone * all_others) / 3.0) if fresh else ds * all_others
        squares += more * ds * s * pair
        q_1 += more * ds * (psi_1 - s * c * own * all_others)
        squares_1 += more * ds * s * (pair_1 - s * c * own * pair)
        q_2 += more * ds * s * c * all_others
        squares_2 += more * ds * s * s * c * pair
        ds = LOG_2 * s * known
        known_1 += LOG_2 * s * (known + (2.0 + known) / 3.0) if fresh else ds
        known_2 += more * ds * s
        known_3 += more * ds * s * s
        fresh = False
        gone = gone * gone
        known = known * known
        s = s * 2.0
    total = 1.0 + c + m
    short_1 = 1.0 / total - known_1
    short_2 = 1.0 / total / total - known_2
    short_3 = 2.0 / total / total / total - known_3
    grows = c * own + m_grows
    q += short_1
    squares += (1.0 + m_2) * short_2
    q_1 -= grows * short_2
    squares_1 += m_2_grows * short_2 - (1.0 + m_2) * grows * short_3
    q_2 += c * short_2
    squares_2 += c * (1.0 + m_2) * short_3
    law.slopes[0] += weight * (0.5 - q + 0.5 * squares)
    law.slopes[1] += weight * (0.5 * squares_1 - q_1)
    law.slopes[2] += weight * (0.5 * squares_2 - q_2)


def add_part(law: Law, low: float, high: float, xi1: float, xi2: float) -> None:
    """Add to `law.slopes` the prompts with the largest at w between low and high."""
    if high - low < 1e-12:
        return
    for i in range(len(law.places)):
        w = low + (high - low) * law.places[i]
        weight = (high - low) * law.weights[i] * nearest_density(law, w)
        if weight > RARE:
            add_largest(law, w, weight, xi1, xi2)


def loss_and_slopes(law: Law, xi1: float, xi2: float) -> None:
    """Put the reduced loss at (xi1, xi2), and its derivatives in both, into `law.slopes`.

    They are squared errors with the factor 1/2, and per unit of xi; NaN for xi1 below -100 and from 1e6 on. For d
    up to 32, N up to 128 and xi1 from -4 to 400 the loss errs by 0.8 %, mostly by less than 0.1 %. A slope errs by 2 %
    where xi1 is at least 0, by 12 % below, or by 2e-6 where that is more. By `rough_law_of` the loss errs by 8 %,
    mostly by less than 2 %, and the slopes are wrong.

    Source: the loss is that of arXiv 2411.10830, the sums are beyond the paper.
    """
    for k in range(3):
        law.slopes[k] = 0.0
    if not (xi1 > -WILD and xi1 < 1e6):  # a trial step that went wild: its sums would take a thousand doublings
        law.slopes[0] = nan
        law.slopes[1] = nan
        law.slopes[2] = nan
        return
    borders = parts_of(law, xi1, xi2)
    for i in range(len(borders) - 1):
        add_part(law, borders[i], borders[i + 1], xi1, xi2)


def parts_of(law: Law, xi1: float, xi2: float) -> Vector:
    """Borders, in w, of the parts over which prompts are summed, by their largest inner product.

    For large xi1 the query turns from others to itself within 1 / xi1 around 1 - z_* = xi2 / xi1, which has parts of
    its own.
    """
    middle = 0.5 * (law.lowest + 1.0)
    borders = zeros(3 if xi1 < 12.0 else 6)
    borders[0] = law.lowest
    borders[len(borders) - 1] = 1.0
    borders[len(borders) - 2] = middle
    if xi1 >= 12.0:
        for i in range(3):
            borders[i + 1] = max(law.lowest, place_of(1.0 - xi2 / xi1 + 9.0 * float(i - 1) / xi1))
        borders[4] = max(borders[3], middle)
    return borders


def rough_law_of(d: int, N: int) -> Law:
    """The same law for a loss that is drawn: no slopes, and to some per cent."""
    law = law_of(d, N)
    few = zero_matrix(6, len(FEW_PLACES))
    return Law(
        d=d, N=N, cumulated=law.cumulated, lowest=law.lowest, whole=law.whole, places=FEW_PLACES, weights=FEW_WEIGHTS,
        steep=False, room=few, slopes=zeros(3),
    )  # fmt: skip
