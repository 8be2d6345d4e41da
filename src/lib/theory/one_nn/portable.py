"""The reduced loss and its flow, for the page: exact for every N, by sums, without a sample.

Chapter `one_nn`. Own derivation from the reduced loss L = E[1 - 2 q_* + sum_j q_j^2] / 2 of Li et al. (2024), arXiv
2411.10830. Let z_* be the largest of N inner products; the others are independent draws below it. With a = exp(xi1
(z - z_*)), c = exp(xi1 (1 - z_*) - xi2) and 1/S = int exp(-s S) ds, the attention averages become

    E[q_* | z_*]           = int exp(-s (1 + c)) psi^(N-1) ds,                               psi(s) = E exp(-s a),
    E[sum_j q_j^2 | z_*]   = int s exp(-s (1 + c)) (psi^(N-1) + (N-1) chi psi^(N-2)) ds,     chi(s) = E a^2 exp(-s a).

The places s double, so that exp(-2 s a) is a square. So coarse a rule is wrong by 1e-5 of the whole, and a late loss
is a small difference of such sums; so the rule's error on exp(-s (1 + c + m)), m = (N-1) E a, whose integrals are
known, is taken off. `lib.theory.one_nn` has it in NumPy, with another quadrature.
An inner product z of dimension d is written z = w (3 - w^2) / 2: in w its density has no pole, not for d = 2 either.
"""

from __future__ import annotations

from dataclasses import dataclass

from lib.errors import require
from lib.portable.explicit import Flow, flow_from, flow_to, slope_in_s
from lib.portable.numbers import exp, log
from lib.portable.primitives import Matrix, Vector, floor, inf, nan, sqrt, zero_matrix, zeros
from lib.portable.quadrature import gauss_places, gauss_weights
from lib.portable.stiff import stiff_flow_to

CELLS = 256  # of the table of P(w' < w)
PLACES = gauss_places(10)
WEIGHTS = gauss_weights(PLACES)
SHARP = 0.2  # bend of a cubic between two times of a path, as a share of its value, that is too much
FIRST_STEP = 0.3  # in log(1 + t); the flow starts slowly, so the integrator need not feel its way
STIFF = 1000.0  # time from which the two scalars have rates of very different size
RARE = 1e-9  # chance of a place that is left out
WILD = 100.0  # pull away from the query beyond which nothing is computed
LOG_2 = 0.6931471805599453
GAP_INTEGRAL = 0.1931471805599453  # int_0^inf du / (1 + e^u)^2 = log 2 - 1/2


@dataclass
class Law:
    """The law of inner products in dimension d, and room to compute in."""

    d: int
    N: int
    cumulated: Vector  # (CELLS + 1,) P(w' < w) at w = -1 + 2 i / CELLS
    lowest: float  # w below which the largest is with a chance of 1e-7 at the most
    whole: float  # integral of `raw`
    room: Matrix  # (6, places)
    slopes: Vector  # (3,) loss and its two slopes, as computed last


def power(x: float, n: int) -> float:
    """x to the whole number n >= 0, by squares."""
    result = 1.0
    square = x
    left = n
    while left > 0:
        if left // 2 * 2 < left:
            result = result * square
        square = square * square
        left = left // 2
    return result


def raw(w: float, d: int) -> float:
    """The density of w in dimension d >= 2, but for its normaliser: (1 - w^2)^(d-2) (1 - w^2 / 4)^((d-3)/2)."""
    shape = sqrt(1.0 - 0.25 * w * w)
    if d == 2:
        return 1.0 / shape
    return power(1.0 - w * w, d - 2) * power(shape, d - 3)


def product_at(w: float) -> float:
    """The inner product z = w (3 - w^2) / 2."""
    return 0.5 * w * (3.0 - w * w)


