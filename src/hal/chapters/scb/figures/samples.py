"""Recorded runs as a table and a still figure: powers of the samples, and the old task that saves them.

Chapter `scb`, beyond the paper; recorded by `python -m hal.chapters.records scb samples` and `... scb skip`.
"""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.scb.runs.samples import (
    GOALS,
    RATES,
    SIZES,
    SWEPT,
    along,
    exponent,
    interval,
    recorded_samples,
)
from hal.chapters.scb.runs.skip import CORRELATIONS, LENGTHS, MAPPED, TOKENS, least_correlation, worth
from hal.palette import IDEAS
from hal.tables import Table


def _cell(axis: str, goal: str, optimiser: str, attention: str) -> str:
    sizes, found = along(axis, goal, optimiser, attention)
    middle, low, high = interval(exponent(sizes, found))
    return f"{middle:.2f} [{low:.2f}, {high:.2f}]" if np.isfinite(middle) else "not reached"


def samples_table() -> Table:
    """Exponents of the fewest samples in T, N and Q, with 95% intervals, and how many runs diverged."""
    record = recorded_samples()
    head = ["", *(f"{axis}: {goal}" for axis in SWEPT for goal in GOALS if axis == "T" or goal != GOALS[1])]
    rows = []
    for optimiser, attention in RATES:
        mine = [kept for key, kept in record.items() if key[3:] == (optimiser, attention) and key[:3] in SIZES]
        cells = [_cell(title[0], title[3:], optimiser, attention) for title in head[1:]]
        lost = f"{sum(kept['lost'] for kept in mine)} of {sum(kept['runs'] for kept in mine)}"
        rows.append([f"{optimiser}, {attention}", *cells, lost])
    return Table([*head, "diverged"], rows, "Exponents of the fewest samples")


def _map(ax: Axes, settings: list[tuple[int, int]], sizes: tuple[int, ...]) -> Any:
    ratio = [worth(*setting) for setting in settings]
    shown = np.clip(np.stack([one[:, 0] for one in ratio], axis=1), 1 / 4, 4)
    image = ax.pcolormesh(np.arange(len(sizes)), np.arange(len(CORRELATIONS)), np.log2(shown), cmap="cividis_r",
                          vmin=-2, vmax=2, shading="nearest")  # fmt: skip
    least = np.array([interval(least_correlation(one)) for one in ratio])
    y = np.interp(np.log(least), np.log(CORRELATIONS), np.arange(len(CORRELATIONS)))
    ax.errorbar(np.arange(len(sizes)), y[:, 0], [y[:, 0] - y[:, 1], y[:, 2] - y[:, 0]], fmt="o-", color="white",
                mfc=IDEAS["attention"], ecolor="white", lw=2.2, ms=7)  # fmt: skip
    ax.grid(False)
    ax.set_xticks(np.arange(len(sizes)), [str(size) for size in sizes])
    ax.set_yticks(np.arange(len(CORRELATIONS)), [f"{rho:g}" for rho in CORRELATIONS])
    return image


def skip_map() -> Figure:
    """Samples of one step over those of Stage 1 from scratch, over correlation and T; and over T and N the smallest
    correlation that saves samples.
    """
    with plots.style():
        fig, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.7), width_ratios=(6, 5))
        image = _map(left, [(T, 4) for T in LENGTHS], LENGTHS)
        plots.label_axes(left, "context length T (tokens)", "correlation ρ with the old task (1)")
        left.text(0.1, 0.4, "from scratch is cheaper", color="white", fontsize=10)
        left.text(2.9, 6.75, "the old task is cheaper", color="black", fontsize=10)
        left.set_title("N = 4")
        bar = fig.colorbar(image, ax=left, label="samples of one step, over Stage 1 (ratio)")
        bar.set_ticks([-2, 0, 2], labels=["¼ or less", "1", "4 or more"])
        _least(right)
        return plots.finished(fig)


def _least(ax: Axes) -> None:
    """The smallest correlation that saves samples, over T and N."""
    found = np.array([[least_correlation(worth(T, N, 0))[0] for T in MAPPED] for N in TOKENS])
    ax.pcolormesh(np.arange(len(MAPPED)), np.arange(len(TOKENS)), found, cmap="cividis_r", vmin=0.2, vmax=1.0,
                  shading="nearest")  # fmt: skip
    for i, j in np.ndindex(found.shape):
        ax.text(j, i, f"{found[i, j]:.2f}", ha="center", va="center", fontsize=10,
                color="white" if found[i, j] > 0.6 else "black")  # fmt: skip
    ax.grid(False)
    ax.set_xticks(np.arange(len(MAPPED)), [str(T) for T in MAPPED])
    ax.set_yticks(np.arange(len(TOKENS)), [str(N) for N in TOKENS])
    ax.set_title("The least correlation that saves samples")
    plots.label_axes(ax, "context length T (tokens)", "vocabulary N (tokens)")
