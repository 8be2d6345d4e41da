"""Panels of an explorer: line charts, bars, heat maps and phase planes.

Each is data: it names arrays of the run, `items` takes and checks them, `spec` is the JSON the chart module reads.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lib.errors import require
from lib.explorer.encode import Codec, Item
from lib.explorer.marks import Field, Line, Mark, Path, agree, check_axis, colour, shown, take

Limits = tuple[float | None, float | None] | None


class Panel(Protocol):
    """What the explorer asks of a panel."""

    @property
    def title(self) -> str:
        """Text above the panel."""

    def spec(self) -> dict[str, Any]:
        """The JSON the chart module reads."""

    def items(self, data: Mapping[str, Any], time: str | None) -> dict[str, Item]:
        """Arrays to draw, by role, from what `run` returned; `time` is the key of the training time."""


@dataclass(frozen=True)
class Lines:
    """A line or bar chart; made by `lines` and `bars`."""

    title: str
    x: str
    y: tuple[Line, ...]
    xlabel: str
    ylabel: str
    xlog: bool
    ylog: bool
    xlim: Limits
    ylim: Limits
    marks: tuple[Mark, ...]
    frames: bool | str
    bits: int
    height: int | None
    wide: bool
    kind: str

    def spec(self) -> dict[str, Any]:
        """The JSON the chart module reads."""
        series = [
            {
                "label": s.label,
                "colour": colour(s.idea, j, s.theory),
                "theory": s.theory,
                "each": s.each,
                "ownX": s.x is not None,
            }
            for j, s in enumerate(self.y)
        ]
        return {
            **_common(self, xlabel=shown(self.xlabel), ylabel=shown(self.ylabel)),
            "series": series,
            "marks": [m.label for m in self.marks],
            "frames": bool(self.frames),
            "x": self.x,
            **{name: getattr(self, name) for name in ("xlog", "ylog", "xlim", "ylim")},
        }

    def items(self, data: Mapping[str, Any], time: str | None) -> dict[str, Item]:
        """Arrays to draw: x, t (times of the frames), y0, y0.low, y0.high, y0.x, m0 and so on.

        Raises:
            InputError: if an array is missing or its shape does not fit.
        """
        x = take(data, self.x, self.title, (1,), "(K,)")
        out = {"x": Item(x)}
        times = _times(data, self.frames, time, self.title, out)
        for j, s in enumerate(self.y):
            shape = "(M,) or (frames, M)" if self.frames else "(K,) or (seeds, K)"
            y = take(data, s.name, self.title, (1, 2), shape)
            if s.x is not None:
                out[f"y{j}.x"] = Item(take(data, s.x, self.title, (1,), "(K,)"))
            agree(y, -1, out[f"y{j}.x" if s.x else "x"].array.size, s.name, s.x or self.x)
            codec = Codec(self.bits, self.ylog)
            if self.frames and y.ndim == 2:
                agree(y, 0, times, s.name, self.frames if isinstance(self.frames, str) else str(time))
                codec = codec._replace(frames=True)
            elif y.ndim == 2 and not s.each:
                middle, low, high = band(y)
                out[f"y{j}.low"], out[f"y{j}.high"], y = Item(low, codec), Item(high, codec), middle
            out[f"y{j}"] = Item(y, codec)
        for j, mark in enumerate(self.marks):
            value = np.asarray(data.get(mark.name, np.nan), dtype=float)
            require(value.size == 1, "run", f"one number in {mark.name!r} for panel {self.title!r}", value.shape)
            out[f"m{j}"] = Item(value.reshape(1))
        return out


@dataclass(frozen=True)
class Heatmap:
    """A heat map, still or following the training time; made by `heatmap`."""

    title: str
    name: str
    xlabel: str
    ylabel: str
    clabel: str
    frames: bool | str
    idea: str | None
    diverging: bool
    vmin: float | None
    vmax: float | None
    xticks: str | tuple[str, ...] | None
    yticks: str | tuple[str, ...] | None
    outline: str | None
    outline_label: str
    bits: int
    height: int | None
    wide: bool
    kind: str = "heatmap"

    def spec(self) -> dict[str, Any]:
        """The JSON the chart module reads."""
        ticks = {k: list(t) if isinstance(t := getattr(self, k), tuple) else None for k in ("xticks", "yticks")}
        labels = {k: shown(getattr(self, k)) for k in ("xlabel", "ylabel", "clabel")}
        same = {k: getattr(self, k) for k in ("diverging", "vmin", "vmax", "outline_label")}
        return {**_common(self, **labels), **ticks, **same, "colour": colour(self.idea, 0)}

    def items(self, data: Mapping[str, Any], time: str | None) -> dict[str, Item]:
        """Arrays to draw: z, t (times of the frames), xticks, yticks, outline.

        Raises:
            InputError: if an array is missing or its shape does not fit.
        """
        z = take(data, self.name, self.title, (2, 3), "(rows, columns) or (frames, rows, columns)")
        out: dict[str, Item] = {}
        if z.ndim == 3:
            times = _times(data, self.frames, time, self.title, out)
            agree(z, 0, times, self.name, self.frames if isinstance(self.frames, str) else str(time))
        out["z"] = Item(z, Codec(self.bits, False, z.ndim == 3))
        for role, axis in (("xticks", -1), ("yticks", -2)):
            ticks = getattr(self, role)
            if isinstance(ticks, str):
                out[role] = Item(take(data, ticks, self.title, (1,), "(columns,)" if axis == -1 else "(rows,)"))
                agree(z, axis, out[role].array.size, self.name, ticks)
            elif ticks is not None:
                agree(z, axis, len(ticks), self.name, role)
        if self.outline is not None:
            cells = take(data, self.outline, self.title, (2,), "(rows, columns)")
            require(cells.shape == z.shape[-2:], "run", f"{self.outline!r} of shape {z.shape[-2:]}", cells.shape)
            out["outline"] = Item((cells != 0).astype(float), Codec(2))
        return out


@dataclass(frozen=True)
class Plane:
    """A phase plane: trajectories over a vector field; made by `plane`."""

    title: str
    paths: tuple[Path, ...]
    curves: tuple[Path, ...]
    points: tuple[Path, ...]
    field: Field | None
    xlabel: str
    ylabel: str
    xlim: Limits
    ylim: Limits
    equal: bool
    bits: int
    height: int | None
    wide: bool
    kind: str = "plane"

    def spec(self) -> dict[str, Any]:
        """The JSON the chart module reads."""
        marks, order = [], 0
        for role in ("paths", "curves", "points"):
            for p in getattr(self, role):
                # Curves and points are the scene, not a series: grey unless an idea names them.
                hue = None if role != "paths" and p.idea is None else colour(p.idea, order, p.theory)
                order += role == "paths"
                marks.append({"role": role, "label": p.label, "colour": hue, "theory": p.theory})
        return {
            **_common(self, xlabel=shown(self.xlabel), ylabel=shown(self.ylabel)),
            "marks": marks,
            "field": self.field.label if self.field else None,
            **{name: getattr(self, name) for name in ("xlim", "ylim", "equal")},
        }

    def items(self, data: Mapping[str, Any], time: str | None) -> dict[str, Item]:
        """Arrays to draw: x0, y0 and so on, each (S, K); fx, fy, fu, fv.

        Raises:
            InputError: if an array is missing or its shape does not fit.
        """
        out: dict[str, Item] = {}
        for j, p in enumerate((*self.paths, *self.curves, *self.points)):
            x, y = (np.atleast_2d(take(data, n, self.title, (1, 2), "(K,) or (seeds, K)")) for n in (p.x, p.y))
            require(x.shape == y.shape, "run", f"{p.y!r} of the shape {x.shape} of {p.x!r}", y.shape)
            out[f"x{j}"], out[f"y{j}"] = Item(x, Codec(self.bits)), Item(y, Codec(self.bits))
        if self.field is not None:
            f = self.field
            fx, fy = (take(data, n, self.title, (1,), "(G,)") for n in (f.x, f.y))
            out["fx"], out["fy"] = Item(fx), Item(fy)
            for role, name in (("fu", f.u), ("fv", f.v)):
                values = take(data, name, self.title, (2,), "(H, G)")
                require(values.shape == (fy.size, fx.size), "run", f"{name!r} of {(fy.size, fx.size)}", values.shape)
                out[role] = Item(values, Codec(8))
        return out


def band(y: NDArray[np.float64]) -> tuple[NDArray, NDArray, NDArray]:
    """Median, 10 % and 90 % quantile over seeds (S, K) -> three (K,); runs that diverged are left out."""
    y = np.where(np.isfinite(y), y, np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # "All-NaN slice": every seed diverged, a gap is right
        low, middle, high = np.nanquantile(y, [0.1, 0.5, 0.9], axis=0)
    return middle, low, high


def _times(data: Mapping[str, Any], frames: bool | str, time: str | None, title: str, out: dict[str, Item]) -> int:
    """Number of frames of a panel; stores their times under "t"."""
    if frames is False:
        return 0
    name = frames if isinstance(frames, str) else time
    require(name is not None, "frames", f"a training time (Explorer(time=...)) for panel {title!r}", None)
    out["t"] = Item(take(data, str(name), title, (1,), "(frames,)"))
    return out["t"].array.size


def _common(panel: Any, **labels: str) -> dict[str, Any]:
    return {"kind": panel.kind, "title": panel.title, "height": panel.height, "wide": panel.wide, **labels}


def _lines(kind: str, x: str, y: Sequence[Line | str], labels: dict[str, str], title: str, options: Any) -> Lines:
    series = tuple(Line(s, s) if isinstance(s, str) else s for s in y)
    require(series, f"y of panel {title!r}", "at least one series", "none")
    for name, text in labels.items():
        check_axis(text, name, title)
    options["marks"] = tuple(options["marks"])
    return Lines(title=title, x=x, y=series, kind=kind, **labels, **options)


def lines(
    x: str,
    y: Sequence[Line | str],
    *,
    xlabel: str,
    ylabel: str,
    title: str,
    xlog: bool = False,
    ylog: bool = False,
    xlim: Limits = None,
    ylim: Limits = None,
    marks: Sequence[Mark] = (),
    frames: bool | str = False,
    bits: int = 11,
    height: int | None = None,
    wide: bool = False,
) -> Lines:
    """A line chart of arrays against `x`, with seed bands, theory dashed on top and the time cursor.

    Args:
        x: key of the x array (K,).
        y: series; a plain name stands for `Line(name, name)`.
        xlabel, ylabel: axis titles with the unit in brackets at the end.
        title: text above the panel.
        xlog, ylog: logarithmic axes; what is not positive is a gap.
        xlim, ylim: (low, high), None for an end that follows the data.
        marks: vertical lines.
        frames: True if the series are (K, M) profiles over x (M,), one for each training time; or the key of the
            times of the frames.
        bits: bits of a number on the static page.
        height: pixels of the plot.
        wide: take the whole row.

    Raises:
        InputError: if there is no series or a label has no unit.
    """
    options = {"xlog": xlog, "ylog": ylog, "xlim": xlim, "ylim": ylim, "marks": marks, "frames": frames}
    labels = {"xlabel": xlabel, "ylabel": ylabel}
    return _lines("lines", x, y, labels, title, {**options, "bits": bits, "height": height, "wide": wide})


def bars(
    x: str,
    y: Sequence[Line | str],
    *,
    xlabel: str,
    ylabel: str,
    title: str,
    ylim: Limits = None,
    frames: bool | str = False,
    bits: int = 11,
    height: int | None = None,
    wide: bool = False,
) -> Lines:
    """A bar chart: measured series are bars, theory series short dashes; arguments as for `lines`.

    Raises:
        InputError: if there is no series or a label has no unit.
    """
    options = {"xlog": False, "ylog": False, "xlim": None, "ylim": ylim, "marks": (), "frames": frames}
    labels = {"xlabel": xlabel, "ylabel": ylabel}
    return _lines("bars", x, y, labels, title, {**options, "bits": bits, "height": height, "wide": wide})


def heatmap(
    name: str,
    *,
    xlabel: str,
    ylabel: str,
    clabel: str,
    title: str,
    frames: bool | str = True,
    idea: str | None = None,
    diverging: bool = False,
    vmin: float | None = None,
    vmax: float | None = None,
    xticks: str | Sequence[str] | None = None,
    yticks: str | Sequence[str] | None = None,
    outline: str | None = None,
    outline_label: str = "",
    bits: int = 6,
    height: int | None = None,
    wide: bool = False,
) -> Heatmap:
    """A heat map of an array (rows, columns), or (frames, rows, columns) that follows the time cursor.

    Args:
        name: key of the array.
        xlabel, ylabel, clabel: titles of columns, rows and colours with the unit in brackets at the end.
        title: text above the panel.
        frames: key of the times of the frames; True: the training time of the explorer.
        idea: colour of the large values.
        diverging: two colours around zero.
        vmin, vmax: ends of the colour scale; None takes the smallest and largest value of all frames.
        xticks, yticks: key of the coordinates of columns or rows, or their names; None counts from 0.
        outline: key of an array (rows, columns); cells where it is not zero get a frame.
        outline_label: what a framed cell means, for the legend.
        bits: bits of a number on the static page.
        height: pixels of the map.
        wide: take the whole row.

    Raises:
        InputError: if a label has no unit, or an outline no label.
    """
    for argument, text in (("xlabel", xlabel), ("ylabel", ylabel), ("clabel", clabel)):
        check_axis(text, argument, title)
    require(outline is None or outline_label, "outline_label", "what the framed cells mean", repr(outline_label))
    fix = [t if t is None or isinstance(t, str) else tuple(t) for t in (xticks, yticks)]
    return Heatmap(
        title, name, xlabel, ylabel, clabel, frames, idea, diverging, vmin, vmax, fix[0], fix[1],
        outline, outline_label, bits, height, wide,
    )  # fmt: skip


def plane(
    paths: Sequence[Path],
    *,
    xlabel: str,
    ylabel: str,
    title: str,
    field: Field | None = None,
    curves: Sequence[Path] = (),
    points: Sequence[Path] = (),
    xlim: Limits = None,
    ylim: Limits = None,
    equal: bool = True,
    bits: int = 11,
    height: int | None = None,
    wide: bool = False,
) -> Plane:
    """A phase plane: trajectories with start, end and a dot at the time cursor, over a vector field.

    Args:
        paths: trajectories.
        xlabel, ylabel: axis titles with the unit in brackets at the end.
        title: text above the panel.
        field: arrows.
        curves: still curves, such as a manifold of solutions.
        points: still points, such as fixed points.
        xlim, ylim: (low, high), None for an end that follows the data.
        equal: one unit is as long on both axes.
        bits: bits of a number on the static page.
        height: pixels of the plot.
        wide: take the whole row.

    Raises:
        InputError: if nothing is drawn or a label has no unit.
    """
    require(paths or curves or points or field, f"paths of panel {title!r}", "something to draw", "nothing")
    for argument, text in (("xlabel", xlabel), ("ylabel", ylabel)):
        check_axis(text, argument, title)
    return Plane(
        title, tuple(paths), tuple(curves), tuple(points), field, xlabel, ylabel, xlim, ylim, equal, bits, height, wide
    )