def place_of(z: float) -> float:
    """The w in [-1, 1] of an inner product, by halves."""
    low = -1.0
    high = 1.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        if product_at(middle) < z:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def law_of(d: int, N: int) -> Law:
    """The law for dimension d >= 2 and N >= 1 examples."""
    cumulated = zeros(CELLS + 1)
    side = 2.0 / float(CELLS)
    total = 0.0
    for i in range(CELLS):
        for k in range(4):  # Gauss's rule with four places, by symmetry two pairs
            near = 0.06943184420297371 if k < 2 else 0.33000947820757187
            weight = 0.17392742256872692 if k < 2 else 0.3260725774312731
            share = near if k // 2 * 2 == k else 1.0 - near
            total += side * weight * raw(-1.0 + side * (float(i) + share), d)
        cumulated[i + 1] = total
    first_cell = 0
    for i in range(CELLS + 1):
        cumulated[i] = cumulated[i] / total
        if power(cumulated[i], N) < 1e-7:
            first_cell = i
    lowest = -1.0 + side * float(first_cell)
    return Law(d, N, cumulated, lowest, total, zero_matrix(6, len(PLACES)), zeros(3))


def share_below(law: Law, w: float) -> float:
    """P(w' < w), between the places of the table by a cubic with the right slopes."""
    place = 0.5 * (w + 1.0) * float(CELLS)
    i = max(0, min(CELLS - 1, floor(place)))
    u = place - float(i)
    side = 2.0 / float(CELLS)
    left = -1.0 + side * float(i)
    a = side * raw(left, law.d) / law.whole
    b = side * raw(left + side, law.d) / law.whole
    rise = law.cumulated[i + 1] - law.cumulated[i]
    return law.cumulated[i] + u * (a + u * (3.0 * rise - 2.0 * a - b + u * (a + b - 2.0 * rise)))


def add_largest(law: Law, w: float, weight: float, xi1: float, xi2: float) -> None:
    """Add to `law.slopes` what prompts whose largest inner product is at w give, times the weight.

    Their expectation given w, the s-integral of the head of this file; the two slopes are its derivatives.
    """
    N = law.N
    below = share_below(law, w)
    own = 1.0 - product_at(w)
    exponent = xi1 * own - xi2
    c = exp(min(exponent, 600.0))
    a, v, av, aav, e, gap = law.room[0], law.room[1], law.room[2], law.room[3], law.room[4], law.room[5]
    # others farther than 18 / xi1 get no attention
    across = w + 1.0
    if xi1 * (1.0 - own + 1.0) > 18.0:
        across = w - place_of(product_at(w) - 18.0 / xi1)
    top = 1.0 if xi1 >= 0.0 else exp(-xi1 * (2.0 - own))
    most = 1.0 + c + float(N - 1) * top
    s = 1.0 / (64.0 * most)
    for i in range(len(a)):
        t = PLACES[i]
        y = across * t * t
        gap[i] = 0.5 * y * (3.0 * (1.0 - w * w) + y * (3.0 * w - y))  # z(w) - z(w - y)
        a[i] = exp(-xi1 * gap[i])
        v[i] = 2.0 * across * t * WEIGHTS[i] * raw(w - y, law.d) / (law.whole * max(below, 1e-300))
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
        for i in range(len(a)):
            kept += v[i] * (1.0 - e[i])
            chi += aav[i] * e[i]
            kept_1 += av[i] * gap[i] * e[i]
            chi_1 += (s * a[i] - 2.0) * aav[i] * gap[i] * e[i]
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
    """Add to `law.slopes` the prompts whose largest inner product lies at w between low and high."""
    if high - low < 1e-12:
        return
    for i in range(len(PLACES)):
        w = low + (high - low) * PLACES[i]
        chance = float(law.N) * power(share_below(law, w), law.N - 1) * raw(w, law.d) / law.whole
        weight = (high - low) * WEIGHTS[i] * chance
        if weight > RARE:
            add_largest(law, w, weight, xi1, xi2)


