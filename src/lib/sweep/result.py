"""What a sweep returns: points, their arrays, and the failures, in one table that can be narrowed down."""

from __future__ import annotations

import numbers
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.errors import InputError, shortened
from lib.sweep.blocks import Rows, blocks_of

__all__ = ["SweepResult"]

_SHOWN = 4  # values of a setting that a repr writes out


@dataclass(frozen=True, repr=False)
class SweepResult:
    """Points of a sweep with what each returned; `result["loss"]` stacks one array over the points.

    In stacked arrays a failed point is a row of NaN (whole numbers become floats where there is one).
    """

    points: Sequence[dict[str, Any]]  # settings with "seed", seeds innermost
    results: Sequence[dict[str, NDArray[Any]]]  # as run returned them; empty where failed; read as they are needed
    errors: Mapping[int, str]  # index of a failed point -> the exception's text

    @property
    def ok(self) -> NDArray[np.bool_]:
        """Which points succeeded, (n,)."""
        return np.array([i not in self.errors for i in range(len(self.points))], dtype=bool)

    @property
    def failed(self) -> list[tuple[dict[str, Any], str]]:
        """The failed points, each with the exception's text."""
        return [(self.points[i], text) for i, text in sorted(self.errors.items())]

    @property
    def failures(self) -> dict[str, int]:
        """The texts of the failures and how many points have each, the most frequent first."""
        return dict(Counter(self.errors.values()).most_common())

    @property
    def provenance(self) -> list[dict[str, Any]]:
        """Of each point the host, the process, the time in UTC and the seconds it took; empty where it failed."""
        return [self._rows.made(i) for i in range(len(self.points))]

    @cached_property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Name -> array (n, ...), for every name that all points returned in one shape."""
        return self._rows.stack(self._whole)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The array `name` of all points, (n, ...).

        Raises:
            InputError: if no point returned it, or the points returned different shapes.
        """
        if name in self._whole:
            return self._rows.stack([name])[name]
        if name in self._layouts:
            got = f"shapes {sorted(self._layouts[name])}"
            raise InputError(f"{name}: expected one shape over all points (narrow them with select), got {got}")
        raise InputError(f"name: expected one of {', '.join(self._whole) or 'none (all failed)'}, got {name}")

    def select(self, **settings: Any) -> SweepResult:
        """The points whose settings equal those given; a list, tuple, set, range or array means any of its values.

        Numbers are compared as numbers, exactly: 1, 1.0 and np.float32(1) are equal, NaN equals NaN; 0.1 + 0.2 and 0.3
        are not equal, and True is no number. A setting that is itself a list equals a list or tuple of the same values.

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
            self._rows.take(keep),
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
        shapes = [f"{name} {self._shape(name)}" for name in self._layouts]
        failures = [f"{count} x {shortened(text)}" for text, count in self.failures.items()]
        more = f", and {len(failures) - _SHOWN} more" if len(failures) > _SHOWN else ""
        return (
            f"SweepResult of {len(self.points)} points, {len(self.errors) or 'none'} failed\n"
            f"  settings: {', '.join(columns) or 'none'}\n"
            f"  arrays: {', '.join(shapes) or 'none'}"
        ) + (f"\n  failures: {', '.join(failures[:_SHOWN])}{more}" if failures else "")

    def _shape(self, name: str) -> str:
        """The shape of `result[name]`, in words where there is none."""
        shapes = self._layouts[name]
        if name in self._whole:
            return str((len(self.points), *next(iter(shapes))))
        return f"of {len(shapes)} shapes" if len(shapes) > 1 else f"of {sum(shapes.values())} points"

    @cached_property
    def _rows(self) -> Rows:
        if isinstance(self.results, Rows):
            return self.results
        given = [None if i in self.errors else dict(result) for i, result in enumerate(self.results)]
        return Rows.of(len(given), blocks_of(given, {}))

    @cached_property
    def _layouts(self) -> dict[str, dict[tuple[int, ...], int]]:
        return self._rows.layouts()

    @cached_property
    def _whole(self) -> list[str]:
        """Names that every point that succeeded returned, in one shape."""
        good = len(self.points) - len(self.errors)
        return [name for name, shapes in self._layouts.items() if list(shapes.values()) == [good]]


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
    return bool(a == b) or (a != a and b != b)  # a setting of NaN is found by NaN
