"""Parts of vectors and matrices along u, the direction of a prior mean of equal entries, and across it; portable.

Chapter `linear_block`. Source: ours.
"""

from lib.portable.primitives import Matrix, Vector, divide, sqrt
from lib.portable.vectors import total


def mean_part(values: Vector) -> float:
    """What of a vector (d,) lies along u."""
    return total(values) / sqrt(float(len(values)))


def along(Q: Matrix) -> float:
    """u'Q u."""
    whole = 0.0
    for i in range(len(Q)):
        whole += total(Q[i])
    return whole / float(len(Q))


def across(Q: Matrix) -> float:
    """The mean of w'Q w over the directions w across u; not a number for one feature, which has none."""
    trace = 0.0
    for i in range(len(Q)):
        trace += Q[i][i]
    return divide(trace - along(Q), float(len(Q) - 1))
