"""What a sweep returns: points, their arrays, and the failures, in one table that can be narrowed down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.errors import InputError


@dataclass(frozen=True)
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
        """The points whose settings equal those given; a list, tuple or set means any of its values.

        Raises:
            InputError: if no point agrees; the message lists the values that exist.
        """
        keep = list(range(len(self.points)))
        for name, wanted in settings.items():
            values = list(wanted) if isinstance(wanted, list | tuple | set | range | np.ndarray) else [wanted]
            present = list(dict.fromkeys(point.get(name) for point in self.points))
            keep = [i for i in keep if name in self.points[i] and self.points[i][name] in values]
            if not keep:
                raise InputError(f"{name}: expected a value among {present}, got {wanted}")
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
