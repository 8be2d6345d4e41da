"""A different transform for each field of the parameters, and the one that holds a field still."""

from typing import Any, NamedTuple

import numpy as np

from lib.errors import require
from lib.optim.base import Array, Transform, rebuild, stateless


class Field(NamedTuple):
    """One field of the parameters, as the transform of that field sees it."""

    value: Array  #: (R, ...)


def per_field(**transforms: Transform) -> Transform:
    """Apply one transform to each field; the state is a dict field -> state.

    Args:
        transforms: one Transform for every field of the parameters, by name. A field cannot be left out, because
            its raw gradient would then be added: say `identity()` (within a chain) or `freeze()`.

    Raises:
        InputError: if an argument is not a Transform; at `init`, if a name is not a field or a field is missing.

    Example:
        >>> from lib.optim import prox_l1, sgd
        >>> optimiser = per_field(V=sgd(0.01), A=chain(sgd(0.02), prox_l1(1e-4)))  # doctest: +SKIP
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
