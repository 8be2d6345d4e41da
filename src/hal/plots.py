"""House style for matplotlib: one colour per idea, seed bands, axes with units.

Used by every chapter. Backgrounds are transparent and the ink is a mid grey, so that one picture reads on a white page
and on a dark one (#121212).
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
import numpy as np
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from hal.palette import IDEAS, PALETTE
from lib.errors import require

INK = "#797979"  # contrast 4.3 on white and on the dark page: the best one grey can do on both

RC: dict[Any, Any] = {
    "figure.facecolor": "none",
    "figure.dpi": 110,
    "figure.constrained_layout.use": True,
    "savefig.facecolor": "none",
    "savefig.edgecolor": "none",
    "axes.facecolor": "none",
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.titlesize": "medium",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.prop_cycle": cycler(color=list(PALETTE.values())),
    "grid.color": INK,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.6,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "font.size": 10.0,
    "image.cmap": "cividis",  # even steps in lightness for every kind of colour vision
    # text as text: it is searchable and small; fixed names for clip paths and markers
}

UNITS = re.compile(r"\([^()]+\)$")
PURE = re.compile(r"\s*\(1\)$")  # the author says that a number has no unit, the reader needs no word


@contextmanager
def style() -> Iterator[None]:
    """Draw in the book's style inside a `with` block; matplotlib's own settings return afterwards."""
    with mpl.rc_context(RC):
        yield


def band(ax: Axes, x: ArrayLike, runs: ArrayLike, label: str | None = None, idea: str | None = None) -> Line2D:
    """Draw the median of the runs as a line and their 10 to 90 % range as a band.

    Runs that diverged (NaN) are left out from there on; a label then says how many of them are left at the end.

    Args:
        ax: where to draw.
        x: (K,) common x values.
        runs: (S, K) one row a seed; a single row (K,) gives a line without a band.
        label: for the legend.
        idea: name of a colour in `hal.palette.IDEAS`; None takes the next of the cycle.

    Returns:
        The line of the median.
    """
    at, values = np.asarray(x, dtype=float), np.atleast_2d(np.asarray(runs, dtype=float))
    require(at.ndim == 1, "x", "shape (K,)", at.shape)
    require(values.ndim == 2 and values.shape[1] == len(at), "runs", f"shape (S, {len(at)})", np.shape(runs))
    require(len(values) > 0, "runs", "at least one run", "none")
    alive = np.isfinite(values).any(axis=0)
    low, middle, high = np.full((3, len(at)), np.nan)
    finite = np.where(np.isfinite(values), values, np.nan)[:, alive]
    low[alive], middle[alive], high[alive] = np.nanquantile(finite, [0.1, 0.5, 0.9], axis=0)
    left = int(np.isfinite(values[:, -1]).sum()) if len(at) else 0
    if label is not None and left < len(values):
        label = f"{label} ({left} of {len(values)} runs left)"
    (line,) = ax.plot(at, middle, label=label, **_colour(idea))
    if len(values) > 1:
        ax.fill_between(at, low, high, color=line.get_color(), alpha=0.25, linewidth=0)
    return line


def label_axes(ax: Axes, x: str | None = None, y: str | None = None, title: str | None = None) -> None:
    """Label the axes, each with its unit in parentheses: "training time (steps)", or "(1)" for a pure number.

    What is None stays as it is, for panels that share an axis.
    """
    for name, text in (("x", x), ("y", y)):
        if text is not None:
            require(
                UNITS.search(text), name, "a label that ends with its unit, as in 'time (steps)' or '(1)'", repr(text)
            )
    if x is not None:
        ax.set_xlabel(PURE.sub("", x))
    if y is not None:
        ax.set_ylabel(PURE.sub("", y))
    if title is not None:
        ax.set_title(title)


def _colour(idea: str | None) -> dict[str, Any]:
    if idea is None:
        return {}
    require(idea in IDEAS, "idea", f"one of {', '.join(IDEAS)}", idea)
    return {"color": IDEAS[idea]}


def finished(figure: Figure) -> Figure:
    """The last step of a figure: it is taken from pyplot's list of open ones, which a notebook would draw again."""
    import matplotlib.pyplot as plt  # here, because styles and lines need no list of open figures

    plt.close(figure)
    return figure