def loss_and_slopes(law: Law, xi1: float, xi2: float) -> None:
    """Put the reduced loss at (xi1, xi2), and its derivatives in both, into `law.slopes`.

    For large xi1 the query turns from others to itself within 1 / xi1 around 1 - z_* = xi2 / xi1; that has a part of
    its own.
    """
    for k in range(3):
        law.slopes[k] = 0.0
    if not (xi1 > -WILD and xi1 < 1e6):  # a trial step that went wild: its sums would take a thousand doublings
        law.slopes[0] = nan
        law.slopes[1] = nan
        law.slopes[2] = nan
        return
    low = law.lowest
    middle = 0.5 * (low + 1.0)
    if xi1 < 12.0:
        add_part(law, low, middle, xi1, xi2)
        add_part(law, middle, 1.0, xi1, xi2)
        return
    edge = 1.0 - xi2 / xi1
    wide = 9.0 / xi1
    a = max(low, place_of(edge - wide))
    b = max(low, place_of(edge))
    c = max(low, place_of(edge + wide))
    if c < middle:
        c = middle
    add_part(law, low, a, xi1, xi2)
    add_part(law, a, b, xi1, xi2)
    add_part(law, b, c, xi1, xi2)
    add_part(law, c, 1.0, xi1, xi2)


def descent(t: float, y: Vector, out: Vector, law: Law) -> None:
    """The reduced flow at y = (xi1, xi2): minus the slopes, that of xi1 divided by d. It does not depend on t."""
    loss_and_slopes(law, y[0], y[1])
    out[0] = -law.slopes[1] / float(law.d)
    out[1] = -law.slopes[2]


def follow(end: float, flow: Flow, law: Law, tolerance: float) -> None:
    """The reduced flow to time `end`: explicit while it leaves its start, later with the stiff integrator."""
    flow.steady = True
    if end <= STIFF:
        flow_to(end, flow, descent, law, tolerance)
    else:
        stiff_flow_to(end, flow, descent, law, 4.0 * tolerance)


def look(flow: Flow, law: Law) -> None:
    """Put the loss where the flow is, and its derivatives, into `law.slopes`, and dy/ds into `flow.slopes[0]`."""
    slope_in_s(flow.s, flow.y, flow.slopes[0], descent, law)
    flow.known = True


