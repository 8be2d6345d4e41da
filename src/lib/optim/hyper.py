"""Hyper-parameters: a number, one number a run `(R,)`, or a schedule of the step; checked and lined up.

A number or an array is checked once, when the optimiser is made; what a schedule returns, at each step.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.errors import InputError, is_whole, require

Value: TypeAlias = float | NDArray[np.float64]
Schedule: TypeAlias = Callable[[int], Value]
Hyper: TypeAlias = float | ArrayLike | Schedule


class StepCount(NamedTuple):
    """State of a transform whose hyper-parameter may be a schedule."""

    step: int  #: updates made so far


def hyper(name: str, value: Hyper, low: float = -math.inf, high: float = math.inf, below: bool = False) -> Schedule:
    """Make a checked schedule of a hyper-parameter.

    Args:
        name: the argument's name as the caller wrote it, for the message.
        value: a number, an array (R,), or a function of the step (steps from 0).
        low: smallest value accepted; every value must also be finite.
        high: largest value accepted.
        below: refuse `high` itself.

    Raises:
        InputError: if a value is not a finite number in the range, or an array is not one-dimensional.
    """
    if low == -math.inf:
        expected = "a finite number"
    elif high == math.inf:
        expected = f"a finite number >= {low:g}"
    else:
        expected = f"a number in [{low:g}, {high:g}{')' if below else ']'}"

    def checked(raw: Any) -> Value:
        if isinstance(raw, float):  # the common case, kept fast: it runs at every step of a schedule
            value: Value = raw
            good = low <= raw <= high and math.isfinite(raw) and not (below and raw == high)
        else:
            try:
                # a copy: the caller's array may change later, and the optimiser must not change with it
                array = np.array(raw, dtype=np.float64)
            except (TypeError, ValueError):
                kinds = f"{expected}, an array (R,) of them, or a function of the step: {name}=0.1"
                raise InputError(f"{name}: expected {kinds}, got {raw!r}") from None
            require(array.ndim <= 1, name, "a number or an array (R,)", f"shape {array.shape}")
            require(array.size > 0, name, expected, "an empty array")
            value = array if array.ndim else float(array)
            least, most = array.min(), array.max()  # both NaN if any entry is
            good = bool(low <= least and most <= high and np.isfinite(least) and np.isfinite(most))
            good = good and not (below and most == high)
        if not good:
            raise InputError(f"{name}: expected {expected}, got {raw}")
        return value

    if callable(value):
        schedule = value
        return lambda step: checked(schedule(step))
    fixed = checked(value)
    return lambda step: fixed


def align(name: str, value: Value, array: NDArray[np.float64]) -> Value:
    """Shape one value a run (R,) so that it multiplies `array` (R, ...) run by run; a number stays as it is.

    Raises:
        InputError: if the number of values is not the number of runs.
    """
    if isinstance(value, float):
        return value
    if value.shape[0] != array.shape[0]:
        raise InputError(f"{name}: expected one value a run ({array.shape[0]}), got {value.shape[0]}")
    return value.reshape(value.shape + (1,) * (array.ndim - 1))


def model_axis(axis: int) -> int:
    """Check an axis of the model, counted from the end (the first axis holds the runs).

    Raises:
        InputError: if `axis` is not a negative integer.
    """
    require(
        is_whole(axis) and axis < 0,
        "axis",
        "a negative integer (counted from the last axis: leading axes are runs)",
        axis,
    )
    return axis


def reach(axis: int, array: NDArray[np.float64]) -> int:
    """The length of `array` along a model axis.

    Raises:
        InputError: if that axis is the runs' axis or does not exist.
    """
    if array.ndim + axis < 1:
        raise InputError(f"axis: expected a model axis of an array {array.shape}, got {axis}")
    return array.shape[axis]
