"""The time bar as a curve: a series of the run that is shown stands on the bar, and its handle rides on it."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.explorer.charts import Lines
from hal.explorer.facts import Result
from hal.explorer.marks import colour
from lib.errors import require

LOWEST, HIGHEST = 40, 110  # pixels


@dataclass(frozen=True)
class TimeBar:
    """What stands on the time bar. What is left out is as in the first line chart that draws the series.

    Args:
        name: a reading of the run, or of the theory.
        x: name of its times; where no chart draws it the figure's time.
        xlog, ylog: logarithmic time, logarithmic height; what is not positive is a gap.
        idea: colour, as of a `Line`.
        height: pixels, from 40 to 110.

    Raises:
        InputError: if the height is out of range.
    """

    name: str
    _: KW_ONLY
    x: str | None = None
    xlog: bool | None = None
    ylog: bool | None = None
    idea: str | None = None
    height: int = 64

    def __post_init__(self) -> None:
        require(LOWEST <= self.height <= HIGHEST, "height of TIMEBAR", f"{LOWEST} to {HIGHEST} pixels", self.height)

    def beside(self, panels: Sequence[Any], time: str) -> "TimeBar":
        """The same with what it takes from the first of these charts that draws it, and from the time's name."""
        charts = [panel for panel in panels if isinstance(panel, Lines) and not panel.frames]
        for panel in charts:
            for j, series in enumerate(panel.series):
                if series.name == self.name:
                    same: dict[str, Any] = {"x": series.x or panel.x, "xlog": panel.xlog, "ylog": panel.ylog}
                    same["idea"] = colour(series.idea, j, series.theory)
                    return replace(self, **{key: v for key, v in same.items() if getattr(self, key) is None})
        return replace(self, x=self.x or time, xlog=bool(self.xlog), ylog=bool(self.ylog))

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        return {
            "name": self.name,
            "x": self.x,
            "xlog": self.xlog,
            "ylog": self.ylog,
            "colour": colour(self.idea, 0),
            "height": self.height,
        }

    def items(self, result: Result) -> dict[str, NDArray[np.float64]]:
        """What is drawn: "bar.x" (K,) and "bar.y", as many numbers as the run that is shown has recorded of K.

        Raises:
            InputError: if a name is unknown, or there are more numbers than times.
        """
        shown = result.runs[result.shown] if result.runs else {}
        found = {}
        for role, name in (("bar.x", self.x), ("bar.y", self.name)):
            values = result.theory.get(str(name), shown.get(str(name)))
            require(values is not None, "TIMEBAR", f"one of {sorted({*result.theory, *shown})}", repr(name))
            found[role] = np.asarray(values, dtype=float)
        sizes = [array.size for array in found.values()]
        fewer = sizes[1] < sizes[0] and self.name in shown  # a run that diverged
        require(
            fewer or sizes[0] == sizes[1], "TIMEBAR", f"{self.name!r} of {sizes[0]} numbers, as its times", sizes[1]
        )
        return found


def time_bar(given: TimeBar | str | None, panels: Sequence[Any], time: str) -> TimeBar | None:
    """What a figure declares as `TIMEBAR`, a name or a `TimeBar`, with all that is known of it."""
    bar = TimeBar(given) if isinstance(given, str) else given
    return bar and bar.beside(panels, time)
