"""What an optimiser is: a pair of pure functions, how pairs are chained, and how an increment is added.

Used by every chapter. Source: the interface of optax (DeepMind 2020, https://github.com/google-deepmind/optax).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from lib.errors import require

Array = NDArray[np.float64]
Tree = TypeVar("Tree", bound=tuple[Any, ...])  # a NamedTuple of arrays, each (R, ...)


class Transform(NamedTuple):
    """A pair of pure functions that turns gradients into increments.

    `init(params) -> state`; `update(updates, state, params) -> (updates, state)`.
    `params` and `updates` are NamedTuples of arrays (R, ...). Updates start as gradients and end as the
    increment to add. Neither function writes to what it is given, and all that changes between steps is in
    `state`: a run can be stopped, saved (pickle, or the arrays one by one), and resumed bit for bit.
    """

    init: Callable[[Any], Any]  #: params -> state
    update: Callable[[Any, Any, Any], tuple[Any, Any]]  #: (updates, state, params) -> (updates, state)


def rebuild(like: Tree, values: Iterable[Array]) -> Tree:
    """Put `values` into a new NamedTuple of the kind of `like`."""
    return type(like)._make(values)  # type: ignore[attr-defined]  # every NamedTuple has it; their common type does not


def apply_updates(params: Tree, updates: Tree) -> Tree:
    """Add the increments: a new NamedTuple of arrays (R, ...); `params` is left as it was.

    Example:
        >>> from typing import NamedTuple
        >>> class P(NamedTuple):
        ...     x: np.ndarray
        >>> apply_updates(P(np.array([[1.0]])), P(np.array([[0.5]]))).x
        array([[1.5]])
    """
    return rebuild(params, [p + u for p, u in zip(params, updates, strict=True)])


def chain(*transforms: Transform) -> Transform:
    """Apply the transforms in the order written; the state is the tuple of their states.

    Raises:
        InputError: if an argument is not a Transform, or none is given.
    """
    require(len(transforms) > 0, "transforms", "at least one Transform", "none")
    for i, t in enumerate(transforms):
        require(isinstance(t, Transform), f"transforms[{i}]", "a Transform (init, update)", type(t).__name__)
    updaters = [t.update for t in transforms]

    def init(params: Any) -> tuple[Any, ...]:
        return tuple(t.init(params) for t in transforms)

    def update(updates: Any, state: Any, params: Any) -> tuple[Any, tuple[Any, ...]]:
        states = []
        for updater, old in zip(updaters, state, strict=True):
            updates, new = updater(updates, old, params)
            states.append(new)
        return updates, tuple(states)

    return Transform(init, update)


def identity() -> Transform:
    """Leave the updates as they are; in `per_field` it means "nothing special for this field"."""
    return stateless(lambda updates, params: updates)


def stateless(update: Callable[[Any, Any], Any]) -> Transform:
    """A Transform from `update(updates, params) -> updates` that remembers nothing."""
    return Transform(lambda params: (), lambda updates, state, params: (update(updates, params), state))
