"""What a sweep returns: points, their arrays, and the failures, in one table that can be narrowed down."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.errors import require, shortened
from lib.sweep.vectorise import Point, Results

__all__ = ["SweepResult"]


@dataclass(frozen=True, repr=False)
class SweepResult:
    """Points of a sweep with what each returned; `result["loss"]` stacks one array over the points.

    In stacked arrays a failed point is a row of NaN, or of "" (whole numbers become floats where there is one).
    """

    points: Sequence[Point]  # settings with "seed", seeds innermost
    results: Sequence[Results]  # as run returned them; empty where failed
    errors: Mapping[int, str]  # index of a failed point -> the exception's text

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
        found = [one[name] for one in self.results if name in one]
        require(found, "name", f"one of {self._arrays() or 'none (all failed)'}", name)
        shapes = sorted({one.shape for one in found})
        require(len(shapes) == 1, name, "one shape over all points (narrow them with select)", f"shapes {shapes}")
        lacking = np.full(shapes[0], np.nan if found[0].dtype.kind in "biufc" else "")
        return np.stack([one.get(name, lacking) for one in self.results])

    def select(self, **settings: Any) -> "SweepResult":
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

    def to_dataframe(self) -> Any:
        """A `pandas.DataFrame`, one row a point: settings, results of one number or text, "failed" (text or None)."""
        import pandas  # an extra

        scalars = [{name: value.item() for name, value in one.items() if value.ndim == 0} for one in self.results]
        rows = [{**point, **scalars[i], "failed": self.errors.get(i)} for i, point in enumerate(self.points)]
        return pandas.DataFrame(rows)

    def __repr__(self) -> str:
        names = dict.fromkeys(name for point in self.points for name in point)
        settings = [f"  {name}: {shortened(', '.join(map(repr, self._values(name))))}" for name in names]
        failures = [f"  {count} x {shortened(text)}" for text, count in self.failures.items()]
        head = f"SweepResult of {len(self.points)} points, {len(self.errors) or 'none'} failed"
        return "\n".join([head, *settings, f"  arrays: {self._arrays() or 'none'}", *failures])

    def _arrays(self) -> str:
        return ", ".join(dict.fromkeys(name for one in self.results for name in one))

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
