"""What a textbook run of the block has on record: its loss, its exact risk, and how its parameters turn.

Chapter `linear_block`. Source: ours. u is the direction of a mean of equal entries.
"""

from lib.models.linear_block.textbook_block import Block
from lib.portable.primitives import Matrix, Readings, Vector, divide, sqrt
from lib.portable.records import Records, column, ended
from lib.portable.vectors import dot, total

RECORDS = 60  # of a whole run, besides the one at its start
MEASURES = 8  # numbers a record


def mean_part(values: Vector) -> float:
    """What of a vector (d,) lies along u."""
    return total(values) / sqrt(float(len(values)))


def along(Q: Matrix) -> float:
    """u'Q u."""
    whole = 0.0
    for i in range(len(Q)):
        whole += total(Q[i])
    return whole / float(len(Q))


def across(Q: Matrix) -> float:
    """The mean of w'Q w over the directions w across u; not a number for one feature, which has none."""
    trace = 0.0
    for i in range(len(Q)):
        trace += Q[i][i]
    return divide(trace - along(Q), float(len(Q) - 1))


def measure(row: Vector, step: int, loss: float, risk: float, block: Block) -> None:
    """Fill in a record (MEASURES,).

    Args:
        row: gets step, loss and risk; alpha along u; where the step that the values take starts from, -v/c along u;
            c Q along u and across it; the length of q.
        step: steps made.
        loss: mean squared error on the prompts since the record before.
        risk: the same on all prompts there are.
        block: its parameters.
    """
    row[0] = float(step)
    row[1] = loss
    row[2] = risk
    row[3] = mean_part(block.alpha)
    row[4] = divide(-mean_part(block.v), block.c)
    row[5] = block.c * along(block.Q)
    row[6] = block.c * across(block.Q)
    row[7] = sqrt(dot(block.q, block.q))


def readings(kept: Records, diverged_at: int) -> Readings:
    """What is on record: steps, loss, risk, alpha, start, along, across, labels, each (count,), and diverged_at."""
    return {
        "steps": column(kept, 0), "loss": column(kept, 1), "risk": column(kept, 2), "alpha": column(kept, 3),
        "start": column(kept, 4), "along": column(kept, 5), "across": column(kept, 6), "labels": column(kept, 7),
        "diverged_at": ended(diverged_at),
    }  # fmt: skip
