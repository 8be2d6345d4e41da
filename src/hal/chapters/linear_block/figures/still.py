"""The figure that is no explorer: what lies beyond the paper, by recorded runs at settings of ours.

Chapter `linear_block`. What is not there raises InputError.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.linear_block import runs
from hal.chapters.linear_block.runs import ingredients as added
from hal.palette import IDEAS

SHOWN = "the linear block", "a read-out", "read-out, LayerNorm at the end", "all of them"


def ingredients(path: str | Path = added.RECORD) -> Figure:
    """How many times larger the recorded error is without MLPs, medians of every stack of layers."""
    errors, rows = runs.recorded_ingredients(path), [name for name in added.INGREDIENTS if name in SHOWN]
    times = [float(np.median(errors[name, False]) / np.median(errors[name, True])) for name in rows]
    with plots.style():
        fig, ax = plt.subplots(figsize=(8.4, 2.6))
        for i, value in enumerate(times):
            apart = errors[rows[i], True].max() < errors[rows[i], False].min()
            ax.barh(i, value - 1, left=1, height=0.62, color=IDEAS["attention"])
            note = "" if apart or value < 1.1 else ", but the runs overlap"
            ax.text(max(value, 1) + 0.05, i, f"{value:.1f}×{note}", color=IDEAS["attention"], va="center")
        ax.grid(visible=False)
        ax.axvline(1, color=IDEAS["data"], lw=1)
        ax.spines["left"].set_visible(False)
        ax.set(xlim=(0.9, 4.6), ylim=(len(rows) - 0.5, -0.6))
        ax.set_xticks([1, 2, 3, 4], ["no difference", "2×", "3×", "4×"])
        ax.set_yticks(range(len(rows)), rows)
        ax.set_title("A read-out replaces the MLP, until LayerNorm comes last", pad=14)
        plots.label_axes(ax, "error without MLPs / error with MLPs (1)")
        return plots.finished(fig)
