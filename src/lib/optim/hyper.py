"""Hyper-parameters: a number, one number a run `(R,)`, or a schedule of the step (from 0); checked and lined up.

A number or an array is checked once, when the optimiser is made; what a schedule returns, at each step.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.errors import InputError, is_whole, require, whole, wholes

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
        low, high: smallest and largest value accepted; every value must also be finite.
        below: refuse `high` itself.
    """
    expected = "a finite number" if low == -math.inf else f"a finite number >= {low:g}"
    if high < math.inf:
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
    """Shape one value a run (R,) so that it multiplies `array` (R, ...) run by run; a number stays as it is."""
    if isinstance(value, float):
        return value
    if value.shape[0] != array.shape[0]:
        raise InputError(f"{name}: expected one value a run ({array.shape[0]}), got {value.shape[0]}")
    return value.reshape(value.shape + (1,) * (array.ndim - 1))


def model_axis(axis: int) -> int:
    """Check an axis of the model, counted from the end (the first axis holds the runs)."""
    wanted = "a negative integer (counted from the last axis: leading axes are runs)"
    require(is_whole(axis) and axis < 0, "axis", wanted, axis)
    return axis


def reach(axis: int, array: NDArray[np.float64]) -> int:
    """The length of `array` along a model axis."""
    if array.ndim + axis < 1:
        raise InputError(f"axis: expected a model axis of an array {array.shape}, got {axis}")
    return array.shape[axis]


def constant(value: ArrayLike) -> Schedule:
    """The same value at every step."""
    fixed = _finite("value", value)
    return lambda step: fixed


def piecewise_constant(boundaries: Sequence[int], values: Sequence[Any]) -> Schedule:
    """`values[0]` before step `boundaries[0]`, `values[1]` from there on, and so forth.

    Args:
        boundaries: increasing steps, each the first step of the next value.
        values: one more than there are boundaries; numbers or arrays (R,).

    Example:
        >>> lr = piecewise_constant([100], [0.1, 0.01])
        >>> lr(99), lr(100)
        (0.1, 0.01)
    """
    steps = wholes("boundaries", boundaries).tolist()
    increase = all(a < b for a, b in itertools.pairwise([0, *steps]))
    require(increase, "boundaries", "increasing steps above 0", list(boundaries))
    require(len(values) == len(steps) + 1, "values", f"{len(steps) + 1} values", len(values))
    fixed = [_finite(f"values[{i}]", v) for i, v in enumerate(values)]
    return lambda step: fixed[sum(step >= b for b in steps)]


def cosine(peak: ArrayLike, steps: int, final: float = 0.0, warmup: int = 0) -> Schedule:
    r"""Rise in a line to `peak` over `warmup` steps, then fall along half a cosine to `final`.

    $f + (p-f)\frac12(1+\cos\pi\frac{t-w}{S-w})$ for $w \le t \le S$, and f after; before, $p\,(t+1)/(w+1)$.

    Args:
        peak: p, a number or an array (R,).
        steps: S, the step at which `final` is reached.
        final: f, the value kept from there on.
        warmup: w, in steps; the first step already has a rate above zero.

    Source: Loshchilov, Hutter, "SGDR", 2017, equation 5 (one period), arXiv:1608.03983.
    """
    top, bottom = _finite("peak", peak), _finite("final", final)
    steps, warmup = whole("steps", steps, 1), whole("warmup", warmup)
    require(warmup < steps, "warmup", f"less than steps = {steps}", warmup)

    def at(step: int) -> Value:
        if step < warmup:
            return top * ((step + 1) / (warmup + 1))
        fraction = min(1.0, (step - warmup) / (steps - warmup))
        return bottom + (top - bottom) * (0.5 * (1.0 + math.cos(math.pi * fraction)))

    return at


def exponential(initial: ArrayLike, rate: float, transition_steps: int = 1) -> Schedule:
    r"""Geometric decay (or growth): $c\,r^{t/n}$, smooth in the step t.

    Args:
        initial: c, a number or an array (R,).
        rate: r > 0, the factor gained over `transition_steps`.
        transition_steps: n, in steps.
    """
    start = _finite("initial", initial)
    require(isinstance(rate, int | float) and 0 < rate < math.inf, "rate", "a finite number above 0", rate)
    transition_steps = whole("transition_steps", transition_steps, 1)
    return lambda step: start * float(rate) ** (step / transition_steps)


def _finite(name: str, value: Any) -> Value:
    require(not callable(value), name, "a finite number or an array (R,)", value)
    return hyper(name, value)(0)
