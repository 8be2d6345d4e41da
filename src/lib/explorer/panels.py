"""Panels of an explorer, as an author writes them: `lines`, `bars`, `heatmap`, `plane`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lib.errors import require
from lib.explorer.charts import Limits, Lines
from lib.explorer.marks import Field, Line, Mark, Path, check_axis
from lib.explorer.scenes import Heatmap, Plane


def _lines(kind: str, x: str, y: Sequence[Line | str], labels: dict[str, Any], title: str, options: Any) -> Lines:
    series = tuple(Line(s, s) if isinstance(s, str) else s for s in y)
    require(series, f"y of panel {title!r}", "at least one series", "none")
    for s in series:
        require(s.error is None or kind == "lines", "error", "a line chart for error bars", f"{kind} {title!r}")
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
