"""Names at the right ends of the curves of a still picture, pushed apart; the page's are in `js/ends.js`."""

import textwrap
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray

MOST = 5  # names beside a plot, as in the page; more are a legend
LETTERS = 22  # of a line
LINE = 0.085  # height of a line, as a share of the lowest plot's
GREY = "#4b5563"


class Named(NamedTuple):
    """A curve, or several of one name, as drawn: rows (R, K) over x (K,) or (R, K)."""

    label: str
    colour: str
    dashed: bool
    x: NDArray[Any]
    y: NDArray[Any]


def apart(wanted: Sequence[float], sizes: Sequence[float], low: float, high: float) -> list[float]:
    """Where names of these sizes stand, their middles, so that none lies over another one.

    Args:
        wanted: where the middles should be.
        sizes: of the names; if they have no room together they end above `high`.
        low, high: between which they stand.

    Example:
        >>> apart([0.5, 0.5], [0.2, 0.2], 0.0, 1.0)
        [0.4, 0.6]
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    groups: list[list[int]] = []
    place: dict[int, float] = {}

    def settle(group: list[int]) -> float:
        size = sum(sizes[i] for i in group)
        middle = sum(wanted[i] for i in group) / len(group)
        return max(low, min(middle - size / 2, high - size))

    for i in order:
        groups.append([i])
        # A name that meets the one below it joins it; both then stand about their common middle.
        while len(groups) > 1 and settle(groups[-2]) + sum(sizes[j] for j in groups[-2]) > settle(groups[-1]):
            groups[-2:] = [groups[-2] + groups[-1]]
    for group in groups:
        at = settle(group)
        for i in group:
            place[i] = at + sizes[i] / 2
            at += sizes[i]
    return [round(place[i], 9) for i in range(len(wanted))]


def _end(axes: Axes, one: Named) -> tuple[float, float] | None:
    """The right end of a curve in shares of the axes, of several the middle one; None if nothing of it is in them."""
    ends = []
    for row, at in zip(np.atleast_2d(one.y), np.broadcast_to(one.x, np.atleast_2d(one.y).shape), strict=True):
        known = np.isfinite(row) & np.isfinite(at)
        if not known.any():
            continue
        last = int(np.flatnonzero(known)[-1])
        place = axes.transAxes.inverted().transform(axes.transData.transform((at[last], row[last])))
        if np.isfinite(place).all():
            ends.append(place)
    if not ends:
        return None
    x, y = np.clip(sorted(ends, key=lambda end: end[1])[len(ends) // 2], 0.0, 1.0)
    return float(x), float(y)


def name_curves(axes: Axes, curves: Sequence[Named]) -> None:
    """Write the names beside the axes, whose limits are set, each with a piece of its curve from the height of its end.

    As in the page that piece begins at the edge: within the axes it would look like more of the curve.
    """
    axes.get_xlim(), axes.get_ylim()  # asked for them, matplotlib settles the limits that it has put off
    found = [(one, end) for one in curves if (end := _end(axes, one)) is not None]
    lines = [textwrap.wrap(one.label, LETTERS) for one, _ in found]
    sizes = [LINE * len(text) for text in lines]
    places = apart([end[1] for _, end in found], sizes, -0.1, 1.1)
    for (one, end), text, place in zip(found, lines, places, strict=True):
        dash: Any = "--" if one.dashed else "-"
        lead = Line2D([1.0, 1.05], [end[1], place], color=one.colour, linewidth=1.2, linestyle=dash)
        lead.set(transform=axes.transAxes, clip_on=False)
        axes.add_artist(lead)  # no curve: it must not move the axes
        words = "\n".join(text)
        axes.text(1.07, place, words, transform=axes.transAxes, va="center", fontsize=7.5, color=GREY, gid="name")
