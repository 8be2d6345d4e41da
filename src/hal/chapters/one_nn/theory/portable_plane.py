"""The plane of the two numbers as a picture of it needs it: the loss on a grid that is even in asinh of both.

Chapter `one_nn`, beyond the paper (Li et al. 2024, arXiv 2411.10830).
"""

from hal.chapters.one_nn.theory.portable_reduced import loss_and_slopes
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, sqrt, zeros
from lib.theory.one_nn.portable import Law

LOWEST_PULL = -2.0  # of xi_1, across
LOWEST_MASK = -9.0  # of xi_2, up
HIGHEST = 40.0  # of both
NEAR = 2.0  # below it the grid is about linear
UNSEEN = 18.0  # of the self-penalty beyond twice the pull, from where on the query does not see itself


def even_places(low: float, high: float, count: int, near: float) -> Vector:
    """(count,) places from low to high that are even in asinh(place / near): linear near 0, logarithmic far from it."""
    out, ends = zeros(count), zeros(2)
    for i in range(2):
        share = (low if i == 0 else high) / near
        size = log(abs(share) + sqrt(share * share + 1.0))
        ends[i] = size if share > 0.0 else -size
    for i in range(count):
        u = ends[0] + (ends[1] - ends[0]) * float(i) / float(count - 1)
        out[i] = 0.5 * near * (exp(u) - exp(-u))
    return out


def loss_plane(law: Law, side: int) -> Readings:
    """The logarithm of the reduced loss on a grid, for a picture that goes on straight lines between its places.

    Args:
        law: of d and N, a rough one will do.
        side: places a side.

    Returns:
        x and y (side,) of the grid, and z (side side,) ln L there, row after row from the lowest.
    """
    x, y = even_places(LOWEST_PULL, HIGHEST, side, NEAR), even_places(LOWEST_MASK, HIGHEST, side, NEAR)
    z = zeros(side * side)
    for j in range(side):
        for i in range(side):
            if j > 0 and y[j - 1] > UNSEEN + 2.0 * max(0.0, x[i]):
                z[j * side + i] = z[(j - 1) * side + i]
            else:
                loss_and_slopes(law, x[i], y[j])
                z[j * side + i] = log(law.slopes[0])
    return {"x": x, "y": y, "z": z}
