"""When a run is looked at: steps of records that are known beforehand; and what is read off the records."""

from lib.errors import require
from lib.portable.numbers import exp, log
from lib.portable.primitives import Vector, floor, nan, zeros


def even_steps(steps: int, parts: int) -> Vector:
    """(parts + 1,) the steps of records: the start, and every so many-th part, rounded up to whole steps.

    With fewer `steps`, those of the whole run, than there are parts, at least 1, some stand twice.
    """
    require(steps >= 0, "steps", "at least 0", steps)
    require(parts >= 1, "parts", "at least 1", parts)
    due = zeros(parts + 1)
    for i in range(parts + 1):
        due[i] = float((i * steps + parts - 1) // parts)
    return due


def log_steps(steps: int, parts: int) -> Vector:
    """(min(steps, parts) + 1,) different steps of records: the start, then evenly in the logarithm of time to the end.

    Of `steps`, those of the whole run, all where there are no more than parts, at least 1; early ones that would fall
    on one step come at the steps after it.
    """
    require(steps >= 0, "steps", "at least 0", steps)
    require(parts >= 1, "parts", "at least 1", parts)
    due = zeros(min(steps, parts) + 1)
    for i in range(1, len(due)):
        even = exp(log(float(steps)) * float(i) / float(parts))
        due[i] = max(due[i - 1] + 1.0, float(floor(even + 0.5)))
    return due


def reached(at: Vector, values: Vector, level: float) -> float:
    """When the size of a value (K,) reaches a level above 0 from below, between two records, made at `at` (K,), on a
    straight line; NaN if it does not.
    """
    for i in range(1, len(values)):
        before, after = abs(values[i - 1]), abs(values[i])
        if after >= level and before < level:
            return at[i - 1] + (at[i] - at[i - 1]) * (level - before) / (after - before)
    return nan
