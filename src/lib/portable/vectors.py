"""The few sums over arrays that models and optimisers share, from left to right: one order, one result everywhere."""

from lib.portable.primitives import Matrix, Vector, copy, zero_matrix, zeros


def part(values: Vector, start: int, count: int) -> Vector:
    """(count,) the entries from place `start` on, in an array of their own."""
    taken = zeros(count)
    for i in range(count):
        taken[i] = values[start + i]
    return taken


def fill(values: Vector, x: float) -> None:
    """Set every entry to x."""
    for i in range(len(values)):
        values[i] = x


def filled(count: int, x: float) -> Vector:
    """(count,) x."""
    values = zeros(count)
    fill(values, x)
    return values


def scaled(values: Vector, factor: float) -> Vector:
    """A multiple of the values, in an array of its own."""
    found = copy(values)
    scale(found, factor)
    return found


def fill_rows(rows: Matrix, x: float) -> None:
    """Set every entry of every row to x."""
    for r in range(len(rows)):
        fill(rows[r], x)


def numbered(count: int) -> Vector:
    """1, 2 and so on to `count`, as things are counted."""
    numbers = zeros(count)
    for i in range(count):
        numbers[i] = float(i + 1)
    return numbers


def stacked(above: Matrix, below: Matrix) -> Matrix:
    """The rows of both, one list after the other; they are the arrays themselves, not copies."""
    rows = zero_matrix(len(above) + len(below), 0)
    for i in range(len(above)):
        rows[i] = above[i]
    for i in range(len(below)):
        rows[len(above) + i] = below[i]
    return rows


def total(values: Vector) -> float:
    """The sum of the entries."""
    result = 0.0
    for i in range(len(values)):
        result += values[i]
    return result


def dot(a: Vector, b: Vector) -> float:
    """The inner product of two arrays of one length."""
    result = 0.0
    for i in range(len(a)):
        result += a[i] * b[i]
    return result


def add(values: Vector, factor: float, direction: Vector) -> None:
    """Add factor times the direction."""
    for i in range(len(values)):
        values[i] += factor * direction[i]


def scale(values: Vector, factor: float) -> None:
    """Multiply every entry."""
    for i in range(len(values)):
        values[i] *= factor


def largest(values: Vector) -> float:
    """The largest entry."""
    return values[argmax(values)]


def argmax(values: Vector) -> int:
    """The place of the largest entry, the first of several; where the first entry is NaN, that one."""
    best = 0
    for i in range(len(values)):
        if values[i] > values[best]:
            best = i
    return best


def argmin(values: Vector) -> int:
    """The place of the smallest entry, the first of several; where the first entry is NaN, that one."""
    best = 0
    for i in range(len(values)):
        if values[i] < values[best]:
            best = i
    return best


def smallest(values: Vector) -> float:
    """The smallest entry."""
    return values[argmin(values)]


def reflect(values: Vector, centre: float) -> None:
    """Put every entry as far on the other side of the centre."""
    for i in range(len(values)):
        values[i] = 2.0 * centre - values[i]


def drop_below(values: Vector, level: float) -> None:
    """Set the entries below the level to 0."""
    for i in range(len(values)):
        if values[i] < level:
            values[i] = 0.0
