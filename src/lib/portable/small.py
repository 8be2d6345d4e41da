"""exp(x) - 1 and log(1 + x) with all their digits where x is small; the same bits in Python and in every browser.

Source: W. Kahan's way to make up for the digits that 1 + x and exp(x) lose (HP-15C Advanced Functions Handbook, 1982).
"""

from lib.portable.numbers import exp, log
from lib.portable.primitives import inf


def expm1(x: float) -> float:
    """e to the x, less 1; infinite above 709.78, -1 far below 0."""
    raised = exp(x)
    if raised == 1.0 or x != x:
        return x
    less = raised - 1.0
    if less == -1.0 or raised == inf:
        return less
    return less * x / log(raised)


def log1p(x: float) -> float:
    """The natural logarithm of 1 + x; minus infinity at -1, not a number below."""
    more = 1.0 + x
    if more == 1.0:
        return x
    if more == inf or not more > 0.0:
        return log(more)
    return log(more) * x / (more - 1.0)
