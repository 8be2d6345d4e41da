"""Small pieces that the theories of all chapters share: array types, checks, schedules."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.errors import require, whole, wholes

Array = NDArray[np.float64]
Schedule = ArrayLike | Callable[[int], ArrayLike]


def floats(value: ArrayLike) -> Array:
    """Return `value` as a float64 array (no copy where it is one)."""
    return np.asarray(value, dtype=np.float64)


def value_at(schedule: Schedule, step: int, argument: str) -> Array:
    """Return the value of a number, an array (R,) or a function of the step, which may not be negative.

    Args:
        schedule: the constant, one value per run, or `fn(step)`.
        step: steps already taken.
        argument: the caller's name for it, used in the error.

    Raises:
        InputError: if a value is negative or not finite.
    """
    value = floats(schedule(step) if callable(schedule) else schedule)
    require(np.all(np.isfinite(value)) and np.all(value >= 0), argument, "finite values >= 0", value)
    return value


def positive(value: ArrayLike, argument: str) -> Array:
    """Return `value` as float64, refusing anything that is not finite and above zero.

    Raises:
        InputError: if a value is not finite or not positive.
    """
    array = floats(value)
    require(np.all(np.isfinite(array)) and np.all(array > 0), argument, "finite values > 0", value)
    return array


def recorded_steps(steps: int, record_at: ArrayLike | None) -> NDArray[np.int64]:
    """Return the increasing steps (K,) to record: all of 0..steps, or the caller's choice.

    Raises:
        InputError: if `record_at` is not increasing or leaves 0..steps.
    """
    steps = whole("steps", steps)
    if record_at is None:
        return np.arange(steps + 1, dtype=np.int64)
    chosen = wholes("record_at", record_at)
    good = chosen.ndim == 1 and chosen.size > 0 and np.all(np.diff(chosen) > 0)
    require(good and chosen[-1] <= steps, "record_at", f"increasing steps within 0..{steps}", record_at)
    return chosen
