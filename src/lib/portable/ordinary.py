"""What a reader's `math`, `numpy` and `**` are, in the page and in Python: plain arithmetic, the same bits everywhere.

Numbers and lists of them come in, numbers go out; `lib.portable.python.run_bound` puts these in the places of Python's
own, which differ by the last bit from machine to machine.
"""

from builtins import abs, max, min, round  # noqa: UP029  # as np.abs(x)

from lib.errors import require
from lib.portable.numbers import exp, log
from lib.portable.primitives import Vector, divide, floor, floored, inf, nan, sqrt

__all__ = ["abs", "exp", "floor", "inf", "log", "max", "min", "nan", "round", "sqrt"]

pi = 3.141592653589793
e = 2.718281828459045


def whole_power(x: int, n: int) -> int:
    """x to the n, at least 0: whole numbers."""
    require(n >= 0, "**", "a power of at least 0 of a whole number; write 2.0 ** n", n)
    result = 1
    for _ in range(n):
        result = result * x
    return result


def pow(x: float, y: float) -> float:
    """x to the y: whole powers by squaring, 0.5 by the square root, others through exp and log."""
    if y == 0.5:
        return sqrt(x)
    if not abs(y) < 1e9 or y != floored(y):
        return exp(y * log(x))
    result, base, left = 1.0, x, floor(abs(y))
    while left > 0:
        if left - left // 2 * 2 == 1:
            result = result * base
        left = left // 2
        if left > 0:
            base = base * base
    return divide(1.0, result) if y < 0.0 else result


def ceil(x: float) -> int:
    """The least whole number that is not below x."""
    return -floor(-x)


def fabs(x: float) -> float:
    """x without its sign."""
    return abs(x)


def sign(x: float) -> float:
    """1, 0 or -1, as x is."""
    return 1.0 if x > 0.0 else -1.0 if x < 0.0 else x * 0.0


def maximum(a: float, b: float) -> float:
    """The larger one, the first of equals."""
    return max(a, b)


def minimum(a: float, b: float) -> float:
    """The smaller one, the first of equals."""
    return min(a, b)


def clip(x: float, low: float, high: float) -> float:
    """x, or the end of low to high that it is beyond."""
    return min(max(x, low), high)


def tanh(x: float) -> float:
    """The hyperbolic tangent."""
    small = exp(-2.0 * abs(x))
    return (1.0 - small) / (1.0 + small) * (-1.0 if x < 0.0 else 1.0)


def sum(values: Vector) -> float:
    """The sum, added from the first to the last."""
    total = 0.0
    for k in range(len(values)):
        total += values[k]
    return total


def mean(values: Vector) -> float:
    """The sum over the number of entries."""
    return sum(values) / float(len(values))
