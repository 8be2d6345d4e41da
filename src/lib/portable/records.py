"""What a run keeps of itself: a row of numbers a record, at steps that are known beforehand. Used by every textbook."""

from dataclasses import dataclass

from lib.errors import require
from lib.portable.numbers import exp, log
from lib.portable.primitives import Matrix, Vector, floor, nan, zero_matrix, zeros


@dataclass
class Records:
    """The records of a run; `count` of them are filled in."""

    due: Vector  # (K,) the steps, or times, at which a whole run makes them
    rows: Matrix  # (K, width) what is measured, a row a record
    count: int


def room_for(due: Vector, width: int) -> Records:
    """Room for a whole run.

    Args:
        due: (K,) steps, or times, of its records, none smaller than the one before.
        width: numbers a record.
    """
    return Records(due, zero_matrix(len(due), width), 0)


def even_steps(steps: int, parts: int) -> Vector:
    """(parts + 1,) the steps of records: the start, and every so many-th part, rounded up to whole steps.

    Args:
        steps: of the whole run; with fewer than there are parts some stand twice.
        parts: how many.

    Raises:
        InputError: if there are fewer than 0 steps or 1 part.
    """
    require(steps >= 0, "steps", "at least 0", steps)
    require(parts >= 1, "parts", "at least 1", parts)
    due = zeros(parts + 1)
    for i in range(parts + 1):
        due[i] = float((i * steps + parts - 1) // parts)
    return due


def log_steps(steps: int, parts: int) -> Vector:
    """(min(steps, parts) + 1,) different steps of records: the start, then evenly in the logarithm of time to the end.

    Args:
        steps: of the whole run; with no more than there are parts, all of them.
        parts: how many; early ones that would fall on one step come at the steps after it.

    Raises:
        InputError: if there are fewer than 0 steps or 1 part.
    """
    require(steps >= 0, "steps", "at least 0", steps)
    require(parts >= 1, "parts", "at least 1", parts)
    due = zeros(min(steps, parts) + 1)
    for i in range(1, len(due)):
        even = exp(log(float(steps)) * float(i) / float(parts))
        due[i] = max(due[i - 1] + 1.0, float(floor(even + 0.5)))
    return due


def is_due(kept: Records, step: float) -> bool:
    """Whether the run owes a record, `step` steps made or `step` units of time past."""
    return kept.count < len(kept.due) and step >= kept.due[kept.count]


def new_row(kept: Records) -> Vector:
    """(width,) the row of the next record, to be filled in; it counts from now on."""
    row = kept.rows[kept.count]
    kept.count += 1
    return row


def column(kept: Records, place: int) -> Vector:
    """(count,) the number at this place of every record so far."""
    return columns(kept, place, 1)


def columns(kept: Records, place: int, width: int) -> Vector:
    """(count width,) the numbers from this place on, record after record."""
    found = zeros(kept.count * width)
    for i in range(kept.count):
        for k in range(width):
            found[i * width + k] = kept.rows[i][place + k]
    return found


def ended(diverged_at: int) -> Vector:
    """(1,) the reading `diverged_at`: the step at which the run diverged; NaN where that is negative: it did not."""
    return [float(diverged_at) if diverged_at >= 0 else nan]


def reached(at: Vector, values: Vector, level: float) -> float:
    """When the size of a value reaches a level from below, between two records on a straight line; NaN if it does not.

    Args:
        at: (K,) steps, or times, of the records.
        values: (K,) what they measured.
        level: above 0.
    """
    for i in range(1, len(values)):
        before, after = abs(values[i - 1]), abs(values[i])
        if after >= level and before < level:
            return at[i - 1] + (at[i] - at[i - 1]) * (level - before) / (after - before)
    return nan


def settled(at: Vector, values: Vector, level: float) -> float:
    """The record from which on no value is above a level, to the last one; NaN if the last is. See `reached`."""
    since = nan
    for i in range(len(values) - 1, -1, -1):
        if values[i] > level:
            break
        since = at[i]
    return since
