"""A cloud of recorded settings around the present one: the points, the arrays, and the JSON the chart module reads."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from hal.figure.charts import Limits, common
from hal.figure.facts import Numbers
from hal.figure.marks import check_axis, colour, shown
from lib.errors import require


@dataclass(frozen=True)
class Recorded:
    """A point of a cloud.

    Args:
        x, y: where it lies.
        settings: the values of sliders there; sliders left out stay where they are.
    """

    x: float
    y: float
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Cloud:
    """Recorded settings as faint points, and the present setting among them, with its interval.

    A point that is clicked, or chosen with the arrow keys, sets the sliders to its settings.

    Args:
        x, y: names of single numbers of the present setting: of a theory function, of the run metrics or the summary.
        recorded: the points.
        low, high: names of the ends of the interval of y; both or none.
        curve: what theory says, a curve over the same axes: names of two arrays of the theory, and its label.
        xlabel, ylabel: axis titles with the unit in brackets at the end.
        title: text above the panel.
        label: what the present point is, for the legend.
        recorded_label: what a faint point is, for the legend.
        idea: colour of the present point.
        xlog, ylog: logarithmic axes.
        xlim, ylim: (low, high), None for an end that follows the points.
        height: pixels of the plot.
        wide: take the whole row.
    """

    kind: ClassVar[str] = "cloud"
    x: str
    y: str
    _: KW_ONLY
    recorded: Sequence[Recorded]
    low: str | None = None
    high: str | None = None
    curve: tuple[str, str, str] | None = None
    xlabel: str
    ylabel: str
    title: str
    label: str
    recorded_label: str
    idea: str | None = None
    xlog: bool = False
    ylog: bool = False
    xlim: Limits = None
    ylim: Limits = None
    height: int | None = None
    wide: bool = False

    def __post_init__(self) -> None:
        require(self.recorded, f"recorded of panel {self.title!r}", "at least one point", "none")
        require((self.low is None) == (self.high is None), "low, high", "both ends or none", (self.low, self.high))
        check_axis(self.xlabel, "xlabel", self.title)
        check_axis(self.ylabel, "ylabel", self.title)

    def spec(self) -> dict[str, Any]:
        """The JSON the chart module reads."""
        points = sorted(self.recorded, key=lambda p: (p.x, p.y))
        same = {name: getattr(self, name) for name in ("label", "recorded_label", "xlog", "ylog", "xlim", "ylim")}
        return {
            **common(self, xlabel=shown(self.xlabel), ylabel=shown(self.ylabel)),
            **same,
            "colour": colour(self.idea, 0),
            "curve": self.curve[2] if self.curve else None,
            "recorded": [[p.x, p.y, dict(p.settings)] for p in points],
        }

    def sources(self) -> dict[str, str]:
        """The name behind every role: x, y, low, high, and of the curve cx and cy."""
        single = {role: name for role in ("x", "y", "low", "high") if (name := getattr(self, role)) is not None}
        return {**single, "cx": self.curve[0], "cy": self.curve[1]} if self.curve else single

    def check(self, numbers: Numbers) -> None:
        """Raise `InputError` where an array of the curve is missing, or they differ in length."""
        if self.curve:
            numbers.agree(self.curve[1], numbers.of(self.curve[0]).size, repr(self.curve[0]))


cloud = Cloud  # as an author calls it
