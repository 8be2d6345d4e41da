"""Numbers read off a path of the reduced flow: where it is at a time, and when its loss reaches a level.

Chapter `one_nn`.
"""

from __future__ import annotations

from lib.portable.numbers import exp, log
from lib.portable.primitives import Vector, nan


def value_at(t: float, times: Vector, values: Vector) -> float:
    """A path's value at time t, on a straight line over log(1 + t) between its times; NaN beyond them."""
    for i in range(1, len(times)):
        if t <= times[i]:
            before = log(1.0 + times[i - 1])
            share = (log(1.0 + t) - before) / (log(1.0 + times[i]) - before)
            return values[i - 1] + share * (values[i] - values[i - 1])
    return nan


def time_of(level: float, times: Vector, losses: Vector) -> float:
    """The first time at which a falling loss reaches a level, on a straight line between logarithms; NaN if it never
    does, or has at the start.
    """
    for i in range(1, len(times)):
        if losses[i - 1] > level and losses[i] <= level:
            share = log(losses[i - 1] / level) / log(losses[i - 1] / losses[i])
            before = log(1.0 + times[i - 1])
            return exp(before + share * (log(1.0 + times[i]) - before)) - 1.0
    return nan
