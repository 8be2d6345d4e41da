"""How far a run is from the knife edge, by theory, in portable Python: what the figure of the edge draws.

Chapter `random_walk`. Source: ours, from the model of arXiv 2511.23239, Section 2; derived in
`lib.theory.random_walk`. The distance is the root of the spread of scores times that of the values; a difference
that grows has, of values, sqrt(N - 1)/(K rho) of what it has of scores, with rho = (M + 1)/2. A circle has K >= 3
nodes, a walk N = rK + 1, positions have the length M >= N.
"""

from lib.portable.numbers import exp, log
from lib.portable.primitives import Vector, nan, sqrt
from lib.portable.vectors import filled
from lib.theory.random_walk.portable import even_output, growth, on_ridge

LAST_DIGIT = 1.1e-16  # half of the last digit of a number near 1
NO_DISTANCE = 2e-17  # where a distance of 0 is drawn, on a log axis
SPREAD = 2.5  # of six independent normal numbers, largest less smallest, in deviations; half of it grows


def seen_distance(K: int, N: int, M: int) -> float:
    """The distance at which scores spread by one nat, so that attention is no longer even."""
    rho = 0.5 * float(M + 1)
    return sqrt(sqrt(float(N - 1)) / (float(K) * rho))


def pushed_distance(K: int, N: int, M: int, size: float) -> float:
    """What grows of normal numbers of the deviation `size` in all scores: their means over the places of a residue."""
    return 0.5 * SPREAD * size / sqrt(float((N - 1) // K)) * seen_distance(K, N, M)


def edge_path(K: int, N: int, M: int, lr: float, steps: int, epsilon: float, size: float, since: int) -> Vector:
    """The distance before each step and after the last, (steps + 1,), which is `size` before step `since` and grows.

    NaN before it, and beyond 100, where the growth of small differences has ended.
    """
    f, path, here = even_output(K, steps, lr, epsilon, 0.0), filled(steps + 1, nan), size
    for i in range(since, steps + 1):
        path[i] = here if here <= 100.0 else nan
        here *= growth(K, N, M, lr, f[i], epsilon)
    return path


def edge_law(K: int, N: int, M: int, lr: float, steps: int, epsilon: float, push: float) -> Vector:
    """The `edge_path` of a push; where it is 0, that of half a last digit, from step 2 on.

    The first step moves V alone, the second is the first whose sums differ.
    """
    if push > 0.0:
        return edge_path(K, N, M, lr, steps, epsilon, pushed_distance(K, N, M, push), 0)
    return edge_path(K, N, M, lr, steps, epsilon, LAST_DIGIT, 2)


def edge_begin(K: int, N: int, M: int, push: float, rounds: bool) -> tuple[float, float, float]:
    """The distance at which `edge_law` begins, `NO_DISTANCE` where nothing pushes, NaN where sums are rounded; that of
    a push of 1; and that at which attention moves, `seen_distance`.

    NaN where N - 1 is no multiple of K: there is no edge.
    """
    if not on_ridge(K, N):
        return nan, nan, nan
    unit = pushed_distance(K, N, M, 1.0)
    return unit * push if push > 0.0 else nan if rounds else NO_DISTANCE, unit, seen_distance(K, N, M)


def first_above(path: Vector, level: float) -> float:
    """The first place of a path (n,) that is at least so high; NaN if there is none."""
    for i in range(len(path)):
        if path[i] >= level:
            return float(i)
    return nan


def mean_growth(path: Vector, low: float, high: float) -> float:
    """Factor a step, in the geometric mean from two places after the first of a path (n,) above `low` to the last up to
    `high`, as values and scores take two steps to fall into their ratio.

    NaN if these are not two steps apart. A path may be NaN in parts, which are passed over.
    """
    begin, end = -1, -1
    for i in range(len(path)):
        if path[i] > low and begin < 0:
            begin = i + 2
        if path[i] <= high:
            end = i
    if begin < 0 or end < begin + 2:
        return nan
    return exp(log(path[end] / path[begin]) / float(end - begin))
