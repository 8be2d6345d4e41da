"""Multiply the update: by a number, minus the learning rate, or a preconditioner. Gradient descent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.errors import InputError, require
from lib.optim.base import Transform, rebuild, stateless
from lib.optim.hyper import Hyper, Schedule, StepCount, align, hyper


def scale(factor: Hyper) -> Transform:
    r"""Multiply the update: $u \leftarrow c\,u$.

    Args:
        factor: c; any finite number, an array (R,), or a schedule.

    Raises:
        InputError: if a factor is not finite.
    """
    return _scaled("factor", hyper("factor", factor), 1.0)


def scale_by_learning_rate(lr: Hyper) -> Transform:
    r"""Multiply by minus the learning rate: $u \leftarrow -\eta\,u$. The only place where the sign turns.

    Args:
        lr: $\eta \ge 0$; a number, an array (R,), or a schedule of the step.

    Raises:
        InputError: if a rate is negative or not finite.
    """
    return _scaled("lr", hyper("lr", lr, low=0.0), -1.0)


def sgd(lr: Hyper) -> Transform:
    r"""Gradient descent, $x \leftarrow x - \eta\,g$; stochastic if the gradient is.

    Args:
        lr: $\eta \ge 0$; a number, an array (R,), or a schedule of the step.

    Raises:
        InputError: if a rate is negative or not finite.

    Example:
        >>> from typing import NamedTuple
        >>> class P(NamedTuple):
        ...     x: np.ndarray
        >>> optimiser, p = sgd(0.5), P(np.array([[4.0]]))
        >>> updates, state = optimiser.update(p, optimiser.init(p), p)  # the gradient of x^2/2 is x
        >>> updates.x
        array([[-2.]])
    """
    return scale_by_learning_rate(lr)


def precondition(
    multiplier: ArrayLike | Callable[[NDArray[np.float64]], NDArray[np.float64]],
) -> Transform:
    r"""Multiply the update entry by entry: $u \leftarrow m \odot u$.

    Args:
        multiplier: m, an array that broadcasts against each field (R, ...), or a function from a field's
            parameters (R, ...) to such an array. Fields of different shapes want `per_field`.

    Raises:
        InputError: if an array has an entry that is not finite, or does not broadcast to the field's shape.
    """
    if callable(multiplier):
        make = multiplier
    else:
        fixed = np.array(multiplier, dtype=np.float64)
        require(np.isfinite(fixed).all(), "multiplier", "finite entries", "an infinite one or NaN")

        def make(x: NDArray[np.float64]) -> NDArray[np.float64]:
            del x
            return fixed

    def one(u: NDArray[np.float64], p: NDArray[np.float64]) -> NDArray[np.float64]:
        m = make(p)
        try:
            product = m * u
        except ValueError:
            product = None
        if product is None or product.shape != u.shape:
            raise InputError(f"multiplier: expected a shape that broadcasts to {u.shape}, got {np.shape(m)}")
        return product

    return stateless(lambda updates, params: rebuild(updates, map(one, updates, params)))


def _scaled(name: str, at: Schedule, sign: float) -> Transform:
    def update(updates: Any, state: StepCount, params: Any) -> tuple[Any, StepCount]:
        del params
        factor = sign * at(state.step)
        scaled = [align(name, factor, u) * u for u in updates]
        return rebuild(updates, scaled), StepCount(state.step + 1)

    return Transform(lambda params: StepCount(0), update)
