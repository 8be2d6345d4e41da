"""The law of inner products on the sphere and the late laws: densities, the nearest of N, how close the next one comes.

Chapter `one_nn`. Source: Li et al. (2024), arXiv 2411.10830, the setting. An inner product z in dimension d is written
z = w (3 - w^2) / 2: in w its density has no pole, not for d = 2 either. The laws of late training are beyond the paper
and derived in the chapter. `sphere` has the law by the incomplete beta function, `ends` the late laws over arrays.
"""

from dataclasses import dataclass

from lib.portable.numbers import exp, log
from lib.portable.primitives import Matrix, Vector, divide, floor, inf, nan, sqrt, zero_matrix, zeros
from lib.portable.quadrature import gauss_places, gauss_weights

GAP_INTEGRAL = 0.1931471805599453  # int_0^inf du / (1 + e^u)^2 = log 2 - 1/2, the share of a gap's loss; no unit
CELLS = 256  # of the table of P(w' < w)
PLACES = gauss_places(10)
WEIGHTS = gauss_weights(PLACES)


@dataclass
class Law:
    """The law of inner products in dimension d, and room to compute in."""

    d: int
    N: int
    cumulated: Vector  # (CELLS + 1,) P(w' < w) at w = -1 + 2 i / CELLS
    lowest: float  # w below which the largest is with a chance of 1e-7 at the most
    whole: float  # integral of `raw`
    places: Vector  # of the quadrature of the reduced loss
    weights: Vector
    steep: bool  # whether its slopes are wanted, not the loss alone
    room: Matrix  # (6, places)
    slopes: Vector  # (3,) loss and its two slopes, as computed last


def power(x: float, n: int) -> float:
    """x to the whole number n >= 0, by squares. Source: repeated squaring."""
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
    """The density of w in dimension d >= 2, but for its normaliser: (1 - w^2)^(d-2) (1 - w^2 / 4)^((d-3)/2).

    Source: beyond the paper; the density of z is proportional to (1 - z^2)^((d-3)/2).
    """
    shape = sqrt(1.0 - 0.25 * w * w)
    if d == 2:
        return 1.0 / shape
    return power(1.0 - w * w, d - 2) * power(shape, d - 3)


def product_at(w: float) -> float:
    """The inner product z = w (3 - w^2) / 2."""
    return 0.5 * w * (3.0 - w * w)


def place_of(z: float) -> float:
    """The w in [-1, 1] of an inner product, by halves. Source: beyond the paper, the inverse of `product_at`."""
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
    """The law for dimension d >= 2 and N >= 1 examples. Source: arXiv 2411.10830, the setting: uniform points."""
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
    return Law(
        d=d, N=N, cumulated=cumulated, lowest=lowest, whole=total, places=PLACES, weights=WEIGHTS, steep=True,
        room=zero_matrix(6, len(PLACES)), slopes=zeros(3),
    )  # fmt: skip


def share_below(law: Law, w: float) -> float:
    """P(w' < w), by cubics with the right slopes between places of the table."""
    place = 0.5 * (w + 1.0) * float(CELLS)
    i = max(0, min(CELLS - 1, floor(place)))
    u = place - float(i)
    side = 2.0 / float(CELLS)
    left = -1.0 + side * float(i)
    a = side * raw(left, law.d) / law.whole
    b = side * raw(left + side, law.d) / law.whole
    rise = law.cumulated[i + 1] - law.cumulated[i]
    return law.cumulated[i] + u * (a + u * (3.0 * rise - 2.0 * a - b + u * (a + b - 2.0 * rise)))


def nearest_density(law: Law, w: float) -> float:
    """The density, in w, of the largest of the N inner products. Source: arXiv 2411.10830, the setting: N F^(N-1) f."""
    return float(law.N) * power(share_below(law, w), law.N - 1) * raw(w, law.d) / law.whole


def hazard(law: Law, z: float) -> float:
    """f_* / F_* = N f / F of the largest inner product at z, -1 < z < 1; infinite from -1 down and where F is 0."""
    if z <= -1.0:
        return inf
    w = place_of(z)
    return divide(float(law.N) * raw(w, law.d), law.whole * share_below(law, w) * 1.5 * (1.0 - w * w))


def gap_density(law: Law) -> float:
    """kappa: the density at 0 of the gap between the two largest inner products; infinite for d = 2, 0 for N = 1.

    Source: beyond the paper: kappa = N (N - 1) int f^2 F^(N-2) dz.
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


def late_xi1(t: float, kappa: float, d: int, ratio: float) -> float:
    """The late law xi_1 = (3 kappa (log 2 - 1/2) t / (d + r^2))^(1/3), with kappa the density of the gap at 0.

    The ratio r = xi_2 / xi_1 moves slowly, to 2 from below. NaN unless t, learning rate times steps, and the finite
    kappa are above 0.
    """
    known = t > 0.0 and kappa > 0.0
    return exp(log(3.0 * kappa * GAP_INTEGRAL * t / (float(d) + ratio * ratio)) / 3.0) if known else nan


def late_loss(xi1: float, kappa: float, d: int, ratio: float, hazard: float) -> float:
    """The late loss kappa (log 2 - 1/2) / xi_1 (1 + r / ((d + r^2) lambda)); NaN unless xi_1 is above 0.

    The first term is that of near ties, the second that of queries which see themselves, those with 1 - z_* above the
    ratio r; lambda = f_* / F_* at 1 - r, the `hazard`, is infinite where there are none. Squared error with the factor
    1/2.
    """
    seen = divide(ratio, (float(d) + ratio * ratio) * hazard)
    return kappa * GAP_INTEGRAL / xi1 * (1.0 + seen) if xi1 > 0.0 else nan


def pull_of_others(xi1: float, N: int, delta: float) -> float:
    """2 N e^(-xi_1 delta / 2): by how much examples with another label can move the answer, for labels up to 1.

    Source: arXiv 2411.10830, the theorem on distribution shift.
    """
    return 2.0 * float(N) * exp(-0.5 * xi1 * delta)


def own_weight(xi1: float, xi2: float, nearest: float) -> float:
    """e^(xi_1 (1 - z_*) - xi_2): the query's own weight over that of the nearest example, which bounds q_0.

    Source: arXiv 2411.10830, the theorem on distribution shift.
    """
    return exp(xi1 * (1.0 - nearest) - xi2)
