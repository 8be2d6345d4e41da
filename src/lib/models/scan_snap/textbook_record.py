"""What a textbook run records of itself: loss, entropy, attention on common tokens, and the whole attention.

Chapter `scan_snap`. Attention is that of an infinitely long sequence, as in the paper, whatever length is trained on;
the measures are those of `lib.models.scan_snap.measures`.
"""

from __future__ import annotations

from dataclasses import dataclass

from lib.models.scan_snap.textbook_classes import Classes
from lib.portable.numbers import exp, log
from lib.portable.primitives import Matrix, Readings, Vector, first, inf, nan, zero_matrix, zeros
from lib.portable.vectors import scale, total


@dataclass
class Record:
    """Measurements so far; `count` of them are filled in."""

    steps: Vector  # (K,) when they are due
    loss: Vector
    entropy: Vector
    common_mass: Vector
    attention: Vector  # (K * classes * C,)
    shares: Matrix  # (classes, C) room for the attention of now
    count: int


def record_steps(steps: int) -> Vector:
    """The steps of a run that are recorded: 0, each of the first 24, then about every 12th part more, and the last."""
    room = zeros(steps + 1)
    count = 1
    step = 0
    while step < steps:
        step = min(steps, step + max(1, step // 12))
        room[count] = float(step)
        count += 1
    return first(room, count)


def new_record(task: Classes, steps: int) -> Record:
    """Room for a whole run."""
    at = record_steps(steps)
    count, classes = len(at), len(task.query)
    room = zeros(count * classes * task.C)
    return Record(at, zeros(count), zeros(count), zeros(count), room, zero_matrix(classes, task.C), 0)


def is_due(record: Record, step: int) -> bool:
    """Whether this step is to be recorded."""
    return float(step) == record.steps[record.count]


def write(record: Record, step: int, Z: Vector, task: Classes, loss: float) -> None:
    """Measure the parameters and keep it.

    Args:
        record: what is written to.
        step: steps made; it is due.
        Z: (Q * C,) attention logits, row after row.
        task: gives the classes.
        loss: of the last batch, in nats.
    """
    i, classes = record.count, len(task.query)
    record.steps[i] = float(step)
    record.loss[i] = loss
    for n in range(classes):
        c = record.shares[n]
        attention(Z, n, task, 0, c)
        for token in range(task.C):
            record.attention[(i * classes + n) * task.C + token] = c[token]
        for token in range(task.common):
            record.common_mass[i] += c[token] / float(classes)
        attention(Z, n, task, task.common, c)
        record.entropy[i] += entropy(c) / float(classes)
    record.count = i + 1


def attention(Z: Vector, n: int, task: Classes, start: int, c: Vector) -> None:
    """Attention c_n = P(l | n) e^z divided by its sum, on the class's tokens from place `start` of its law on.

    Args:
        Z: (Q * C,) attention logits.
        n: class.
        task: gives its tokens and their law.
        start: 0 for all its tokens; the number of common tokens for its distinct ones alone, whose shares are found
            even where next to nothing is left for them.
        c: (C,) gets the result; zero for all other tokens.
    """
    row, tokens = task.query[n] * task.C, task.tokens[n]
    top = -inf
    for token in range(task.C):
        c[token] = 0.0
    for i in range(start, len(tokens)):
        top = max(top, Z[row + tokens[i]])
    for i in range(start, len(tokens)):
        c[tokens[i]] = task.law[i] * exp(Z[row + tokens[i]] - top)
    scale(c, 1.0 / total(c))


def entropy(shares: Vector) -> float:
    """Entropy in nats of shares that sum to 1."""
    result = 0.0
    for token in range(len(shares)):
        if shares[token] > 0.0:
            result -= shares[token] * log(shares[token])
    return result


def readings(record: Record, task: Classes, diverged_at: int) -> Readings:
    """The record so far of a run on this task.

    Returns:
        steps, loss and entropy (nats), common_mass, each (count,); attention (count * K * C,), of every class, record
        after record; distinct (count * D,), that of the first class on its distinct tokens, rarest first; diverged_at,
        the step at which the run diverged, or NaN.
    """
    n = record.count
    size = len(record.attention) // len(record.steps)
    tokens = len(task.law) - task.common
    distinct = zeros(n * tokens)
    for i in range(n):
        for j in range(tokens):
            distinct[i * tokens + j] = record.attention[i * size + task.common + j]
    return {
        "steps": first(record.steps, n),
        "loss": first(record.loss, n),
        "entropy": first(record.entropy, n),
        "common_mass": first(record.common_mass, n),
        "attention": first(record.attention, n * size),
        "distinct": distinct,
        "diverged_at": [float(diverged_at) if diverged_at >= 0 else nan],
    }
