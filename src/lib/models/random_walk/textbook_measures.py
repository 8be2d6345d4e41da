"""What a textbook run measures of itself: right answers, divergence from the truth, attention by lag, where V points.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 5. The measures are those of `lib.models.random_walk`.
"""

from lib.portable.numbers import log
from lib.portable.primitives import Matrix, Readings, Vector, first, nan, remainder, sqrt, zeros
from lib.portable.records import Records, column, columns, ended, even_steps, new_row, room_for
from lib.portable.vectors import argmax, dot, largest

RECORDS = 60  # of a whole run, besides the one at its start
LAGS = 14  # of which attention is recorded
_TIE = 1e-12  # outputs so close, relative to the largest, are equal
_LEAST = 1e-12  # outputs of random starts can be negative
BY_LAG = 8  # place in a record where attention by lag begins
_BY_TURN = BY_LAG + LAGS  # where the mean entries of V by turn begin


def even_records(steps: int, most: int) -> Vector:
    """Steps of the records of a whole run: its start and the ends of `most` equal parts, every step of a short one."""
    return even_steps(steps, min(most, steps)) if steps > 0 else zeros(1)


def sixtieths(steps: int) -> Vector:
    """The steps of the records of a run on a circle."""
    return even_records(steps, RECORDS)


def new_records(steps: int, K: int) -> Records:
    """Room for a run of so many steps on K nodes."""
    return room_for(sixtieths(steps), _BY_TURN + K)


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


def divergence(output: Vector, p: float, parent: int) -> float:
    """Kullback-Leibler divergence in nats of the output, divided by its sum, from the law of the next node."""
    K = len(output)
    norm, result = 0.0, 0.0
    for k in range(K):
        norm += max(output[k], _LEAST)
    for k in range(K):
        chance = step_chance(p, K, parent, k)
        if chance > 0.0:
            result += chance * log(chance * norm / max(output[k], _LEAST))
    return result


def distance(V: Matrix, p: float, root: bool) -> float:
    """Distance between the directions of V and of the law of a step, or of its root; 1 for V = 0."""
    K = len(V)
    length, wanted, result = 0.0, 0.0, 0.0
    for i in range(K):
        for k in range(K):
            chance = step_chance(p, K, k, i)
            length += V[i][k] * V[i][k]
            wanted += chance if root else chance * chance
    length = sqrt(length) if length > 0.0 else 1.0
    for i in range(K):
        for k in range(K):
            chance = step_chance(p, K, k, i)
            off = V[i][k] / length - (sqrt(chance) if root else chance) / sqrt(wanted)
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


def keep(
    kept: Records, step: int, p: float, loss: float, right: float, apart: float, attention: Vector, V: Matrix
) -> None:
    """Put on record what a pass over the walks found, and where V (K, K) points.

    Means over the walks: the loss, the share of targets predicted, how far the output is `apart` from the law of the
    next node, in nats, the attention (N,).
    """
    row, N = new_row(kept), len(attention)
    row[0] = float(step)
    row[1] = loss
    row[2] = right
    row[3] = apart
    row[4] = attention[N - 2]
    row[5] = float(attended_lag(attention))
    row[6] = distance(V, p, False)
    row[7] = distance(V, p, True)
    for lag in range(1, min(LAGS, N - 1) + 1):
        row[BY_LAG + lag - 1] = attention[N - 1 - lag]
    add_turns(row, _BY_TURN, V)


def add_turns(row: Vector, at: int, V: Matrix) -> None:
    """Add the mean entries of V by turn, (K,), from place `at` on; V has the length sqrt(K), as the root of a law."""
    K = len(V)
    length = 0.0
    for i in range(K):
        length += dot(V[i], V[i])
    scale = sqrt(float(K) / length) if length > 0.0 else 0.0
    for i in range(K):
        for k in range(K):
            place = at + remainder(i + K - k, K)
            row[place] += scale * V[i][k] / float(K)


def readings(kept: Records, diverged_at: int) -> Readings:
    """So far, each (count,): steps, loss, accuracy, divergence in nats, parent (attention on it), lag (of the most
    attended token), to_step and to_root (distances of V's direction from the law of a step and its root); by_lag
    (count LAGS,), attention on lags 1 to LAGS; by_turn (count K,), mean entry of V / |V| sqrt(K) by the turn i - k from
    its token k to its node i; diverged_at.
    """
    return {
        "steps": column(kept, 0), "loss": column(kept, 1), "accuracy": column(kept, 2), "divergence": column(kept, 3),
        "parent": column(kept, 4), "lag": column(kept, 5), "to_step": column(kept, 6), "to_root": column(kept, 7),
        "by_lag": columns(kept, BY_LAG, LAGS), "by_turn": columns(kept, _BY_TURN, len(kept.rows[0]) - _BY_TURN),
        "diverged_at": ended(diverged_at),
    }  # fmt: skip
