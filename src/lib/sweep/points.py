"""The points of a sweep: grids of settings, and every setting and seed checked before any work.

Used by `lib.sweep`.
"""

import inspect
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from lib.errors import InputError, is_whole, require, shortened
from lib.sweep.vectorise import Point, Vectorised

__all__ = ["complete", "grid"]


def grid(**values: Iterable[Any]) -> list[Point]:
    """All combinations of settings, for the `points` of a sweep; the last name changes fastest.

    Grids add up: `grid(...) + grid(...)`.

    Raises:
        InputError: if there is no setting, or one of them has no values, a single value, or a value twice.

    Example:
        >>> grid(lr=[0.1, 0.2], T=range(3, 5))
        [{'lr': 0.1, 'T': 3}, {'lr': 0.1, 'T': 4}, {'lr': 0.2, 'T': 3}, {'lr': 0.2, 'T': 4}]
    """
    require(values, "grid", "settings with their values such as lr=[0.01, 0.1]", "none")
    require("seed" not in values, "grid", "settings without 'seed' (see `seeds` of sweep)", "seed")
    columns = [_values(name, given) for name, given in values.items()]
    return [dict(zip(values, row, strict=True)) for row in itertools.product(*columns)]


def complete(run: Any, points: Iterable[Mapping[str, Any]], seeds: Sequence[int]) -> list[Point]:
    """Every point with every seed, seeds innermost, the defaults of a `vectorised` run filled in.

    Numbers of NumPy become Python's, also in lists, tuples and dicts; arrays stay what they are.

    Raises:
        InputError: if a setting or a seed is refused, see `sweep`.
    """
    require(callable(run), "run", "a function", type(run).__name__)
    given, chosen = _points(points), _seeds(seeds)
    bound: set[tuple[str, ...]] = set()  # names of settings that the run takes
    for i, point in enumerate(given):
        if "seed" in point:
            raise InputError(f"points[{i}]: expected settings without 'seed' (see `seeds`), got {point}")
        if not isinstance(run, Vectorised) and tuple(point) not in bound:
            try:
                inspect.signature(run).bind(**point, seed=0)
            except TypeError as error:
                raise InputError(f"points[{i}]: expected settings that `run` takes, got {point} ({error})") from None
            bound.add(tuple(point))
    full = [{**point, "seed": seed} for point in given for seed in chosen]
    if isinstance(run, Vectorised):
        full = [run.complete(point) for point in full]
    seen: set[str] = set()
    for point in full:
        text = repr(sorted(point.items()))
        if text in seen:
            raise InputError(f"points: expected each point once, got {point}")
        seen.add(text)
    return full


def _points(points: Any) -> list[Point]:
    wanted = "a list of settings such as [{'lr': 0.1}], or grid(lr=[0.1, 0.2])"
    if isinstance(points, Mapping):
        raise InputError(f"points: expected {wanted}, got one dict: write [{dict(points)}], or grid(...)")
    require(isinstance(points, Iterable) and not isinstance(points, str), "points", wanted, repr(points))
    listed = list(points)
    require(len(listed) > 0, "points", f"at least one point, in {wanted}", "none")
    for i, point in enumerate(listed):
        if not isinstance(point, Mapping):
            raise InputError(f"points[{i}]: expected settings such as {{'lr': 0.1}}, got {shortened(repr(point))}")
    return [{name: _python(value) for name, value in point.items()} for point in listed]


def _python(value: Any) -> Any:
    """A setting with Python's numbers for NumPy's: a run gets the same whoever wrote it, and is found again by it."""
    if isinstance(value, np.generic):
        return value.item()
    if type(value) in (list, tuple):
        return type(value)(_python(v) for v in value)
    return {key: _python(v) for key, v in value.items()} if type(value) is dict else value


def _seeds(seeds: Any) -> list[int]:
    wanted = f"a sequence such as range({seeds if is_whole(seeds) and seeds > 0 else 3})"
    listable = isinstance(seeds, Iterable) and not isinstance(seeds, str | Mapping)
    require(listable and np.ndim(seeds if isinstance(seeds, np.ndarray) else [0]) == 1, "seeds", wanted, repr(seeds))
    listed = list(seeds)
    require(len(listed) > 0, "seeds", f"at least one seed, in {wanted}", "none")
    for seed in listed:
        require(is_whole(seed) and seed >= 0, "seeds", "whole numbers >= 0", repr(seed))
    require(len(set(listed)) == len(listed), "seeds", "different seeds", listed)
    return [int(seed) for seed in listed]


def _values(name: str, given: Any) -> list[Any]:
    listable = isinstance(given, Iterable) and not isinstance(given, str | Mapping)
    require(listable and np.ndim(given) > 0, name, f"a list of values such as [{given!r}]", repr(given))
    listed = given.tolist() if isinstance(given, np.ndarray) else list(given)
    require(len(listed) > 0, name, "at least one value", "none")
    texts = [repr(value) for value in listed]
    require(len(set(texts)) == len(texts), name, "each value once", listed)
    return listed
