"""What a sweep returns: points, their arrays, and the failures, in one table that can be narrowed down."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.errors import InputError

__all__ = ["SweepResult"]

_SHOWN = 4  # values of a setting that a repr writes out


@dataclass(frozen=True, repr=False)
class SweepResult:
    """Points of a sweep with what each returned; `result["loss"]` stacks one array over the points.

    In stacked arrays a failed point is a row of NaN (whole numbers become floats where there is one).
    """

    points: tuple[dict[str, Any], ...]  # settings with "seed", seeds innermost
    results: tuple[dict[str, NDArray[Any]], ...]  # as run returned them; empty where failed
    errors: Mapping[int, str]  # index of a failed point -> the exception's text

    @property
    def ok(self) -> NDArray[np.bool_]:
        """Which points succeeded, (n,)."""
        return np.array([i not in self.errors for i in range(len(self.points))], dtype=bool)

    @property
    def failed(self) -> list[tuple[dict[str, Any], str]]:
        """The failed points, each with the exception's text."""
        return [(self.points[i], text) for i, text in sorted(self.errors.items())]

    @cached_property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Name -> array (n, ...), for every name that all points returned in one shape."""
        names = dict.fromkeys(name for result in self.results for name in result)
        stacked = {name: self._stack(name) for name in names}
        return {name: values for name, values in stacked.items() if values is not None}

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The array `name` of all points, (n, ...).

        Raises:
            InputError: if no point returned it, or the points returned different shapes.
        """
        if name in self.arrays:
            return self.arrays[name]
        shapes = {result[name].shape for result in self.results if name in result}
        if shapes:
            got = f"shapes {sorted(shapes)}"
            raise InputError(f"{name}: expected one shape over all points (narrow them with select), got {got}")
        raise InputError(f"name: expected one of {', '.join(self.arrays) or 'none (all failed)'}, got {name}")

    def select(self, **settings: Any) -> SweepResult:
        """The points whose settings equal those given; a list, tuple, set, range or array means any of its values.

        Numbers are compared as numbers, exactly: 1, 1.0 and np.float32(1) are equal; 0.1 + 0.2 and 0.3 are not, and
        True is no number. A setting that is itself a list equals a list or tuple of the same values.

        Raises:
            InputError: if no point agrees; the message lists the values that exist.
        """
        keep = list(range(len(self.points)))
        for name, wanted in settings.items():
            several = isinstance(wanted, list | tuple | set | frozenset | range) or np.ndim(wanted) > 0
            values = [wanted, *wanted] if several else [wanted]
            present = _different(point[name] for point in self.points if name in point)
            keep = [i for i in keep if name in self.points[i] and _among(self.points[i][name], values)]
            if not keep:
                known = present if present else f"the settings {', '.join(self.points[0])}"
                raise InputError(f"{name}: expected a value among {known}, got {wanted}")
        return SweepResult(
            tuple(self.points[i] for i in keep),
            tuple(self.results[i] for i in keep),
            {new: self.errors[old] for new, old in enumerate(keep) if old in self.errors},
        )

    def table(self) -> list[dict[str, Any]]:
        """One dict a point: settings, every result that is a single number or text, and "failed" (text or None)."""
        rows = []
        for i, (point, result) in enumerate(zip(self.points, self.results, strict=True)):
            scalars = {name: values.item() for name, values in result.items() if values.ndim == 0}
            rows.append({**point, **scalars, "failed": self.errors.get(i)})
        return rows

    def to_dataframe(self) -> Any:
        """The table as a `pandas.DataFrame`, one row a point; arrays are left out.

        Raises:
            ImportError: if pandas is not installed.
        """
        try:
            import pandas
        except ImportError:
            raise ImportError("to_dataframe needs pandas: pip install pandas, or use table()") from None
        return pandas.DataFrame(self.table())

    def __repr__(self) -> str:
        settings = dict.fromkeys(name for point in self.points for name in point)
        columns = [_counted(name, [point[name] for point in self.points if name in point]) for name in settings]
        arrays = dict.fromkeys(name for result in self.results for name in result)
        shapes = [f"{name} {self._shape(name)}" for name in arrays]
        return (
            f"SweepResult of {len(self.points)} points, {len(self.errors) or 'none'} failed\n"
            f"  settings: {', '.join(columns) or 'none'}\n"
            f"  arrays: {', '.join(shapes) or 'none'}"
        )

    def _shape(self, name: str) -> str:
        """The shape of `result[name]`, in words where there is none."""
        shapes = {result[name].shape for result in self.results if name in result}
        having = sum(name in result for result in self.results)
        if len(shapes) == 1 and having + len(self.errors) == len(self.points):
            return str((len(self.points), *shapes.pop()))
        return f"of {len(shapes)} shapes" if len(shapes) > 1 else f"of {having} points"

    def _stack(self, name: str) -> NDArray[Any] | None:
        found = [result.get(name) for result in self.results]
        good = [values for values in found if values is not None]
        if len({values.shape for values in good}) > 1 or len(good) + len(self.errors) < len(found):
            return None
        if len(good) == len(found):
            return np.stack(good)
        numbers = all(values.dtype.kind in "biufc" for values in good)
        blank = np.full(good[0].shape, np.nan if numbers else "")
        return np.stack([blank if values is None else values for values in found])


def _counted(name: str, values: list[Any]) -> str:
    """A setting with its values, or with how many there are."""
    different = _different(values)
    if len(different) == 1:
        return f"{name} = {different[0]!r}"
    shown = f": {', '.join(repr(value) for value in different)}" if len(different) <= _SHOWN else ""
    return f"{name} ({len(different)} values{shown})"


def _different(values: Iterable[Any]) -> list[Any]:
    """Values in the order met, each once, NumPy's numbers as Python's."""
    found: dict[str, Any] = {}
    for value in values:
        plain = value.item() if isinstance(value, np.generic) else value
        found.setdefault(repr(plain), plain)
    return list(found.values())


def _among(value: Any, wanted: list[Any]) -> bool:
    return any(_same(value, other) for other in wanted)


def _same(a: Any, b: Any) -> bool:
    """Whether two settings are equal: numbers as numbers, lists value by value."""
    a, b = (x.item() if isinstance(x, np.generic) else x.tolist() if isinstance(x, np.ndarray) else x for x in (a, b))
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, numbers.Number) != isinstance(b, numbers.Number):
        return False
    return bool(a == b)
