"""What a textbook run measures of its matrix: the nearest member of the family, and what is beside it.

Chapter `one_nn`. Source: arXiv 2411.10830, the structure W = diag(xi_1 I, 0, -xi_2). The measures are those of
`lib.models.one_nn.dense`.
"""

from lib.portable.primitives import Matrix, nan, sqrt


def as_pair(W: Matrix) -> tuple[float, float]:
    """The two numbers of the nearest matrix of the family: xi_1 = tr W_11 / d, xi_2 = -W_33."""
    d = len(W) - 2
    trace = 0.0
    for a in range(d):
        trace += W[a][a]
    return trace / float(d), -W[d + 1][d + 1]


def off_family(W: Matrix) -> float:
    """Norm of what W has beside diag(xi_1 I, 0, -xi_2), over the norm of W; NaN where W = 0."""
    xi1, xi2 = as_pair(W)
    square = 0.0
    for a in range(len(W)):
        for b in range(len(W)):
            square += W[a][b] * W[a][b]
    beside = max(0.0, square - float(len(W) - 2) * xi1 * xi1 - xi2 * xi2)
    return sqrt(beside / square) if square > 0.0 else nan
