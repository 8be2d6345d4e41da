"""What portable code is made of besides arithmetic: the few functions that Python and the page each have their own of.

Every name here has its JavaScript counterpart in `js/rules.js`; the tests hold the two together. Arrays are lists in
Python and typed arrays in the page.
"""

import json
import math
from ctypes import c_float
from math import floor, inf, nan
from pathlib import Path
from typing import Any, TypeVar

from lib.errors import require

__all__ = [
    "Matrix", "Readings", "Table", "Vector", "Wholes", "copy", "divide", "first", "floor", "floored", "inf", "nan",
    "recorded", "remainder", "single", "sqrt", "whole_table", "whole_zeros", "zero_matrix", "zeros",
]  # fmt: skip

Vector = list[float]  #: numbers; a Float64Array in the page
Wholes = list[int]  #: whole numbers between -2**31 and 2**31 - 1; an Int32Array in the page
Matrix = list[list[float]]  #: rows, each a Vector
Table = list[list[int]]  #: rows, each a Wholes
Readings = dict[str, list[float]]  #: what a run shows: a name, and its Vector

Values = TypeVar("Values", list[float], list[int])
Numbers = TypeVar("Numbers", list[float], list[int], list[list[float]], list[list[int]])


def zeros(count: int) -> Vector:
    """A Vector of `count` zeros."""
    return [0.0] * count


def whole_zeros(count: int) -> Wholes:
    """`count` whole zeros."""
    return [0] * count


def zero_matrix(rows: int, columns: int) -> Matrix:
    """A Matrix of zeros, `rows` Vectors of `columns` numbers."""
    return [[0.0] * columns for _ in range(rows)]


def whole_table(rows: int, columns: int) -> Table:
    """`rows` rows of `columns` whole zeros."""
    return [[0] * columns for _ in range(rows)]


def copy(values: Values) -> Values:
    """The same numbers in an array of their own."""
    return values[:]


def first(values: Vector, count: int) -> Vector:
    """The first `count` numbers, in an array of their own."""
    return values[:count]


def sqrt(x: float) -> float:
    """The square root, exact to the last bit; not a number for x < 0, where Python's own raises."""
    return math.sqrt(x) if x >= 0.0 else nan


def floored(x: float) -> float:
    """floor(x) as a float, and -0.0 as it is: in the page `float(floor(x))` costs more, which makes a 0 of it."""
    return float(floor(x)) if x else x


def divide(x: float, y: float) -> float:
    """x / y where y may be zero: infinite, or not a number for 0 / 0. Everywhere else write `x / y`."""
    if y == 0.0:
        return nan if x == 0.0 or x != x else math.copysign(inf, x) * math.copysign(1.0, y)
    return x / y


def single(x: float) -> float:
    """x rounded to single precision (IEEE 754 binary32), halves to even; infinite from 2**128 - 2**103 on."""
    return c_float(x).value


def remainder(a: int, b: int) -> int:
    """What is left of `a`, at least 0, after taking out `b`, at least 1; below that the two languages disagree."""
    require(a >= 0, "a", "a whole number of at least 0", a)
    require(b >= 1, "b", "a whole number of at least 1", b)
    return a % b


def recorded(kind: type[Numbers], file: str, key: str) -> Numbers:
    """Numbers of a record, which stand in the page as they stand there: TABLE = recorded(Vector, "hal/a.json", "b").

    The kind is Vector, Wholes, Matrix or Table; the file one of `lib` or `hal`; the key of an object within another
    stands after a dot, "b.c". What is missing, or another kind of numbers, is refused.
    """
    found = numbers_at(f"{file}#{key}")
    rows, whole = kind in (Matrix, Table), kind in (Wholes, Table)
    good = isinstance(found, list) and (not rows or all(isinstance(row, list) for row in found))
    require(good, "recorded", f"a file with {'rows of ' if rows else ''}numbers {key}", file)

    def number(value: Any) -> Any:
        fits = type(value) is int if whole else type(value) in (int, float) and math.isfinite(value)
        require(fits, key, "whole numbers" if whole else "numbers", value)
        return value if whole else float(value)

    made: Any = [[number(x) for x in row] for row in found] if rows else [number(x) for x in found]
    return made


def numbers_at(name: str) -> Any:
    """What stands in a JSON file, "hal/a.json#b.c"; None if nothing does."""
    file, _, key = name.partition("#")
    path = Path(__file__).parents[2] / file
    found = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
    for part in key.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return found
