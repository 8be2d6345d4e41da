"""What a sweep returns: points, their arrays, and the failures, in one table that can be narrowed down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.errors import require, shortened
from lib.sweep.vectorise import Point, Results

__all__ = ["SweepResult"]

_SHOWN = 4  # values of a setting that a repr writes out


@dataclass(frozen=True, repr=False)
class SweepResult:
    """Points of a sweep with what each returned; `result["loss"]` stacks one array over the points.

    In stacked arrays a failed point is a row of NaN, or of "" (whole numbers become floats where there is one).
    """

    points: Sequence[Point]  # settings with "seed", seeds innermost
    results: Sequence[Results]  # as run returned them; empty where failed
    errors: Mapping[int, str]  # index of a failed point -> the exception's text

    @property
    def ok(self) -> NDArray[np.bool_]:
        """Which points succeeded, (n,)."""
        return np.array([i not in self.errors for i in range(len(self.points))], dtype=bool)

    @property
    def failed(self) -> list[tuple[Point, str]]:
        """The failed points, each with the exception's text."""
        return [(self.points[i], text) for i, text in sorted(self.errors.items())]

    @property
    def failures(self) -> dict[str, int]:
        """The texts of the failures and how many points have each, the most frequent first."""
        return dict(Counter(self.errors.values()).most_common())

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The array `name` of all points, (n, ...); refused where points returned none, or different shapes."""
        shapes = self._shapes()
        require(name in shapes, "name", f"one of {', '.join(shapes) or 'none (all failed)'}", name)
        wanted = "one shape over all points (narrow them with select)"
        require(len(shapes[name]) == 1, name, wanted, f"shapes {sorted(shapes[name])}")
        some = next(one[name] for one in self.results if name in one)
        lacking = np.full(some.shape, np.nan if some.dtype.kind in "biufc" else "")
        return np.stack([one.get(name, lacking) for one in self.results])

    def select(self, **settings: Any) -> SweepResult:
        """The points whose settings equal those given; a list, tuple, set, range or array means any of its values.

        Numbers are compared as numbers, exactly: 1, 1.0 and np.float32(1) are equal, NaN equals NaN; 0.1 + 0.2 and 0.3
        are not equal, and True is no number. A setting that is itself a list equals a list or tuple of the same values.
        If no point agrees, the message lists the values that exist.
        """
        keep = list(range(len(self.points)))
        for name, wanted in settings.items():
            several = isinstance(wanted, list | tuple | set | frozenset | range) or np.ndim(wanted) > 0
            texts = {_text(value) for value in ([wanted, *wanted] if several else [wanted])}
            known = self._values(name) or f"the settings {', '.join(self.points[0])}"
            keep = [i for i in keep if name in self.points[i] and _text(self.points[i][name]) in texts]
            require(keep, name, f"a value among {known}", wanted)
        errors = {new: self.errors[old] for new, old in enumerate(keep) if old in self.errors}
        return SweepResult([self.points[i] for i in keep], [self.results[i] for i in keep], errors)

    def table(self) -> list[dict[str, Any]]:
        """One dict a point: settings, every result that is a single number or text, and "failed" (text or None)."""
        scalars = [{name: value.item() for name, value in one.items() if value.ndim == 0} for one in self.results]
        return [{**point, **scalars[i], "failed": self.errors.get(i)} for i, point in enumerate(self.points)]

    def to_dataframe(self) -> Any:
        """The table as a `pandas.DataFrame`, one row a point; ImportError where pandas is not installed."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_dataframe needs pandas: pip install pandas, or use table()") from None
        return pandas.DataFrame(self.table())

    def __repr__(self) -> str:
        columns = []
        for name in dict.fromkeys(name for point in self.points for name in point):
            values = self._values(name)
            shown = f": {', '.join(map(repr, values))}" if len(values) <= _SHOWN else ""
            columns.append(f"{name} = {values[0]!r}" if len(values) == 1 else f"{name} ({len(values)} values{shown})")
        arrays = [f"{name} {(len(self.points), *min(shapes)) if len(shapes) == 1 else f'of {len(shapes)} shapes'}"
                  for name, shapes in self._shapes().items()]  # fmt: skip
        failures = [f"{count} x {shortened(text)}" for text, count in self.failures.items()]
        more = [f"and {len(failures) - _SHOWN} more"] if len(failures) > _SHOWN else []
        return (
            f"SweepResult of {len(self.points)} points, {len(self.errors) or 'none'} failed\n"
            f"  settings: {', '.join(columns) or 'none'}\n"
            f"  arrays: {', '.join(arrays) or 'none'}"
        ) + (f"\n  failures: {', '.join(failures[:_SHOWN] + more)}" if failures else "")

    def _shapes(self) -> dict[str, set[tuple[int, ...]]]:
        found: dict[str, set[tuple[int, ...]]] = {}
        for one in self.results:
            for name, value in one.items():
                found.setdefault(name, set()).add(value.shape)
        return found

    def _values(self, name: str) -> list[Any]:
        """The different values of a setting in the order met, NumPy's numbers as Python's."""
        values = [point[name] for point in self.points if name in point]
        return list({repr(v): v for v in (v.item() if isinstance(v, np.generic) else v for v in values)}.values())


def _text(value: Any) -> str:
    """What equal settings share: numbers as numbers, lists value by value."""
    plain = value.tolist() if isinstance(value, np.generic | np.ndarray) else value
    if isinstance(plain, list | tuple):
        return f"[{', '.join(map(_text, plain))}]"
    return repr(plain + 0.0 if isinstance(plain, float) or (type(plain) is int and abs(plain) < 2**53) else plain)
