"""What every piece of portable code in these tests begins with: imports, constants, records, functions."""

HEAD = """
from __future__ import annotations
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar
from lib.errors import require
from lib.portable.primitives import Matrix, Readings, Table, Vector, Wholes, copy, divide, first, floor
from lib.portable.primitives import floored, inf, nan, remainder, sqrt, whole_table, whole_zeros, zero_matrix, zeros
from lib.portable.python import python_only

P = TypeVar("P")
Rule = Callable[[float, P], float]
HALF = 0.5
BELOW = -2
TABLE = [1.0, 2.0, 4.0]


class Point(NamedTuple):
    x: float = 1.0
    n: int = 2


@dataclass
class Walk:
    at: Point
    steps: Vector
    count: int
    done: bool


def twice(x: float) -> float:
    return 2.0 * x


def bump(walk: Walk) -> int:
    walk.count += 1
    return walk.count

"""
