"""Line and bar charts: what an author says of one, what its arrays must be, and the JSON the chart module reads."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from hal.figure.facts import Numbers
from hal.figure.marks import Lift, Line, Mark, Spot, check_axis, colour, shown
from lib.errors import require

Limits = tuple[float | None, float | None] | None
Arrays = dict[str, NDArray[np.float64]]  # to draw, by role


class Panel(Protocol):
    """What an explorer asks of a panel."""

    kind: ClassVar[str]

    @property
    def title(self) -> str:
        """Text above the panel."""

    def spec(self) -> dict[str, Any]:
        """The JSON the chart module reads."""

    def sources(self) -> dict[str, str]:
        """The name behind every array to draw, by its role."""

    def check(self, numbers: Numbers) -> None:
        """Raise `InputError` where an array is missing or does not fit."""


@dataclass(frozen=True)
class _Chart:
    """What line and bar charts have in common."""

    kind: ClassVar[str]
    x: str
    y: Sequence[Line | str]
    _: KW_ONLY
    xlabel: str
    ylabel: str
    title: str
    ylim: Limits = None
    height: int | None = None
    wide: bool = False
    spots: Sequence[Spot] = ()

    def __post_init__(self) -> None:
        require(self.y, f"y of panel {self.title!r}", "at least one series", "none")
        check_axis(self.xlabel, "xlabel", self.title)
        check_axis(self.ylabel, "ylabel", self.title)

    @property
    def series(self) -> tuple[Line, ...]:
        """The series; a plain name stands for `Line(name, name)`."""
        return tuple(Line(s, s) if isinstance(s, str) else s for s in self.y)

    def spec(self) -> dict[str, Any]:
        """The JSON the chart module reads."""
        series = [
            {
                "label": s.label,
                "colour": colour(s.idea, j, s.theory),
                "theory": s.theory,
                **({"dash": list(s.dash)} if s.dash else {}),
                "each": s.each or s.rows is not None,
                "rows": s.rows,
                **({"ahead": True} if s.ahead else {}),
                **({"named": s.named_at} if s.named_at is not None else {}),
                **({"fill": True} if s.fill else {}),
                **({"corner": True} if s.corner else {}),
            }
            for j, s in enumerate(self.series)
        ]
        return {
            **common(self, xlabel=shown(self.xlabel), ylabel=shown(self.ylabel)),
            "series": series,
            "x": self.x,
            "ylim": self.ylim,
            "spots": [one.spec() for one in self.spots],
        }

    def sources(self) -> dict[str, str]:
        """The name behind every role: x, y0, y0.x and so on."""
        named = {f"y{j}": s.name for j, s in enumerate(self.series)}
        own = {f"y{j}.x": s.x for j, s in enumerate(self.series) if s.x is not None}
        spots = {f"s{j}{side}": getattr(s, side) for j, s in enumerate(self.spots) if s.x for side in "xy"}
        return {"x": self.x, **named, **own, **spots}

    def check(self, numbers: Numbers) -> None:
        """Raise `InputError` where an array is missing or does not fit."""
        for s in self.series:
            size = numbers.of(s.x or self.x).size
            if s.rows is not None:
                numbers.parts(s.name, numbers.size(s.rows, "rows"), "records")
            elif s.name in numbers.theory:
                numbers.agree(s.name, size, repr(s.x or self.x))
            else:
                numbers.of(s.name)


@dataclass(frozen=True)
class Lines(_Chart):
    """A line chart of arrays against `x`, with seed bands, theory dashed on top and the time cursor.

    Args:
        x: key of the x array (K,).
        y: series; a plain name stands for `Line(name, name)`.
        xlabel, ylabel: axis titles with the unit in brackets at the end.
        title: text above the panel.
        xlog, ylog: logarithmic axes; what is not positive is a gap.
        xswitch, yswitch: a button that shows the axis the other way, linear or logarithmic.
        xlabels: in place of `xlabel`, one for each value of the figure's switch of the axis.
        xlim, ylim: (low, high), None for an end that follows the data. They hold for the axis as it is declared; after
            a switch it follows the data.
        marks: vertical lines, strips and brackets over time.
        gap: a word for how far the first two series are apart in the end, at a bracket between them.
        lift: the left end of a curve as a handle that moves a setting.
        height: pixels of the plot.
        wide: take the whole row.
        spots: large dots with words at them.
    """

    kind: ClassVar[str] = "lines"
    _: KW_ONLY
    xlog: bool = False
    ylog: bool = False
    xswitch: bool = False
    yswitch: bool = False
    xlabels: Sequence[str] = ()
    xlim: Limits = None
    marks: Sequence[Mark] = ()
    gap: str = ""
    lift: Lift | None = None

    def spec(self) -> dict[str, Any]:
        """The JSON the chart module reads."""
        same = {name: getattr(self, name) for name in ("xlog", "ylog", "xswitch", "yswitch", "xlim")}
        lift = {"lift": {"setting": self.lift.setting, "sets": dict(self.lift.sets)}} if self.lift else {}
        named: dict[str, Any] = {"xlabels": list(self.xlabels)} if self.xlabels else {}
        if any(m.idea for m in self.marks):
            named["hues"] = [m.idea and colour(m.idea, j) for j, m in enumerate(self.marks)]
        if any(m.until for m in self.marks):
            named["spans"] = [m.bracket if m.until else None for m in self.marks]
        gap = {"gap": self.gap} if self.gap else {}
        return {**super().spec(), **same, **lift, **named, **gap, "marks": [m.label for m in self.marks]}

    def sources(self) -> dict[str, str]:
        """The name behind every role, `singles` among them."""
        return {**super().sources(), **self.singles}

    @property
    def singles(self) -> dict[str, str]:
        """The names of single numbers by role: the marks m0, m1 and so on, and of a handle at and unit."""
        lift = {"at": self.lift.at, "unit": self.lift.unit} if self.lift else {}
        ends = {f"u{j}": mark.until for j, mark in enumerate(self.marks) if mark.until}
        return {f"m{j}": mark.name for j, mark in enumerate(self.marks)} | ends | lift


@dataclass(frozen=True)
class Bars(_Chart):
    """A bar chart: measured series are bars, theory series short dashes.

    Args:
        x: key of the x array (M,).
        y: series (M,), or (K, M), one row for each training time.
        xlabel, ylabel, title, ylim, height, wide, spots: as for `Lines`.
        frames: True if the series have a row for each training time.
        drag: name of a setting `Weights` with a number for each bar; the bars of the first series that shows it are
            handles that mouse, touch and arrow keys move, and the other weights keep their proportions.
    """

    kind: ClassVar[str] = "bars"
    _: KW_ONLY
    frames: bool = False
    drag: str | None = None

    def spec(self) -> dict[str, Any]:
        """The JSON the chart module reads."""
        return {**super().spec(), "frames": self.frames, "drag": self.drag}

    def check(self, numbers: Numbers) -> None:
        """Raise `InputError` where an array is missing or does not fit."""
        for s in self.series:
            size = numbers.of(s.x or self.x).size
            if self.frames and not (s.name in numbers.theory and numbers.of(s.name).size == size):
                numbers.parts(s.name, size, "frames")
            else:
                numbers.agree(s.name, size, repr(s.x or self.x))


def common(panel: Any, **labels: str) -> dict[str, Any]:
    """What the JSON of every panel has."""
    return {"kind": panel.kind, "title": panel.title, "height": panel.height, "wide": panel.wide, **labels}


lines, bars = Lines, Bars  # as an author calls them


def over_steps(title: str, ylabel: str, *series: Line, x: str = "steps", **more: Any) -> Lines:
    """A line chart over the training time of the figure, `x`; `more` are further arguments of `lines`."""
    return Lines(x, series, **{"xlabel": "training time (steps)", "ylabel": ylabel, "title": title, **more})
