"""The few sums over arrays that models and optimisers share, from left to right: one order, one result everywhere."""

from __future__ import annotations

from lib.portable.primitives import Matrix, Vector


def fill(values: Vector, x: float) -> None:
    """Set every entry to x."""
    for i in range(len(values)):
        values[i] = x


def fill_rows(rows: Matrix, x: float) -> None:
    """Set every entry of every row to x."""
    for r in range(len(rows)):
        fill(rows[r], x)


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
    result = values[0]
    for i in range(1, len(values)):
        result = max(result, values[i])
    return result


def smallest(values: Vector) -> float:
    """The smallest entry."""
    result = values[0]
    for i in range(1, len(values)):
        result = min(result, values[i])
    return result


def reflect(values: Vector, centre: float) -> None:
    """Put every entry as far on the other side of the centre."""
    for i in range(len(values)):
        values[i] = 2.0 * centre - values[i]


def drop_below(values: Vector, level: float) -> None:
    """Set the entries below the level to 0."""
    for i in range(len(values)):
        if values[i] < level:
            values[i] = 0.0
