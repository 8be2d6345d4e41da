"""Near ties: how large the gap behind the nearest is, and what the two nearest cost.

Chapter `one_nn`, beyond the paper (Li et al. 2024, arXiv 2411.10830); the late law of the chapter is its limit.
"""

from lib.portable.numbers import exp
from lib.portable.primitives import Vector, zeros
from lib.theory.one_nn.portable import (
    PLACES,
    WEIGHTS,
    Law,
    place_of,
    power,
    product_at,
    raw,
    share_below,
)

PARTS = 12  # of the quadrature over the second inner product
WIDEST = 2.0  # gap there is


def density_of_gap(law: Law, gap: float) -> float:
    """How often the two largest of N inner products are so far apart: N (N - 1) int f(z) f(z + gap) F(z)^(N - 2) dz.

    With w, z = w (3 - w^2) / 2, in place of z the integrand has no pole. For dimension d >= 3, N >= 2 and a gap from 0
    to 2; at 0 it is kappa, the `gap_density`.

    Source: beyond the paper; the joint law of two order statistics.
    """
    result = 0.0
    top = place_of(1.0 - gap) if gap > 0.0 else 1.0
    side = (top + 1.0) / float(PARTS)
    for part in range(PARTS):
        for i in range(len(PLACES)):
            w = -1.0 + side * (float(part) + PLACES[i])
            above = place_of(product_at(w) + gap) if gap > 0.0 else w
            slope = 1.5 * (1.0 - above * above)
            if slope > 1e-9:
                density = raw(above, law.d) / (law.whole * slope)
                result += (
                    side * WEIGHTS[i] * raw(w, law.d) / law.whole * density * power(share_below(law, w), law.N - 2)
                )
    return float(law.N) * float(law.N - 1) * result


def near_ties(law: Law, xi1: float, count: int) -> tuple[Vector, Vector, Vector, float]:
    """Gaps from 0 to 0.9, and of each how often it is and what it costs.

    A prompt whose second example stands a gap behind costs 1 / (1 + e^(xi1 gap))^2 in the mean over fair labels, by the
    two nearest alone: (1 - f)^2 / 2 is 2 / (1 + e^(xi1 gap))^2 where the labels differ, which is in half of them.

    Args:
        law: of d >= 3 and N >= 2.
        xi1: pull, above 0.
        count: of gaps.

    Returns:
        gaps (count,); the density of the gap there (count,), per unit of inner product; the cost (count,) as a share
        of that at a tie, 1/4; and the loss over all gaps from 0 to 2, squared error with the factor 1/2.
    """
    gap, often, cost = zeros(count), zeros(count), zeros(count)
    for i in range(count):
        gap[i] = 0.9 * float(i) / float(count - 1)
        often[i] = density_of_gap(law, gap[i])
        cost[i] = 4.0 * price(xi1 * gap[i])
    whole, low = 0.0, 0.0
    # parts that grow with the gap, from a width of 1 / xi1 on
    wide = min(0.5 / xi1, 0.1)
    while low < WIDEST:
        high = min(WIDEST, low + wide)
        for i in range(len(PLACES)):
            x = low + (high - low) * PLACES[i]
            whole += (high - low) * WEIGHTS[i] * density_of_gap(law, x) * price(xi1 * x)
        low = high
        wide *= 2.0
    return gap, often, cost, whole


def price(u: float) -> float:
    """1 / (1 + e^u)^2 for u >= 0: what a gap of u / xi1 costs."""
    share = exp(-u) / (1.0 + exp(-u))
    return share * share
