"""Line and bar charts: what an author says of one, the arrays it needs, and the JSON the chart module reads."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from hal.explorer.marks import Lift, Line, Mark, agree, check_axis, colour, shown, take
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
        """The name behind every role of `items`."""

    def items(self, data: Mapping[str, Any], time: str) -> Arrays:
        """Arrays to draw, by role; `time` is the key of the training time."""


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
    frames: bool | str = False
    height: int | None = None
    wide: bool = False

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
                "error": s.error is not None,
                **({"band": True} if s.band else {}),
                "rows": s.rows,
            }
            for j, s in enumerate(self.series)
        ]
        return {
            **common(self, xlabel=shown(self.xlabel), ylabel=shown(self.ylabel)),
            "series": series,
            "marks": [],
            "frames": bool(self.frames),
            "x": self.x,
            "ylim": self.ylim,
        }

    def sources(self) -> dict[str, str]:
        """The name behind every role of `items`: x, t, y0, y0.x and so on."""
        named = {f"y{j}": s.name for j, s in enumerate(self.series)}
        own = {f"y{j}.x": s.x for j, s in enumerate(self.series) if s.x is not None}
        own |= {f"y{j}.error": s.error for j, s in enumerate(self.series) if s.error is not None}
        own |= {f"y{j}.{end}": name for j, s in enumerate(self.series) for end, name in s.ends}
        return {"x": self.x, **named, **own, **({"t": self.frames} if isinstance(self.frames, str) else {})}

    def items(self, data: Mapping[str, Any], time: str) -> Arrays:
        """Arrays to draw: x, t (times of the frames), y0, y0.low, y0.high, y0.x, y0.error and so on.

        Raises:
            InputError: if an array is missing or its shape does not fit.
        """
        x = take(data, self.x, self.title, (1, 2), "(K,), or (seeds, K) where each run has times of its own")
        out = {"x": x}
        times = times_of(data, self.frames, time, self.title, out)
        for j, s in enumerate(self.series):
            shape = "(M,) or (frames, M)" if self.frames else "(K,) or (seeds, K)"
            dims, shape = ((1,), "(K,), since it has error bars,") if s.error is not None else ((1, 2), shape)
            y = take(data, s.name, self.title, dims, shape)
            if s.x is not None:
                out[f"y{j}.x"] = take(data, s.x, self.title, (1, 2), "(K,) or (seeds, K)")
            own = out[f"y{j}.x" if s.x else "x"]
            agree(y, -1, own.shape[-1], s.name, s.x or self.x)
            if self.frames and y.ndim == 2:
                agree(y, 0, times, s.name, self.frames if isinstance(self.frames, str) else time)
            elif y.ndim == 2 and own.ndim == 1 and not (s.each or s.rows is not None):
                y, out[f"y{j}.low"], out[f"y{j}.high"] = band(y)
            if s.error is not None:
                error = take(data, s.error, self.title, (1,), "(K,)")
                agree(error, 0, y.size, s.error, s.name)
                require(not np.any(error < 0), "run", f"half lengths of at least 0 in {s.error!r}", error.min())
                out[f"y{j}.error"] = error
            for end, name in s.ends:
                out[f"y{j}.{end}"] = take(data, name, self.title, (1,), "(K,)")
                agree(out[f"y{j}.{end}"], 0, own.shape[-1], name, s.x or self.x)
            out[f"y{j}"] = y
        return out


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
        xlim, ylim: (low, high), None for an end that follows the data. They hold for the axis as it is declared; after
            a switch it follows the data.
        ynear: the logarithmic y axis is linear from -ynear to ynear, and goes on below 0; None: it has no 0.
        marks: vertical lines.
        lift: the left end of a curve as a handle that moves a setting.
        frames: True if the series are (K, M) profiles over x (M,), one for each training time; or the key of the
            times of the frames.
        height: pixels of the plot.
        wide: take the whole row.

    Raises:
        InputError: if there is no series, a label has no unit, or `ynear` stands without `ylog`.
    """

    kind: ClassVar[str] = "lines"
    _: KW_ONLY
    xlog: bool = False
    ylog: bool = False
    xswitch: bool = False
    yswitch: bool = False
    xlim: Limits = None
    ynear: float | None = None
    marks: Sequence[Mark] = ()
    lift: Lift | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        require(
            self.ynear is None or (self.ylog and self.ynear > 0), "ynear", "a number above 0, with ylog", self.ynear
        )

    def spec(self) -> dict[str, Any]:
        """The JSON the chart module reads."""
        same = {name: getattr(self, name) for name in ("xlog", "ylog", "xswitch", "yswitch", "xlim", "ynear")}
        lift = {"lift": {"setting": self.lift.setting, "sets": dict(self.lift.sets)}} if self.lift else {}
        return {**super().spec(), **same, **lift, "marks": [m.label for m in self.marks]}

    def sources(self) -> dict[str, str]:
        """The name behind every role of `items`, `singles` among them."""
        return {**super().sources(), **self.singles}

    @property
    def singles(self) -> dict[str, str]:
        """The names of single numbers by role: the marks m0, m1 and so on, and of a handle at and unit."""
        lift = {"at": self.lift.at, "unit": self.lift.unit} if self.lift else {}
        return {f"m{j}": mark.name for j, mark in enumerate(self.marks)} | lift

    def items(self, data: Mapping[str, Any], time: str) -> Arrays:
        """Arrays to draw, the `singles`, each (1,), among them.

        Raises:
            InputError: if an array is missing or its shape does not fit.
        """
        out = super().items(data, time)
        for role, name in self.singles.items():
            value = np.asarray(data.get(name, np.nan), dtype=float)
            require(value.size == 1, "run", f"one number in {name!r} for panel {self.title!r}", value.shape)
            out[role] = value.reshape(1)
        return out


