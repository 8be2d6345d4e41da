"""Heat maps, phase planes, clouds: what an author says of one, what its arrays must be, the JSON the page reads."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, ClassVar

from hal.figure.charts import Limits, common
from hal.figure.facts import Numbers
from hal.figure.marks import Heights, Path, check_axis, colour, shown
from lib.errors import require


@dataclass(frozen=True)
class Heatmap:
    """A heat map of an array (rows, columns), or (frames, rows, columns) that follows the time cursor.

    Where there are more rows or columns than pixels, each pixel shows the largest of its values, and the panel says so.

    Args:
        name: key of the array, flat: frame after frame, row after row.
        rows, columns: of a frame: a number, or the name of a single number of the theory.
        xlabel, ylabel, clabel: titles of columns, rows and colours with the unit in brackets at the end.
        title: text above the panel.
        frames: one for each training time of the figure; False: it stands still.
        idea: colour of the large values.
        classes: by the values that the cells have, names, written where most of their cells lie in place of the scale.
        vmin, vmax: ends of the colour scale; None takes the smallest and largest value of all frames.
        xticks, yticks: key of the coordinates of columns or rows; None counts from 0.
        pick: names of two settings, of columns and rows: a cell that is clicked, dragged to or reached with the arrow
            keys sets them to its `xticks` and `yticks`.
        height: pixels of the map.
        wide: take the whole row.
    """

    kind: ClassVar[str] = "heatmap"
    name: str
    _: KW_ONLY
    rows: int | str | None = None
    columns: int | str | None = None
    xlabel: str
    ylabel: str
    clabel: str
    title: str
    frames: bool = True
    idea: str | None = None
    classes: Mapping[float, str] = field(default_factory=dict)
    vmin: float | None = None
    vmax: float | None = None
    xticks: str | None = None
    yticks: str | None = None
    pick: tuple[str, str] | None = None
    height: int | None = None
    wide: bool = False

    def __post_init__(self) -> None:
        for argument in ("xlabel", "ylabel", "clabel"):
            check_axis(getattr(self, argument), argument, self.title)
        placed = self.xticks and self.yticks
        require(self.pick is None or placed, "pick", "keys of the coordinates in xticks and yticks", self.pick)

    def spec(self) -> dict[str, Any]:
        """The JSON the chart module reads."""
        labels = {k: shown(getattr(self, k)) for k in ("xlabel", "ylabel", "clabel")}
        same = {k: getattr(self, k) for k in ("vmin", "vmax", "rows", "columns", "frames")}
        same["pick"] = list(self.pick) if self.pick else None
        if self.classes:
            same["classes"] = list(self.classes.items())
        return {**common(self, **labels), **same, "colour": colour(self.idea, 0)}

    def sources(self) -> dict[str, str]:
        """The name behind every role: z, xticks, yticks."""
        named = {"z": self.name, **{role: getattr(self, role) for role in ("xticks", "yticks")}}
        return {role: name for role, name in named.items() if name is not None}

    def check(self, numbers: Numbers) -> None:
        """Raise `InputError` where an array is missing or does not fit."""
        rows, columns = numbers.size(self.rows, "rows"), numbers.size(self.columns, "columns")
        frames = numbers.parts(self.name, rows * columns, "frames")
        require(self.frames or frames == 1, "run", f"one frame in {self.name!r}, which stands still", frames)
        for ticks, what, size in (self.xticks, "columns", columns), (self.yticks, "rows", rows):
            if ticks is not None:
                numbers.agree(ticks, size, f"there are {what}")


@dataclass(frozen=True)
class Plane:
    """A phase plane: trajectories with start, end and a dot at the time cursor.

    Args:
        paths: trajectories.
        xlabel, ylabel: axis titles with the unit in brackets at the end.
        title: text above the panel.
        curves: still curves, such as a manifold of solutions.
        start: names of two settings, the place where the trajectories start: a handle that mouse, touch and arrow
            keys move.
        heights: bands of a function, under everything else.
        words: (x, y, words) that stand in the picture, from a place left of 0 on, or as far as one right of it.
        asinh: both axes are even in asinh(value / asinh), linear near 0 and logarithmic far from it.
        xlim, ylim: (low, high), None for an end that follows the data.
        equal: one unit is as long on both axes.
        trail: of how many records before the cursor the way is drawn; None draws all of it.
        height: pixels of the plot.
        wide: take the whole row.
    """

    kind: ClassVar[str] = "plane"
    paths: Sequence[Path]
    _: KW_ONLY
    xlabel: str
    ylabel: str
    title: str
    curves: Sequence[Path] = ()
    start: tuple[str, str] | None = None
    heights: Heights | None = None
    words: Sequence[tuple[float, float, str]] = ()
    asinh: float | None = None
    xlim: Limits = None
    ylim: Limits = None
    equal: bool = True
    trail: int | None = None
    height: int | None = None
    wide: bool = False

    def __post_init__(self) -> None:
        require(self.drawn, f"paths of panel {self.title!r}", "something to draw", "nothing")
        check_axis(self.xlabel, "xlabel", self.title)
        check_axis(self.ylabel, "ylabel", self.title)
        limits = [end for lim in (self.xlim, self.ylim) for end in lim or (None,)]
        fixed = None not in limits and self.asinh is not None
        require(self.asinh is None or self.heights, "asinh", "heights, with which it travels to the page", "none")
        require(self.heights is None or fixed, "heights", "an asinh axis and both ends in xlim and ylim", limits)

    def spec(self) -> dict[str, Any]:
        """The JSON the chart module reads."""
        marks, order = [], 0
        for role in ("paths", "curves"):
            for p in getattr(self, role):
                # Curves are the scene, not a series: grey unless an idea names them.
                hue = None if role != "paths" and p.idea is None else colour(p.idea, order, p.theory)
                order += role == "paths"
                marks.append({"role": role, "label": p.label, "colour": hue, "theory": p.theory})
        return {
            **common(self, xlabel=shown(self.xlabel), ylabel=shown(self.ylabel)),
            "marks": marks,
            "start": list(self.start) if self.start else None,
            **({"words": [list(one) for one in self.words]} if self.words else {}),
            "bounds": list(self.heights.bounds) if self.heights else [],
            "level": self.heights.level and f"{self.heights.level} " if self.heights else "",
            "names": [list(one) for one in (self.heights.names if self.heights else ())],
            **{name: getattr(self, name) for name in ("xlim", "ylim", "equal", "asinh", "trail")},
        }

    def sources(self) -> dict[str, str]:
        """The name behind every role: x0, y0, t0, hx and so on."""
        roles = [(f"{axis}{j}", getattr(p, axis)) for j, p in enumerate(self.drawn) for axis in "xyt"]
        roles += [(f"h{axis}", getattr(self.heights, axis)) for axis in "xyz"] if self.heights else []
        return {role: name for role, name in roles if name is not None}

    @property
    def drawn(self) -> tuple[Path, ...]:
        """Paths and curves, in the order of the roles."""
        return (*self.paths, *self.curves)

    def check(self, numbers: Numbers) -> None:
        """Raise `InputError` where an array is missing or does not fit."""
        for p in self.drawn:
            for name in filter(None, (p.y, p.t)):
                numbers.agree(name, numbers.of(p.x).size, repr(p.x))
        if self.heights is not None:
            size = numbers.of(self.heights.x).size * numbers.of(self.heights.y).size
            numbers.agree(self.heights.z, size, f"the grid of {self.heights.x!r} and {self.heights.y!r}")


heatmap, plane = Heatmap, Plane  # as an author calls them


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
