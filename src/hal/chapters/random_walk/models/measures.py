"""What figures measure of a run: right answers, attention by lag, where V points; portable.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 5. The measures are those of `lib.models.random_walk`.
"""

from lib.portable.primitives import Matrix, Vector, first, nan, remainder, sqrt
from lib.portable.vectors import argmax, largest

_TIE = 1e-12  # outputs so close, relative to the largest, are equal
LEAST = 1e-12  # outputs of random starts can be negative


def predicted(output: Vector) -> int:
    """The node with the largest output, the first among equals."""
    top = largest(output)
    least = top - _TIE * max(1.0, abs(top))
    node = 0
    while output[node] < least:
        node += 1
    return node


def right_turns(output: Vector) -> float:
    """The share of all turns of a walk that are right: entry k is the output k steps clockwise of the target.

    Among equals the smallest node is taken: the target in K - k of K turns, k the furthest of them.
    """
    K = len(output)
    top = largest(output)
    least = top - _TIE * max(1.0, abs(top))
    if output[0] < least:
        return 0.0
    k = K - 1
    while output[k] < least:
        k -= 1
    return float(K - k) / float(K)


def step_chance(p: float, K: int, node: int, to: int) -> float:
    """The chance of the step from a node to another."""
    if remainder(node + 1, K) == to:
        return p
    return 1.0 - p if remainder(to + 1, K) == node else 0.0


def distance(V: Matrix, p: float) -> float:
    """Distance between the directions of V and of the law of a step; 1 for V = 0."""
    K = len(V)
    length, wanted, result = 0.0, 0.0, 0.0
    for i in range(K):
        for k in range(K):
            chance = step_chance(p, K, k, i)
            length += V[i][k] * V[i][k]
            wanted += chance * chance
    length = sqrt(length) if length > 0.0 else 1.0
    for i in range(K):
        for k in range(K):
            chance = step_chance(p, K, k, i)
            off = V[i][k] / length - chance / sqrt(wanted)
            result += off * off
    return sqrt(result)


def attended_lag(attention: Vector) -> int:
    """How many steps before the target the most attended token lies; the last entry is the empty token's."""
    last = len(attention) - 1
    return last - argmax(first(attention, last))


def always_right(steps: Vector, accuracy: Vector) -> float:
    """The first of the steps (n,) of a run's records from which on all answers are right; NaN if there is none."""
    i = len(accuracy)
    while i > 0 and accuracy[i - 1] > 0.999:
        i -= 1
    return steps[i] if i < len(accuracy) else nan
