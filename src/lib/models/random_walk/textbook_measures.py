"""What a textbook run records: loss, right answers, divergence from the truth, attention by lag, V and its direction.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 5. The measures are those of `lib.models.random_walk`.
"""

from __future__ import annotations

from dataclasses import dataclass

from lib.portable.numbers import log
from lib.portable.primitives import Matrix, Readings, Vector, first, nan, remainder, sqrt, zeros
from lib.portable.vectors import dot, largest

RECORDS = 60  # of a whole run, besides the one at its start
LAGS = 14  # of which attention is recorded
_TIE = 1e-12  # outputs so close, relative to the largest, are equal
_LEAST = 1e-12  # outputs of random starts can be negative


@dataclass
class Record:
    """Measurements so far; `count` of them are filled in."""

    steps: Vector
    loss: Vector
    accuracy: Vector
    divergence: Vector
    parent: Vector
    lag: Vector
    to_step: Vector
    to_root: Vector
    by_lag: Vector  # attention on lags 1 to LAGS, record after record
    by_turn: Vector  # mean entry of V/|V| sqrt(K) by the turn i - k from its token k to its node i, record after record
    count: int


def new_record(K: int) -> Record:
    """Room for a whole run on K nodes."""
    room = RECORDS + 1
    return Record(
        zeros(room), zeros(room), zeros(room), zeros(room), zeros(room), zeros(room), zeros(room), zeros(room),
        zeros(room * LAGS), zeros(room * K), 0,
    )  # fmt: skip


def is_due(count: int, step: int, steps: int) -> bool:
    """Whether a run of so many steps owes a record after `count` of them: one at every 60th part."""
    return count <= RECORDS and RECORDS * step >= count * steps


def record_steps(steps: int) -> Vector:
    """The steps of the records of a whole run: all of a short one."""
    count = min(RECORDS, steps)
    at = zeros(count + 1)
    for i in range(1, count + 1):
        at[i] = float((i * steps + count - 1) // count)
    return at


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
    best = 0
    for j in range(1, len(attention) - 1):
        if attention[j] > attention[best]:
            best = j
    return len(attention) - 1 - best


def write(
    record: Record, step: int, p: float, loss: float, right: float, apart: float, attention: Vector, V: Matrix
) -> None:
    """Keep what the pass over the walks found, and where V points.

    Args:
        record: what is written to.
        step: steps made.
        p: chance of a clockwise step.
        loss: mean over the walks.
        right: share of the targets predicted.
        apart: mean divergence from the law of the next node, in nats.
        attention: (N,) mean over the walks.
        V: (K, K) values.
    """
    i = record.count
    record.steps[i] = float(step)
    record.loss[i] = loss
    record.accuracy[i] = right
    record.divergence[i] = apart
    record.parent[i] = attention[len(attention) - 2]
    record.lag[i] = float(attended_lag(attention))
    record.to_step[i] = distance(V, p, False)
    record.to_root[i] = distance(V, p, True)
    for lag in range(1, min(LAGS, len(attention) - 1) + 1):
        record.by_lag[i * LAGS + lag - 1] = attention[len(attention) - 1 - lag]
    keep_turns(record.by_turn, i * len(V), V)
    record.count = i + 1


def keep_turns(room: Vector, at: int, V: Matrix) -> None:
    """Write the mean entries of V by turn, (K,), from place `at` on; V has the length sqrt(K), as the root of a law."""
    K = len(V)
    length = 0.0
    for i in range(K):
        length += dot(V[i], V[i])
    scale = sqrt(float(K) / length) if length > 0.0 else 0.0
    for i in range(K):
        for k in range(K):
            place = at + remainder(i + K - k, K)
            room[place] += scale * V[i][k] / float(K)


def readings(record: Record, diverged_at: int) -> Readings:
    """The record so far: each measure (count,), and the step at which the run diverged, or NaN."""
    n = record.count
    return {
        "steps": first(record.steps, n),
        "loss": first(record.loss, n),
        "accuracy": first(record.accuracy, n),
        "divergence": first(record.divergence, n),
        "parent": first(record.parent, n),
        "lag": first(record.lag, n),
        "to_step": first(record.to_step, n),
        "to_root": first(record.to_root, n),
        "by_lag": first(record.by_lag, n * LAGS),
        "by_turn": first(record.by_turn, n * (len(record.by_turn) // (RECORDS + 1))),
        "diverged_at": [float(diverged_at) if diverged_at >= 0 else nan],
    }
