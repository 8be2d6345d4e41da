"""Arrows from step to step of two scalars, and every second step, for a picture; plain Python.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638, see `portable_trap`.
"""

from lib.portable.primitives import Matrix, Vector, nan, sqrt, zero_matrix, zeros

HEAD = 10.0  # pixels of an arrow's head
CORNERS = 6  # of an arrow: its ends, the two sides of its head with the tip between them, a gap


def arrows(x: Vector, y: Vector, count: int, low: float, across: float, deep: float) -> Matrix:
    """Lines with a head between the first places, as far as the picture goes.

    Args:
        x, y: the places (at least count + 1,).
        count: how many arrows.
        low: the lower edge of the picture; an arrow to a place below it ends there.
        across, deep: pixels of a unit of x and of y.

    Returns:
        (2, 6 count): x and y of the corners, NaN after each arrow.

    Source: our own.
    """
    found = zero_matrix(2, CORNERS * count)
    for i in range(count):
        part = (low - y[i]) / (y[i + 1] - y[i]) if y[i + 1] < low else 1.0
        wide, high = across * part * (x[i + 1] - x[i]), deep * part * (y[i + 1] - y[i])
        size = max(sqrt(wide * wide + high * high), HEAD)
        for k in range(CORNERS):
            side = 1.0 if k == 2 else -1.0
            back = HEAD / size if k == 2 or k == 4 else 0.0
            on = 0.0 if k == 0 else part
            found[0][CORNERS * i + k] = (
                x[i] + on * (x[i + 1] - x[i]) - back * (0.9 * wide + 0.45 * side * high) / across
            )
            found[1][CORNERS * i + k] = y[i] + on * (y[i + 1] - y[i]) - back * (0.9 * high - 0.45 * side * wide) / deep
        found[0][CORNERS * i + 5] = nan
    return found


def second(values: Vector, first: int) -> Vector:
    """Every second one of them, from the given one onwards. Source: our own."""
    found = zeros((len(values) - first + 1) // 2)
    for i in range(len(found)):
        found[i] = values[first + 2 * i]
    return found
