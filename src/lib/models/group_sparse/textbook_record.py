"""What a textbook run records of itself: loss, direction and norm ratio of the value, attention, right answers.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 5. The measures are those of `lib.models.group_sparse`.
"""

from __future__ import annotations

from dataclasses import dataclass

from lib.portable.primitives import Readings, Vector, first, floor, nan, sqrt, zeros

RECORDS = 60  # of a whole run, besides the one at its start


@dataclass
class Record:
    """Measurements so far; `count` of them are filled in."""

    steps: Vector
    loss: Vector
    cosine: Vector
    ratio: Vector
    attention: Vector
    accuracy: Vector
    test: Vector
    map: Vector  # D x D, record after record: row i, column j is what query j puts on key i, in the mean
    count: int


def new_record(D: int) -> Record:
    """Room for a whole run with D groups."""
    n = RECORDS + 1
    return Record(zeros(n), zeros(n), zeros(n), zeros(n), zeros(n), zeros(n), zeros(n), zeros(n * D * D), 0)


def is_due(count: int, step: int, steps: int) -> bool:
    """Whether a run of so many steps owes a record after `count` of them: one at every 60th part."""
    return count <= RECORDS and RECORDS * step >= count * steps


def write(
    record: Record, step: int, star: int, v: Vector, S: Vector, accuracy: float, test: float, loss: float
) -> None:
    """Measure the value and keep it, with what the pass over the examples found.

    Args:
        record: what is written to.
        step: steps made.
        star: the group that decides, counted from 0.
        v: (d + D,) value vector; its direction is compared with the first axis.
        S: (D D,) mean attention, row by row: what query j puts on key i.
        accuracy: share of the training examples that are right.
        test: share of fresh examples that are right.
        loss: mean over the training examples, in nats.
    """
    D = floor(sqrt(float(len(S))) + 0.5)
    d = len(v) - D
    variables, whole = 0.0, 0.0
    for a in range(len(v)):
        whole += v[a] * v[a]
        if a < d:
            variables += v[a] * v[a]
    i = record.count
    record.steps[i] = float(step)
    record.loss[i] = loss
    record.cosine[i] = v[0] / sqrt(variables) if variables > 0.0 else 0.0
    record.ratio[i] = sqrt(variables / whole) if whole > 0.0 else 0.0
    for k in range(len(S)):
        record.map[i * len(S) + k] = S[k]
    for j in range(D):
        record.attention[i] += S[star * D + j] / float(D)
    record.accuracy[i] = accuracy
    record.test[i] = test
    record.count = i + 1


def readings(record: Record, diverged_at: int) -> Readings:
    """The record so far: each measure (count,), the maps one after the other, the step at which it diverged, or NaN."""
    n = record.count
    return {
        "steps": first(record.steps, n),
        "loss": first(record.loss, n),
        "cosine": first(record.cosine, n),
        "ratio": first(record.ratio, n),
        "attention": first(record.attention, n),
        "accuracy": first(record.accuracy, n),
        "test": first(record.test, n),
        "map": first(record.map, n * (len(record.map) // (RECORDS + 1))),
        "diverged_at": [float(diverged_at) if diverged_at >= 0 else nan],
    }
