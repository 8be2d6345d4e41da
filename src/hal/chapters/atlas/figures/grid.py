"""Still figure: the recorded grid, a field for each task and optimiser, in it every pair of learning rates.

Chapter `atlas`. Source: our own; recorded by `python -m hal.chapters.records atlas grid`.
"""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

import hal.plots as plots
from hal.chapters.atlas.runs.grid import OPTIMISERS, SEEDS, recorded_grid
from hal.chapters.atlas.runs.rows import ROWS, THREE
from hal.palette import IDEAS

SIDE = len(THREE) + 1  # of a field with its gap, in squares


def field(kept: dict[str, Any], name: str) -> np.ndarray:
    """(3, 3) the share of runs that a row of the record counts as `name`, slow attention first.

    Where the read-out has one rate, it fills the field.
    """
    told = np.array(kept[name], dtype=float) / len(SEEDS)
    return np.broadcast_to(told, (len(told), len(THREE)))


def recorded_map() -> Figure:
    """Which share of the runs finds the place; around Groups under Adam and sign descent a frame."""
    record, rows = recorded_grid(), list(ROWS)
    picture = np.full((SIDE * len(rows), SIDE * len(OPTIMISERS)), np.nan)
    with plots.style():
        fig, ax = plt.subplots(figsize=(6.4, 5.4))
        for i, row in enumerate(rows):
            for j, optimiser in enumerate(OPTIMISERS):
                kept, x, y = record[row, optimiser], SIDE * j, SIDE * i
                if "why" in kept:
                    ax.text(x + 1, y + 1, "none", fontsize=6, ha="center", va="center")
                    continue
                picture[y : y + 3, x : x + 3] = field(kept, "found")[::-1]
                down, along = np.nonzero(field(kept, "lost")[::-1] > 0.5)
                ax.plot(x + along, y + down, "x", color=plots.INK, ms=3, mew=0.8)
        drawn = ax.imshow(picture, vmin=0, vmax=1, aspect="auto", interpolation="nearest")
        first, low = SIDE * OPTIMISERS.index("Adam"), SIDE * rows.index("Groups, linear")
        corner, side = (first - 0.75, low - 0.75), 2 * SIDE - 0.5
        ax.add_patch(Rectangle(corner, side, side, fill=False, ec=IDEAS["attention"], lw=2.2, zorder=4))
        box: dict[str, Any] = dict(boxstyle="round,pad=0.25", fc="white", ec="none", alpha=0.9)
        words: dict[str, Any] = dict(fontsize=8, color="#333333", ha="center", va="center", bbox=box, zorder=5)
        ax.text(first + 3, low + 3, "place missed,\nnearly right", **words)
        ax.grid(False)
        slanted: dict[str, Any] = dict(rotation=30, ha="right", rotation_mode="anchor")
        ax.set_xticks(SIDE * np.arange(len(OPTIMISERS)) + 1, OPTIMISERS, **slanted)
        ax.set_yticks(SIDE * np.arange(len(rows)) + 1, [f"{row} ({ROWS[row].steps})" for row in rows])
        ax.spines[["left", "bottom"]].set_visible(False)
        fig.colorbar(drawn, ax=ax, pad=0.02, aspect=30).set_label("finds the place (share of runs)")
        plots.label_axes(ax, y="task, attention, and how long a run is (steps)")
        return plots.finished(fig)
