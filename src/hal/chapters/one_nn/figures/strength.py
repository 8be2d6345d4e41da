"""Static figure of recorded flows and runs: what a weak self-attention mask costs, over dimensions and examples.

Chapter `one_nn`. Source: arXiv 2411.10830 asks for sigma = Omega(poly(d)); recorded by
`python -m hal.chapters.records one_nn masks`.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.one_nn.runs import masks
from hal.palette import IDEAS, PALETTE

HUES = dict(zip(masks.DIMENSIONS, PALETTE.values(), strict=False))


def masks_needed(path: str | Path = masks.RECORD) -> Figure:
    """Loss over that from the mask 20, when the latter is half of its first: flows, and trained matrices as squares."""
    found = masks.recorded_masks(path)
    with plots.style():
        fig, ax = plt.subplots(figsize=(7.0, 3.8))
        for d, hue in HUES.items():
            flows = [np.array(found[masks.Setting(d, N, False)]["losses"])[:, 0] for N in masks.EXAMPLES]
            over = np.array([one[1:] / one[0] for one in flows])
            ax.fill_between(masks.MASKS, over.min(axis=0), over.max(axis=0), color=hue, alpha=0.15, lw=0)
            for N, curve in zip(masks.EXAMPLES, over, strict=True):
                ax.plot(masks.MASKS, curve, "o-", ms=3, lw=1, color=hue, label=f"d = {d}" if N == 4 else None)
        label: str | None = "trained matrices"
        for d, N in masks.DRAWN:
            mean, low, high = masks.trained_ratio(found[masks.Setting(d, N, True)])
            at, bars = np.array(masks.DRAWN_MASKS[:-1]), np.array([mean - low, high - mean])[:, :-1]
            ax.errorbar(at, mean[:-1], bars, fmt="s", ms=5, color=plots.INK, mfc="none", capsize=3, label=label)
            label = None
        ax.axhline(1.1, color=IDEAS["theory"], ls="--", lw=1)
        ax.text(4.1, 1.11, "within 10%", color=IDEAS["theory"], va="bottom", ha="right")
        ax.set(yscale="log", xlim=(-6.2, 4.2), title="In high dimensions σ hardly matters")
        ax.set_yticks([1, 1.1, 1.5, 2, 3], ["1", "1.1", "1.5", "2", "3"])
        ax.set_yticks([], minor=True)
        plots.label_axes(ax, "self-attention mask at initialisation σ (1)", "times the loss from σ = 20 (1)")
        ax.legend(loc="upper right")
        return plots.finished(fig)
