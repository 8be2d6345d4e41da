"""The library's fast model over a figure's own runs: other random numbers, the same law, so bands are compared."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.figure.charts import Lines, Panel
from hal.figure.declared import Declared
from hal.figure.marks import Line, Path, colour
from hal.figure.page import STATIC
from hal.figure.scenes import Plane
from hal.palette import PALETTE
from lib.errors import require

PREFIX = "fast."  # of the names under which panels draw the fast model


class Comparison(NamedTuple):
    """Runs of the fast model at some settings.

    Attributes:
        settings: of the sliders.
        arrays: name -> (runs, K), named and recorded as the figure's readings; NaN from where a run diverged.
        seconds: all runs together took.
    """

    settings: dict[str, Any]
    arrays: dict[str, NDArray[np.float64]]
    seconds: float

    @property
    def runs(self) -> int:
        """How many there are."""
        return len(next(iter(self.arrays.values())))

    def bands(self) -> dict[str, NDArray[np.float64]]:
        """name -> (3, K): lower end, middle and upper end, the 10, 50 and 90 % quantiles over runs."""
        return {name: _band(values) for name, values in self.arrays.items()}

    def apart(self, runs: Sequence[Mapping[str, Sequence[float]]]) -> dict[str, tuple[float, float]]:
        """How far the medians of other runs lie away.

        Args:
            runs: readings of finished runs, such as those of `Computed.compute`; diverged ones are left out.

        Returns:
            name -> (largest distance of the two medians, width of the other runs' band at that place).
        """
        whole = [run for run in runs if not run["diverged_at"][0] >= 0]
        require(whole, "runs", "at least one that did not diverge", f"{len(runs)} that did")
        found = {}
        for name, ours in self.bands().items():
            theirs = _band(np.array([run[name] for run in whole], float))
            distance = np.nan_to_num(abs(ours[1, : theirs.shape[1]] - theirs[1]), nan=-1.0)
            at = int(distance.argmax())
            found[name] = float(distance[at]), float(theirs[2, at] - theirs[0, at])
        return found

    def __repr__(self) -> str:
        said = ", ".join(f"{name} = {value}" for name, value in self.settings.items())
        many = f"{self.runs} runs" if self.runs > 1 else "1 run"
        took = "" if os.environ.get(STATIC) else f" in {self.seconds:.2f} s"  # a page is the same whenever it is built
        return f"{many} of the fast library{took}, where {said}"


def fast_runs(figure: Declared, settings: Mapping[str, Any], runs: int) -> Comparison:
    """Runs of a figure's fast model at these settings."""
    require(figure.fast is not None, "fast", "a figure that knows the fast model of its run", repr(figure))
    assert figure.fast is not None
    point = figure.check(settings)
    chosen = figure.settings_of(**point)
    start = time.perf_counter()
    arrays = {name: np.asarray(values, float) for name, values in figure.fast(chosen, range(runs)).items()}
    return Comparison(point, arrays, time.perf_counter() - start)


def with_fast(panels: Sequence[Panel], names: Sequence[str]) -> list[Panel]:
    """The panels with a further curve for each of their curves that the fast model has too."""
    return [_with_fast(panel, set(names)) for panel in panels]


def _with_fast(panel: Panel, names: set[str]) -> Panel:
    if isinstance(panel, Lines):
        taken = {colour(line.idea, j, line.theory) for j, line in enumerate(panel.series)}
        free = [one for one in PALETTE.values() if one not in taken]
        twins = [line for line in panel.series if line.name in names]
        more = [
            Line(PREFIX + line.name, f"{line.label}, fast library", idea=free[i % len(free)], x=line.x)
            for i, line in enumerate(twins)
        ]
        return replace(panel, y=(*panel.series, *more))
    if isinstance(panel, Plane):
        paths = [
            Path(PREFIX + path.x, PREFIX + path.y, "fast library, median", idea=PALETTE["purple"], t=path.t)
            for path in panel.paths
            if path.x in names and path.y in names
        ]
        return replace(panel, paths=(*panel.paths, *paths))
    return panel


def _band(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """(runs, K) -> (3, K): lower end, middle and upper end; NaN where no run is left."""
    values = np.where(np.isfinite(values), values, np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # "All-NaN slice": every run diverged, a gap is right
        return np.asarray(np.nanquantile(values, [0.1, 0.5, 0.9], axis=0))
