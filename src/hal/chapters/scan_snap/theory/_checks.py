"""Checks that the integrated theory of the chapter shares: times and single rates."""

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import require
from lib.theory._arrays import Array, floats, positive
from lib.theory.scan_snap import non_negative

__all__ = ["increasing", "one_rate"]


def one_rate(value: float, argument: str, zero: bool = False) -> float:
    """A single learning rate as a float, finite and above zero; zero only where it is allowed."""
    rate = non_negative(value, argument) if zero else positive(value, argument)
    require(rate.ndim == 0, argument, "one number", value)
    return float(rate)


def increasing(times: ArrayLike) -> Array:
    """The times (T,) in steps as float64: finite, not negative and strictly increasing, at least one."""
    t = floats(times)
    good = t.ndim == 1 and t.size > 0 and np.all(np.isfinite(t)) and np.all(np.diff(t) > 0)
    require(good and t[0] >= 0, "times", "increasing finite times >= 0, shape (T,)", times)
    return t
