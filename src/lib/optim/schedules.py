"""Schedules: functions of the step (from 0) to a hyper-parameter, a number or one number a run (R,)."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import InputError, require, whole, wholes
from lib.optim.hyper import Schedule, Value


def constant(value: ArrayLike) -> Schedule:
    """The same value at every step.

    Raises:
        InputError: if the value is not finite.
    """
    fixed = _finite("value", value)
    return lambda step: fixed


def piecewise_constant(boundaries: Sequence[int], values: Sequence[Any]) -> Schedule:
    """`values[0]` before step `boundaries[0]`, `values[1]` from there on, and so forth.

    Args:
        boundaries: increasing steps, each the first step of the next value.
        values: one more than there are boundaries; numbers or arrays (R,).

    Raises:
        InputError: if the counts do not fit, the boundaries do not increase, or a value is not finite.

    Example:
        >>> lr = piecewise_constant([100], [0.1, 0.01])
        >>> lr(99), lr(100)
        (0.1, 0.01)
    """
    steps = wholes("boundaries", boundaries).tolist()
    require(
        all(b > 0 for b in steps) and all(a < b for a, b in itertools.pairwise(steps)),
        "boundaries",
        "increasing steps above 0",
        list(boundaries),
    )
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

    Raises:
        InputError: if a value is not finite, or not 0 <= warmup < steps.

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

    Raises:
        InputError: if a value is not finite or out of range.
    """
    start = _finite("initial", initial)
    require(isinstance(rate, int | float) and 0 < rate < math.inf, "rate", "a finite number above 0", rate)
    transition_steps = whole("transition_steps", transition_steps, 1)
    return lambda step: start * float(rate) ** (step / transition_steps)


def _finite(name: str, value: Any) -> Value:
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name}: expected a finite number or an array (R,), got {value!r}") from None
    require(array.ndim <= 1 and np.isfinite(array).all(), name, "a finite number or an array (R,)", value)
    return array if array.ndim else float(array)