@dataclass(frozen=True)
class Bars(_Chart):
    """A bar chart: measured series are bars, theory series short dashes.

    Args:
        x: key of the x array (M,).
        y: series (M,), or (K, M), one row for each training time.
        xlabel, ylabel, title, ylim, frames, height, wide: as for `Lines`.
        drag: name of a setting `Weights` with a number for each bar; the bars of the first series that shows it are
            handles that mouse, touch and arrow keys move, and the other weights keep their proportions.

    Raises:
        InputError: if there is no series, one has error bars, or a label has no unit.
    """

    kind: ClassVar[str] = "bars"
    _: KW_ONLY
    drag: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for s in self.series:
            require(s.error is None, "error", "a line chart for error bars", f"bars {self.title!r}")
            require(s.band is None, "band", "a line chart for a band of its own", f"bars {self.title!r}")

    def spec(self) -> dict[str, Any]:
        """The JSON the chart module reads."""
        return {**super().spec(), "drag": self.drag}


def band(y: NDArray[np.float64]) -> tuple[NDArray, NDArray, NDArray]:
    """Median, 10 % and 90 % quantile over seeds (S, K) -> three (K,); runs that diverged are left out."""
    y = np.where(np.isfinite(y), y, np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # "All-NaN slice": every seed diverged, a gap is right
        low, middle, high = np.nanquantile(y, [0.1, 0.5, 0.9], axis=0)
    return middle, low, high


def times_of(data: Mapping[str, Any], frames: bool | str, time: str, title: str, out: Arrays) -> int:
    """Number of frames of a panel; stores their times under "t"."""
    if frames is False:
        return 0
    name = frames if isinstance(frames, str) else time
    out["t"] = take(data, name, title, (1,), "(frames,)")
    return out["t"].size


def common(panel: Any, **labels: str) -> dict[str, Any]:
    """What the JSON of every panel has."""
    return {"kind": panel.kind, "title": panel.title, "height": panel.height, "wide": panel.wide, **labels}


lines, bars = Lines, Bars  # as an author calls them


def over_steps(title: str, ylabel: str, *series: Line, x: str = "steps", **more: Any) -> Lines:
    """A line chart over the training time of the figure, `x`; `more` are further arguments of `lines`.

    Raises:
        InputError: if there is no series or a label has no unit.
    """
    return Lines(x, series, **{"xlabel": "training time (steps)", "ylabel": ylabel, "title": title, **more})
