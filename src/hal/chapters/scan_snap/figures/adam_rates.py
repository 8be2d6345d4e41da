"""Still figure of recorded runs: the most frequent distinct token's share of attention under Adam, over its rate.

Chapter `scan_snap`, beyond the paper; recorded by `python -m hal.chapters.records scan_snap adam_rates`.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.scan_snap.runs import adam_rates
from hal.palette import IDEAS
from lib.models import scan_snap as ss

NAMES = {"both": ("Adam in both layers", "first"), "decoder": ("Adam in the decoder alone", "output"),
         "attention": ("Adam in attention alone", "attention")}  # fmt: skip


def adam_leads(path: str | Path = adam_rates.RECORD) -> Figure:
    """Medians and ranges of sixteen seeds where the decoder has learned; grey, gradient descent in both layers."""
    at, _, plain, _ = adam_rates.recorded_selections(path)
    law = ss.base_task().P[0, ss.base_task().distinct[0]]
    with plots.style():
        fig, ax = plt.subplots(figsize=(7, 3.8))
        for runs, (label, idea) in zip(at[:, :, 0, 0], NAMES.values(), strict=True):
            low, middle, high = np.nanquantile(runs, [0.0, 0.5, 1.0], axis=-1)
            ax.plot(adam_rates.RATES, middle, "o-", ms=4, lw=1.2, color=IDEAS[idea], label=label)
            ax.fill_between(adam_rates.RATES, low, high, color=IDEAS[idea], alpha=0.25, linewidth=0)
        ax.axhspan(plain[0, 0].min(), plain[0, 0].max(), color=plots.INK, alpha=0.4, lw=0, label="gradient descent")
        plots.theory(ax, adam_rates.RATES, np.full(len(adam_rates.RATES), law[-1] / law.sum()), "before training")
        ax.set(xscale="log", ylim=(0, 0.45))
        ax.set_xticks([0.01, 0.1, 1], ["0.01", "0.1", "1"])
        ax.legend(loc="upper left")
        plots.label_axes(ax, "Adam's learning rate (no unit)", "weight of the most frequent one (fraction)",
                         "Where Adam trains the decoder, the frequent one never gains")  # fmt: skip
        return plots.finished(fig)