def path(law: Law, xi1: float, xi2: float, times: Vector, tolerance: float) -> tuple[Vector, Vector, Vector]:
    """The reduced flow from (xi1, xi2) at time 0.

    The flow is followed to every third time; between two of these stands the cubic in log(1 + t) that has the right
    values and slopes at both, and where that bends much, the flow from the first.

    Args:
        law: of d and N.
        xi1, xi2: the start; the paper's is (0, sigma).
        times: (K,) growing times t = learning rate times steps, the first of them 0; K = 1, 4, 7 and so on.
        tolerance: of the explicit integrator; the stiff one gets four times as much, and stays as near (tests).

    Returns:
        xi1, xi2, loss, each (K,); NaN from where the flow fails.

    Raises:
        InputError: if there is another number of times.
    """
    count = len(times)
    require((count - 1) // 3 * 3 == count - 1, "times", "1, 4, 7 ... of them", count)
    found, rise = zero_matrix(3, count), zero_matrix(3, count)
    y = zeros(2)
    y[0] = xi1
    y[1] = xi2
    flow = flow_from(0.0, y)
    flow.h = FIRST_STEP
    for i in range(0, count, 3):
        follow(times[i], flow, law, tolerance)
        look(flow, law)
        for k in range(2):
            found[k][i] = nan if flow.failed else flow.y[k]
            rise[k][i] = flow.slopes[0][k]
        found[2][i] = nan if flow.failed else law.slopes[0]
        rise[2][i] = law.slopes[1] * rise[0][i] + law.slopes[2] * rise[1][i]
    for before in range(0, count - 1, 3):
        between(times, found, rise, before, law, tolerance)
    return found[0], found[1], found[2]


def between(times: Vector, found: Matrix, rise: Matrix, before: int, law: Law, tolerance: float) -> None:
    """Fill in the two times of a path after number `before`, at which it is known, as it is three times later."""
    after = before + 3
    start = log(1.0 + times[before])
    wide = log(1.0 + times[after]) - start
    sharp = False
    for i in range(before + 1, after):
        u = (log(1.0 + times[i]) - start) / wide
        for k in range(3):
            row = found[k]
            across = row[after] - row[before]
            a = wide * rise[k][before] - across
            b = across - wide * rise[k][after]
            row[i] = row[before] + u * (across + (1.0 - u) * (a * (1.0 - u) + b * u))
            if abs(a - b) > SHARP * abs(row[i]):
                sharp = True
    if sharp:
        y = zeros(2)
        y[0] = found[0][before]
        y[1] = found[1][before]
        part = flow_from(times[before], y)
        part.h = wide / 3.0
        for i in range(before + 1, after):
            follow(times[i], part, law, tolerance)
            look(part, law)
            found[0][i] = part.y[0]
            found[1][i] = part.y[1]
            found[2][i] = law.slopes[0]


def log_times(end: float, count: int) -> Vector:
    """(count,) times from 0 to `end`: 0, then growing by a constant factor from 1."""
    times = zeros(count)
    for i in range(1, count):
        times[i] = exp(log(end) * float(i - 1) / float(count - 2))
    times[count - 1] = end
    return times


def gap_density(law: Law) -> float:
    """kappa: the density at 0 of the gap between the two largest inner products; infinite for d = 2, 0 for N = 1.

    kappa = N (N - 1) int f^2 F^(N-2) dz.
    """
    if law.d == 2:
        return inf
    result = 0.0
    for part in range(16):
        for i in range(len(PLACES)):
            w = -1.0 + 0.125 * (float(part) + PLACES[i])
            p = raw(w, law.d) / law.whole
            result += 0.125 * WEIGHTS[i] * p * p / (1.5 * (1.0 - w * w)) * power(share_below(law, w), max(law.N - 2, 0))
    return float(law.N) * float(law.N - 1) * result


def nearest_mean(law: Law) -> float:
    """E z_*, the mean of the largest inner product."""
    result = 0.0
    wide = 0.125 * (1.0 - law.lowest)
    for part in range(8):
        for i in range(len(PLACES)):
            w = law.lowest + wide * (float(part) + PLACES[i])
            chance = float(law.N) * power(share_below(law, w), law.N - 1) * raw(w, law.d) / law.whole
            result += wide * WEIGHTS[i] * chance * product_at(w)
    return result


def late_xi1(t: float, kappa: float, d: int) -> float:
    """The late law xi1 = (3 kappa (log 2 - 1/2) t / d)^(1/3), for t > 0."""
    return exp(log(3.0 * kappa * GAP_INTEGRAL * t / float(d)) / 3.0) if t > 0.0 and kappa > 0.0 else nan


def late_loss(xi1: float, kappa: float) -> float:
    """The late loss kappa (log 2 - 1/2) / xi1, for xi1 > 0."""
    return kappa * GAP_INTEGRAL / xi1 if xi1 > 0.0 else nan


def bound(law: Law, xi1: float, xi2: float, delta: float) -> float:
    """A bound of the loss of prompts with separation delta: E min(2, 2 N exp(-xi1 delta / 2) + q_0)^2 / 2.

    q_0 <= min(1, exp(xi1 (1 - z_*) - xi2)). Source: the pointwise bound behind the theorem on distribution shift.
    """
    others = 2.0 * float(law.N) * exp(-0.5 * xi1 * delta)
    result = 0.0
    wide = 0.125 * (1.0 - law.lowest)
    for part in range(8):
        for i in range(len(PLACES)):
            w = law.lowest + wide * (float(part) + PLACES[i])
            chance = float(law.N) * power(share_below(law, w), law.N - 1) * raw(w, law.d) / law.whole
            wrong = min(2.0, others + exp(min(0.0, xi1 * (1.0 - product_at(w)) - xi2)))
            result += wide * WEIGHTS[i] * chance * 0.5 * wrong * wrong
    return result
