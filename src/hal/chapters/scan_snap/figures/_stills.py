"""The paper's figures of chapter `scan_snap`, re-run, that stand still. Source: arXiv 2305.16380."""

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

import hal.plots as plots
from hal.palette import PALETTE
from hal.plots import finished


def small(runs: Mapping[str, Any]) -> Figure:
    """Figure 4: final attention on class A's distinct tokens, for two rates of the decoder: label ->
    `runs.small.Small`."""
    with plots.style():
        fig, ax = plt.subplots(figsize=(6, 3.2))
        for (label, run), colour in zip(runs.items(), (PALETTE["orange"], PALETTE["green"]), strict=True):
            end = _tokens(ax, run.distinct[:, -1, 0], colour)
            ax.annotate(label, (10, end[-1]), (10.2, end[-1]), color=colour, va="center", annotation_clip=False)
        plots.label_axes(
            ax,
            "distinct word, rarest first (rank)",
            "attention (fraction)",
            "With a slow decoder, the winner gets more",
        )
        return finished(fig)


def adam(runs: Mapping[str, Any]) -> Figure:
    """Figure 5: final attention on class A's distinct tokens for several rates of Adam: label -> `runs.small.Small`."""
    with plots.style():
        fig, axes = plt.subplots(1, len(runs), figsize=(9, 3.0), sharey=True)
        for ax, (label, run) in zip(np.atleast_1d(axes), runs.items(), strict=True):
            middle = _tokens(ax, run.distinct[:, -1, 0], PALETTE["orange"])
            best = int(middle.argmax())
            ax.plot(best + 1, middle[best], "o", color=PALETTE["orange"], ms=10)
            ax.annotate("winner", (best + 1, middle[best]), (0, 9), textcoords="offset points", ha="center")
            plots.label_axes(ax, "distinct word, rarest first (rank)", None, label)
        plots.label_axes(np.atleast_1d(axes)[0], None, "attention (fraction)")
        fig.suptitle("Adam: the learning rate decides which word wins", fontsize="medium")
        return finished(fig)


def _tokens(ax: Axes, attention: NDArray, colour: str) -> NDArray:
    """Draw the median and the 10 to 90 % range of attention (R, D) on each distinct token; the median (D,)."""
    low, middle, high = np.quantile(attention, [0.1, 0.5, 0.9], axis=0)
    rank = np.arange(1, attention.shape[1] + 1)
    ax.fill_between(rank, low, high, color=colour, alpha=0.25, lw=0)
    ax.plot(rank, middle, "o-", color=colour, ms=4)
    ax.set_xticks(rank)
    ax.set_ylim(0, max(1.12 * float(high.max()), ax.get_ylim()[1]))
    return middle
