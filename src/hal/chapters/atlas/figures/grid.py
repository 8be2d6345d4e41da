"""Still figure: the recorded grid, a field for each task and optimiser, in it every pair of learning rates.

Chapter `atlas`. Source: our own; recorded by `python -m hal.chapters.records atlas grid`.
"""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

import hal.plots as plots
from hal.chapters.atlas.runs.grid import OPTIMISERS, SEEDS, recorded_grid
from hal.chapters.atlas.runs.rows import ROWS, THREE
from hal.palette import IDEAS

SIDE = len(THREE) + 1  # of a field with its gap, in squares
MAPS = {
    "found": "finds the place (share)",
    "right": "answers right (share)",
    "half": "how late (share of a run)",
}


def field(kept: dict[str, Any], name: str) -> np.ndarray:
    """(3, 3) what a map shows of a row of the record, slow attention first; NaN where there is no number.

    Where the read-out has one rate, it fills the field.
    """
    told = np.array(kept[name], dtype=float)
    told = told / {"found": len(SEEDS), "lost": len(SEEDS), "half": kept["steps"]}.get(name, 1.0)
    return np.broadcast_to(told, (len(told), len(THREE)))


def _map(ax: Axes, name: str, rows: list[str], record: dict[tuple[str, str], dict[str, Any]]) -> Any:
    picture = np.full((SIDE * len(rows), SIDE * len(OPTIMISERS)), np.nan)
    for i, row in enumerate(rows):
        for j, optimiser in enumerate(OPTIMISERS):
            kept, x, y = record[row, optimiser], SIDE * j, SIDE * i
            if "why" in kept:
                ax.text(x + 1, y + 1, "none", fontsize=6, ha="center", va="center")
                continue
            picture[y : y + 3, x : x + 3] = field(kept, name)[::-1]
            down, along = np.nonzero(field(kept, "lost")[::-1] > 0.5)
            ax.plot(x + along, y + down, "x", color=plots.INK, ms=3, mew=0.8)
    return ax.imshow(picture, vmin=0, vmax=1, aspect="auto", interpolation="nearest")


def _name(row: str) -> str:
    return f"{row} ({ROWS[row].steps})"


def _frame(ax: Axes, rows: list[str], words: str) -> None:
    """A frame around Groups under Adam and sign descent, and words in it."""
    first, low = SIDE * OPTIMISERS.index("Adam"), SIDE * rows.index("Groups, linear")
    corner, side = (first - 0.75, low - 0.75), 2 * SIDE - 0.5
    ax.add_patch(Rectangle(corner, side, side, fill=False, ec=IDEAS["attention"], lw=2.2, zorder=4))
    box = dict(boxstyle="round,pad=0.25", fc="white", ec="none", alpha=0.9)
    ax.text(first + 3, low + 3, words, fontsize=8, color="#333333", ha="center", va="center", bbox=box, zorder=5)


def recorded_map() -> Figure:
    """Three maps: found or not, how accurate, how long."""
    record, rows = recorded_grid(), list(ROWS)
    with plots.style():
        fig, axes = plt.subplots(1, 3, figsize=(9.5, 5.4), sharey=True)
        for ax, (name, title) in zip(axes, MAPS.items(), strict=True):
            drawn = _map(ax, name, rows, record)
            ax.grid(False)
            ax.set_xticks(SIDE * np.arange(len(OPTIMISERS)) + 1, OPTIMISERS, rotation=90)
            ax.set_yticks(SIDE * np.arange(len(rows)) + 1, [_name(row) for row in rows])
            ax.spines[["left", "bottom"]].set_visible(False)
            fig.colorbar(drawn, ax=ax, location="top", pad=0.01, aspect=30).set_label(title, fontsize=11)
        _frame(axes[0], rows, "place\nmissed")
        _frame(axes[1], rows, "nearly\nright")
        plots.label_axes(axes[0], y="task, attention, and how long a run is (steps)")
        return plots.finished(fig)
