"""When a random start leaves the knife edge, by theory, in portable Python: a clock, and how far it has to run.

Chapter `random_walk`. Source: ours, from the model of arXiv 2511.23239, Section 2; the growth is derived in
`lib.theory.random_walk`. Tokens have length 1, a circle has K >= 3 nodes, a walk N = rK + 1, positions have the
length M >= N; learning rate, offset `epsilon` of the loss and deviation `sigma` of the start are above 0.

The clock adds up the logarithms of the growth of every step while the output drifts along the edge. A start has in the
mean score of the r places of each residue, and in the mean value of each shift in the same unit, normal numbers of
deviation sigma / sqrt(r); half of their sum grows, in K - 1 directions: all K but their mean. Attention moves when the
length of what has grown is a nat.
"""

from lib.errors import require
from lib.portable.numbers import log
from lib.portable.primitives import Vector, nan, sqrt, zeros
from lib.theory.random_walk.portable import even_output, growth, on_ridge


def escape_clock(K: int, N: int, M: int, lr: float, steps: int, epsilon: float) -> Vector:
    """The logarithm of the growth of a small difference from the start to each step, (steps + 1,).

    For many steps it is sqrt(2 lr t / (N - 1)): the nodes of the circle do not enter.
    """
    f, clock = even_output(K, steps, lr, epsilon, 0.0), zeros(steps + 1)
    for i in range(steps):
        clock[i + 1] = clock[i] + log(growth(K, N, M, lr, f[i], epsilon, True))
    return clock


def escape_depth(K: int, N: int, sigma: float) -> float:
    """What the clock has to reach: log(sqrt(2r / (K - 1)) / sigma), with r = (N - 1) / K rounds."""
    require(on_ridge(K, N), "N", "a multiple of K, plus 1", N)
    require(sigma > 0.0, "sigma", "a number above 0", sigma)
    return log(sqrt(2.0 * float((N - 1) // K) / float(K - 1)) / sigma)


def escape_step(K: int, N: int, M: int, lr: float, sigma: float, most: int, epsilon: float) -> float:
    """The step at which attention moves, between two steps on a straight line; NaN if it is beyond `most`."""
    depth, clock = escape_depth(K, N, sigma), escape_clock(K, N, M, lr, most, epsilon)
    if depth <= 0.0:
        return 0.0
    for i in range(most):
        if clock[i + 1] >= depth:
            return float(i) + (depth - clock[i]) / (clock[i + 1] - clock[i])
    return nan
