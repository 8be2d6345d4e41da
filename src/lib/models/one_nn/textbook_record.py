"""What a textbook run records of itself: the two scalars of the family, what is beside them, the loss, and W.

Chapter `one_nn`. xi_1 is the mean of the diagonal of W_11 and xi_2 = -W_33: the nearest member of the family.
"""

from __future__ import annotations

from dataclasses import dataclass

from lib.portable.numbers import exp, log
from lib.portable.primitives import Matrix, Readings, Vector, first, floor, nan, sqrt, zeros

RECORDS = 48  # of a whole run, besides the one at its start; evenly in the logarithm of time


@dataclass
class Record:
    """Measurements so far; `count` of them are filled in."""

    t: Vector  # learning rate times steps
    xi1: Vector
    xi2: Vector
    loss: Vector  # mean over the batches since the record before; NaN at the start
    off: Vector  # |W - family| / |W|, NaN where W = 0
    label_pull: (
        Vector  # W_23, how much a label of +1 attracts by itself; its mean like that of the loss, 0 in the family
    )
    W: Vector  # (d + 2) x (d + 2), record after record
    count: int
    last_step: float


def new_record(d: int) -> Record:
    """Room for a whole run in dimension d."""
    n = RECORDS + 1
    return Record(zeros(n), zeros(n), zeros(n), zeros(n), zeros(n), zeros(n), zeros(n * (d + 2) * (d + 2)), 0, 0.0)


def is_due(count: int, step: int, steps: int) -> bool:
    """Whether a run of so many steps owes its record number `count` after `step` of them."""
    if count > RECORDS:
        return False
    return step >= max(count, floor(exp(log(float(steps)) * float(count) / float(RECORDS)) + 0.5))


def write(record: Record, t: float, W: Matrix, loss: float, label_pull: float) -> None:
    """Measure the matrix and keep it.

    Args:
        record: what is written to.
        t: learning rate times steps.
        W: (d + 2, d + 2).
        loss: mean since the record before, NaN at the start.
        label_pull: mean of W_23 since then.
    """
    i = record.count
    size = len(W)
    d = size - 2
    trace = 0.0
    square = 0.0
    for a in range(size):
        for b in range(size):
            record.W[i * size * size + a * size + b] = W[a][b]
            square += W[a][b] * W[a][b]
    for a in range(d):
        trace += W[a][a]
    xi1 = trace / float(d)
    xi2 = -W[d + 1][d + 1]
    beside = max(0.0, square - float(d) * xi1 * xi1 - xi2 * xi2)
    record.t[i] = t
    record.xi1[i] = xi1
    record.xi2[i] = xi2
    record.loss[i] = loss
    record.off[i] = sqrt(beside / square) if square > 0.0 else nan
    record.label_pull[i] = label_pull
    record.count = i + 1


def readings(record: Record, diverged_at: int) -> Readings:
    """The record so far, and the step at which the run diverged, or NaN."""
    n = record.count
    return {
        "t": first(record.t, n),
        "xi1": first(record.xi1, n),
        "xi2": first(record.xi2, n),
        "loss": first(record.loss, n),
        "off": first(record.off, n),
        "label_pull": first(record.label_pull, n),
        "W": first(record.W, n * (len(record.W) // (RECORDS + 1))),
        "diverged_at": [float(diverged_at) if diverged_at >= 0 else nan],
    }
