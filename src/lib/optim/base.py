"""What an optimiser is: a pair of pure functions, how pairs are put together, and how an increment is added.

Updates are written nowhere in place: a gradient may be an array that the problem keeps.

Used by every chapter. Source: the interface of optax (DeepMind 2020, https://github.com/google-deepmind/optax).
"""

import functools
import itertools
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from lib.errors import require
from lib.optim.hyper import Schedule, StepCount, align

Array = NDArray[np.float64]
Tree = TypeVar("Tree", bound=tuple[Any, ...])  # a NamedTuple of arrays, each (R, ...)


class Scaling(NamedTuple):
    """What a transform multiplies every field by: something fixed, times values of the step."""

    fixed: float | Array  #: a number, or an array that broadcasts to each field (R, ...)
    values: tuple[tuple[str, Schedule], ...]  #: (name, checked schedule): a number or one number a run (R,)


class Transform(NamedTuple):
    """A pair of pure functions that turns gradients into increments.

    `init(params) -> state`; `update(updates, state, params) -> (updates, state)`.
    `params` and `updates` are NamedTuples of arrays (R, ...). Updates start as gradients and end as the
    increment to add. Neither function writes to what it is given, and all that changes between steps is in
    `state`: a run can be stopped, saved (pickle, or the arrays one by one), and resumed bit for bit.

    A transform that only multiplies says by what, in `scaling`, so that `chain` can merge it with its neighbours.
    """

    init: Callable[[Any], Any]  #: params -> state
    update: Callable[[Any, Any, Any], tuple[Any, Any]]  #: (updates, state, params) -> (updates, state)
    scaling: Scaling | None = None  #: of a transform that only multiplies, and the same for all parameters


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

    Neighbours that only multiply are one multiplication with one state: their factors, which are small (a number, one
    number a run, one a row), are multiplied first, so that the big arrays are read and written once.
    """
    require(len(transforms) > 0, "transforms", "at least one Transform", "none")
    for i, t in enumerate(transforms):
        require(isinstance(t, Transform), f"transforms[{i}]", "a Transform (init, update)", type(t).__name__)
    links: list[Transform] = []
    for multiplies, group in itertools.groupby(transforms, key=lambda t: t.scaling is not None):
        several = list(group)
        links += [functools.reduce(_product, several)] if multiplies else several
    updaters = [t.update for t in links]

    def init(params: Any) -> tuple[Any, ...]:
        return tuple(t.init(params) for t in links)

    def update(updates: Any, state: Any, params: Any) -> tuple[Any, tuple[Any, ...]]:
        states = []
        for updater, old in zip(updaters, state, strict=True):
            updates, new = updater(updates, old, params)
            states.append(new)
        return updates, tuple(states)

    return links[0] if len(links) == 1 and links[0].scaling else Transform(init, update)


def scaled(by: Scaling, check: Callable[[Any], None]) -> Transform:
    """A Transform that multiplies each field of the updates; at `init`, `check` refuses what it does not fit."""
    fixed, values = by

    def init(params: Any) -> Any:
        check(params)
        return StepCount(0) if values else ()

    def update(updates: Any, state: Any, params: Any) -> tuple[Any, Any]:
        factor: Any = fixed
        if values:
            product: Any = 1.0
            for name, at in values:
                value = at(state.step)
                if not isinstance(value, float):
                    align(name, value, updates[0])  # refuses values of another number of runs
                product = product * value
            state = StepCount(state.step + 1)
            if not isinstance(product, float):
                return rebuild(updates, [align("", product, u) * fixed * u for u in updates]), state
            factor = product * fixed
        return rebuild(updates, [factor * u for u in updates]), state

    return Transform(init, update, by)


def _product(first: Transform, second: Transform) -> Transform:
    """Two scalings as one: a scaling of a scaling is a scaling."""
    one, two = (cast(Scaling, t.scaling) for t in (first, second))

    def check(params: Any) -> None:
        first.init(params)
        second.init(params)

    return scaled(Scaling(one.fixed * two.fixed, one.values + two.values), check)


def identity() -> Transform:
    """Leave the updates as they are; in `per_field` it means "nothing special for this field"."""
    return stateless(lambda updates, params: updates)


def stateless(update: Callable[[Any, Any], Any]) -> Transform:
    """A Transform from `update(updates, params) -> updates` that remembers nothing."""
    return Transform(lambda params: (), lambda updates, state, params: (update(updates, params), state))


class Field(NamedTuple):
    """One field of the parameters, as the transform of that field sees it."""

    value: Array  #: (R, ...)


def per_field(**transforms: Transform) -> Transform:
    """Apply one transform to each field; the state is a dict field -> state.

    Args:
        transforms: one Transform for every field of the parameters, by name. A field cannot be left out, because
            its raw gradient would then be added: say `identity()` (within a chain) or `freeze()`.
    """
    require(len(transforms) > 0, "transforms", "one Transform for each field", "none")
    for name, t in transforms.items():
        require(isinstance(t, Transform), name, "a Transform (init, update)", type(t).__name__)

    updaters = {name: t.update for name, t in transforms.items()}
    new = tuple.__new__  # of a NamedTuple, in half the time

    def init(params: Any) -> dict[str, Any]:
        known = params._fields
        for name in transforms:
            require(name in known, name, f"one of the fields {', '.join(known)}", "an unknown field")
        for name in known:
            require(name in transforms, name, "a transform (or identity(), freeze())", "nothing")
        return {name: transforms[name].init(Field(getattr(params, name))) for name in known}

    def update(updates: Any, state: dict[str, Any], params: Any) -> tuple[Any, dict[str, Any]]:
        moved, states = [], {}
        for (name, old), u, p in zip(state.items(), updates, params, strict=True):
            alone, states[name] = updaters[name](new(Field, (u,)), old, new(Field, (p,)))
            moved.append(alone[0])
        return rebuild(updates, moved), states

    return Transform(init, update)


def freeze() -> Transform:
    """Hold the parameters where they are: the increment is exactly zero."""
    return stateless(lambda updates, params: rebuild(updates, map(np.zeros_like, updates)))
