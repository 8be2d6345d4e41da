"""The time bar as a curve: a series of the run that is shown stands on the bar, and its handle rides on it.

What is refused is refused with `InputError`, which names the argument, what is expected and what it got.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

from hal.figure.charts import Lines
from hal.figure.facts import Numbers, Result
from hal.figure.marks import colour
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

    def check(self, result: Result) -> None:
        """Raise `InputError` if a name is unknown, or there are more numbers than times."""
        numbers = Numbers(result, "TIMEBAR")
        times, found = numbers.of(str(self.x)).size, numbers.of(self.name).size
        fewer = found < times and self.name in numbers.shown  # a run that diverged
        require(fewer or times == found, "TIMEBAR", f"{self.name!r} of {times} numbers, as its times", found)


def time_bar(given: TimeBar | str | None, panels: Sequence[Any], time: str) -> TimeBar | None:
    """What a figure declares as `TIMEBAR`, a name or a `TimeBar`, with all that is known of it."""
    bar = TimeBar(given) if isinstance(given, str) else given
    return bar and bar.beside(panels, time)
