"""Functions that a reader's own Python may use: those of `math` and `numpy` on numbers, and powers, in plain arithmetic.

In the page `math.exp(x)`, `np.tanh(x)` and `x ** y` are these; Python's own differ by the last bit from machine to
machine. `lib.portable.python.bound` puts these in their places in Python too. All take and give numbers.
"""

from lib.errors import require
from lib.portable.numbers import exp, log
from lib.portable.primitives import divide, floor, floored, sqrt

__all__ = ["exp", "log"]

pi = 3.141592653589793
e = 2.718281828459045


def whole_power(x: int, n: int) -> int:
    """x to the n, at least 0: whole numbers."""
    require(n >= 0, "**", "a power of at least 0 of a whole number; write 2.0 ** n", n)
    result, base, left = 1, x, n
    while left > 0:
        if left - left // 2 * 2 == 1:
            result = result * base
        left = left // 2
        if left > 0:
            base = base * base
    return result


def power(x: float, y: float) -> float:
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


def square(x: float) -> float:
    """x times x."""
    return x * x


def ceil(x: float) -> int:
    """The least whole number that is not below x."""
    return -floor(-x)


def sign(x: float) -> float:
    """1, 0 or -1, as x is."""
    return 1.0 if x > 0.0 else -1.0 if x < 0.0 else x * 0.0


def clip(x: float, low: float, high: float) -> float:
    """x, or the end of low to high that it is beyond."""
    return min(max(x, low), high)


def tanh(x: float) -> float:
    """The hyperbolic tangent."""
    small = exp(-2.0 * abs(x))
    return (1.0 - small) / (1.0 + small) * (-1.0 if x < 0.0 else 1.0)


def cosh(x: float) -> float:
    """The hyperbolic cosine."""
    return 0.5 * (exp(x) + exp(-x))


def log2(x: float) -> float:
    """The logarithm to base 2."""
    return log(x) / 0.6931471805599453


def log10(x: float) -> float:
    """The logarithm to base 10."""
    return log(x) / 2.302585092994046
