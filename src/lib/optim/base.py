"""What an optimiser is: a pair of pure functions, how pairs are chained, and how an increment is added.

Updates are written nowhere in place: a gradient may be an array that the problem keeps.

Used by every chapter. Source: the interface of optax (DeepMind 2020, https://github.com/google-deepmind/optax).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from lib.errors import require

Array = NDArray[np.float64]
Factors: TypeAlias = Callable[[Any, Any], tuple[list[Any], Any]]
Tree = TypeVar("Tree", bound=tuple[Any, ...])  # a NamedTuple of arrays, each (R, ...)


class Transform(NamedTuple):
    """A pair of pure functions that turns gradients into increments.

    `init(params) -> state`; `update(updates, state, params) -> (updates, state)`.
    `params` and `updates` are NamedTuples of arrays (R, ...). Updates start as gradients and end as the
    increment to add. Neither function writes to what it is given, and all that changes between steps is in
    `state`: a run can be stopped, saved (pickle, or the arrays one by one), and resumed bit for bit.

    A transform that only multiplies says by what, in `factors`: see `scaling`.
    """

    init: Callable[[Any], Any]  #: params -> state
    update: Callable[[Any, Any, Any], tuple[Any, Any]]  #: (updates, state, params) -> (updates, state)
    factors: Factors | None = None  #: (state, params) -> (one factor a field, state), of a transform that multiplies


def rebuild(like: Tree, values: Iterable[Array]) -> Tree:
    """Put `values`, one a field, into a new NamedTuple of the kind of `like`."""
    return tuple.__new__(type(like), values)  # `_make` without its check of the number, in half the time


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

    Neighbours that only multiply are one multiplication: their factors, which are small (a number, one number a run,
    one a row), are multiplied first, so that the big arrays are read and written once.

    Raises:
        InputError: if an argument is not a Transform, or none is given.
    """
    require(len(transforms) > 0, "transforms", "at least one Transform", "none")
    for i, t in enumerate(transforms):
        require(isinstance(t, Transform), f"transforms[{i}]", "a Transform (init, update)", type(t).__name__)
    if all(t.factors for t in transforms):
        return _product(transforms)
    links: list[tuple[slice | int, Any]] = []  # (place of the states, update)
    for multiplies, group in itertools.groupby(range(len(transforms)), key=lambda i: bool(transforms[i].factors)):
        places = list(group)
        if multiplies and len(places) > 1:
            part = slice(places[0], places[-1] + 1)
            links.append((part, _product(transforms[part]).update))
        else:
            links += [(i, transforms[i].update) for i in places]

    def init(params: Any) -> tuple[Any, ...]:
        return tuple(t.init(params) for t in transforms)

    def update(updates: Any, state: Any, params: Any) -> tuple[Any, tuple[Any, ...]]:
        states: list[Any] = []
        for place, link in links:
            updates, new = link(updates, state[place], params)
            if type(place) is slice:
                states += new
            else:
                states.append(new)
        return updates, tuple(states)

    return Transform(init, update)


def scaling(init: Callable[[Any], Any], factors: Factors) -> Transform:
    """A Transform that multiplies each field of the updates by a factor: a scaling of a scaling is a scaling.

    Args:
        init: params -> state.
        factors: (state, params) -> (a list with one factor a field, state); a factor is a number or an array that
            broadcasts to the field (R, ...).
    """

    def update(updates: Any, state: Any, params: Any) -> tuple[Any, Any]:
        by, state = factors(state, params)
        return rebuild(updates, [f * u for f, u in zip(by, updates, strict=True)]), state

    return Transform(init, update, factors)


def _product(transforms: Sequence[Transform]) -> Transform:
    """The scalings as one; the state is the tuple of their states."""
    parts = [t.factors for t in transforms if t.factors]

    def init(params: Any) -> tuple[Any, ...]:
        return tuple(t.init(params) for t in transforms)

    def factors(state: Any, params: Any) -> tuple[list[Any], tuple[Any, ...]]:
        by, states = None, []
        for part, old in zip(parts, state, strict=True):
            more, new = part(old, params)
            by = more if by is None else [f * g for f, g in zip(by, more, strict=True)]
            states.append(new)
        return by or [], tuple(states)

    return scaling(init, factors)


def identity() -> Transform:
    """Leave the updates as they are; in `per_field` it means "nothing special for this field"."""
    return stateless(lambda updates, params: updates)


def stateless(update: Callable[[Any, Any], Any]) -> Transform:
    """A Transform from `update(updates, params) -> updates` that remembers nothing."""
    return Transform(lambda params: (), lambda updates, state, params: (update(updates, params), state))
