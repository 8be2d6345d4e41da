"""Mark an experiment that can do many settings of one shape in one call.

Law, tested for each experiment: a point computed among many equals the point computed alone, bit for bit.
"""

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.errors import require

__all__ = ["Point", "Results", "Vectorised", "arrays", "vectorised"]

Point = dict[str, Any]
Results = dict[str, NDArray[Any]]
Many = Callable[[list[Point]], list[Results]]


class Vectorised:
    """An experiment: call it with settings for one point, or `many(points)` for many; see `vectorised`."""

    __qualname__: str  # the function's, so that pickle and messages find it

    def __init__(self, function: Many, shape_settings: tuple[str, ...], defaults: Mapping[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self.shape_settings, self.defaults = shape_settings, {"seed": 0, **defaults}
        self._function = function
        for name in shape_settings:
            require(name in self.defaults, "shape_settings", "names that have a default", name)

    def __call__(self, **settings: Any) -> Results:
        """Compute one point; settings left out take their defaults."""
        return self.many([settings])[0]

    def many(self, points: Iterable[Mapping[str, Any]]) -> list[Results]:
        """Compute many points, one call of the function for each shape; results in the order of the points."""
        full = [self.complete(point) for point in points]
        results: dict[int, Results] = {}
        for indices in self.groups(full):
            found = self._function([full[i] for i in indices])
            good = isinstance(found, list) and len(found) == len(indices)
            require(good, self.__qualname__, f"a list of {len(indices)} results", repr(found))
            results |= {i: arrays(self.__qualname__, one) for i, one in zip(indices, found, strict=True)}
        return [results[i] for i in range(len(full))]

    def complete(self, settings: Mapping[str, Any]) -> Point:
        """The settings with the defaults filled in, in the order of the defaults; unknown names are refused."""
        for name in settings:
            require(name in self.defaults, "settings", f"names among {', '.join(self.defaults)}", name)
        return {**self.defaults, **settings}

    def groups(self, points: Sequence[Mapping[str, Any]]) -> list[list[int]]:
        """Indices of the points that share a shape, one list a shape, in the order met."""
        shapes: dict[str, list[int]] = {}
        for i, point in enumerate(points):
            shapes.setdefault(repr([point[name] for name in self.shape_settings]), []).append(i)
        return list(shapes.values())

    def __reduce__(self) -> Any:
        # by the name, which now means this object; a notebook's or nested one goes by value, which joblib can do
        if self.__module__ == "__main__" or "<locals>" in self.__qualname__:
            return Vectorised, (self._function, self.shape_settings, self.defaults)
        return self.__qualname__


def vectorised(*shape_settings: str, defaults: Mapping[str, Any]) -> Callable[[Many], Vectorised]:
    """Decorate `run(points) -> results`, able to do many points that agree on `shape_settings` in one call.

    The function gets complete points, each with its own "seed", and returns one dict of arrays for each.

    Args:
        shape_settings: the settings on which all points of one call agree, because array shapes depend on them.
        defaults: every setting with its default; "seed" is always one (default 0). Other names are refused.

    Example:
        >>> @vectorised("T", defaults={"T": 4, "lr": 0.5})
        ... def decay(points):
        ...     lr = np.array([p["lr"] for p in points])
        ...     return [{"x": x} for x in (1 - lr[:, None]) ** np.arange(points[0]["T"])]
        >>> decay(lr=0.1, T=3)["x"]
        array([1.  , 0.9 , 0.81])
    """
    return lambda function: Vectorised(function, shape_settings, defaults)


def arrays(run: str, result: Any) -> Results:
    """What a run returned for a point, as arrays."""
    require(isinstance(result, Mapping), run, "a dict of arrays for each point", type(result).__name__)
    found = {str(name): np.asarray(value) for name, value in result.items()}
    for name, values in found.items():
        require(not values.dtype.hasobject, f"{run}'s {name!r}", "an array of numbers or text", "Python objects")
    return found
