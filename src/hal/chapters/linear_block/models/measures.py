"""Parts of vectors and matrices along a direction (d,) of length sqrt(d), that of the prior mean.

Chapter `linear_block`. Source: ours; portable.
"""

from lib.portable.primitives import Matrix, Vector, sqrt
from lib.portable.vectors import dot


def mean_part(values: Vector, way: Vector) -> float:
    """What of a vector (d,) lies along the direction."""
    return dot(values, way) / sqrt(float(len(values)))


def along(Q: Matrix, way: Vector) -> float:
    """u'Q u for the unit vector u of the direction."""
    whole = 0.0
    for i in range(len(Q)):
        whole += way[i] * dot(Q[i], way)
    return whole / float(len(Q))
