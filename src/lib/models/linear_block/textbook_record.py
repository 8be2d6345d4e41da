"""What a textbook run of the block records: its loss, its exact risk, and how its parameters turn.

Chapter `linear_block`. Source: ours. With u the direction of a mean of equal entries: alpha along u, the virtual mean
of the values (minus v along u over c), the step's gain along u and across it.
"""

from __future__ import annotations

from dataclasses import dataclass

from lib.models.linear_block.textbook_block import Block
from lib.portable.primitives import Readings, Vector, divide, first, sqrt, zeros
from lib.portable.vectors import dot, total

RECORDS = 60  # of a whole run, besides the one at its start


@dataclass
class Record:
    """Measurements so far; `count` of them are filled in."""

    steps: Vector
    loss: Vector  # mean squared error on the prompts since the record before
    risk: Vector  # on all prompts
    alpha: Vector  # along u
    start: Vector  # -v along u over c: where the step that the values take starts from
    along: Vector  # c Q along u
    across: Vector  # mean of c Q over the directions across u
    labels: Vector  # length of q
    count: int


def new_record() -> Record:
    """Room for a whole run."""
    room = RECORDS + 1
    return Record(
        zeros(room), zeros(room), zeros(room), zeros(room), zeros(room), zeros(room), zeros(room), zeros(room), 0
    )


def is_due(count: int, step: int, steps: int) -> bool:
    """Whether a run of so many steps owes a record after `count` of them: one at every 60th part."""
    return count <= RECORDS and RECORDS * step >= count * steps


def write(record: Record, step: int, loss: float, risk: float, block: Block) -> None:
    """Add a record."""
    d, at = len(block.v), record.count
    whole, trace = 0.0, 0.0
    for i in range(d):
        whole += total(block.Q[i])
        trace += block.Q[i][i]
    along = whole / float(d)
    record.steps[at] = float(step)
    record.loss[at] = loss
    record.risk[at] = risk
    record.alpha[at] = total(block.alpha) / sqrt(float(d))
    record.start[at] = divide(-total(block.v) / sqrt(float(d)), block.c)
    record.along[at] = block.c * along
    record.across[at] = block.c * divide(trace - along, float(d - 1))
    record.labels[at] = sqrt(dot(block.q, block.q))
    record.count = at + 1


def readings(record: Record, diverged_at: int) -> Readings:
    """What was recorded so far, by name, and the step at which the run diverged, -1 if it did not."""
    count = record.count
    ended = zeros(1)
    ended[0] = float(diverged_at)
    return {
        "steps": first(record.steps, count),
        "loss": first(record.loss, count),
        "risk": first(record.risk, count),
        "alpha": first(record.alpha, count),
        "start": first(record.start, count),
        "along": first(record.along, count),
        "across": first(record.across, count),
        "labels": first(record.labels, count),
        "diverged_at": ended,
    }
