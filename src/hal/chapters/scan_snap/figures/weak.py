"""Still figure of recorded runs: what holds of Theorems 2 and 3 where classes correlate more than Assumption 2 allows.

Chapter `scan_snap`, beyond the paper; recorded by `python -m hal.chapters.records scan_snap weak`.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.scan_snap.runs import weak
from hal.palette import IDEAS

NAMES = {"common": ("common tokens lose", "common"), "distinct": ("distinct ones gain", "distinct"),
         "order": ("the frequent gain more", "attention")}  # fmt: skip
PANELS = {"one": "One common token: broken inside already", "ten": "Ten: broken far outside only"}


def beyond_weak(path: str | Path = weak.RECORD) -> Figure:
    """Means of sixteen seeds in the joint flow, and 95% intervals; dashed, the least of all in the reference dynamics;
    the vertical line is the bound of Assumption 2."""
    found = weak.recorded_statements(path)
    with plots.style():
        fig, axes = plt.subplots(1, 2, figsize=(9.5, 3.8), sharey=True)
        for ax, (kind, title) in zip(axes, PANELS.items(), strict=True):
            ax.axvline(1.0, color=IDEAS["bound"], lw=1.2, ls=":", label="bound of Assumption 2")
            for name, (label, idea) in NAMES.items():
                mean, low, high = weak.interval(found[kind][name])
                ax.plot(weak.STRENGTHS, mean, "o-", ms=4, lw=1.2, color=IDEAS[idea], label=label)
                ax.fill_between(weak.STRENGTHS, low, high, color=IDEAS[idea], alpha=0.25, linewidth=0)
            least = np.min([found[kind][f"reference {name}"].min(axis=1) for name in weak.STATEMENTS], axis=0)
            plots.theory(ax, weak.STRENGTHS, least, "all, reference")
            ax.set(xscale="log", ylim=(0, 1.06))
            ax.set_xticks([0.25, 1, 3, 12], ["1/4", "1", "3", "12"])
            ax.minorticks_off()
            plots.label_axes(ax, "largest eigenvalue of E over 1/K (no unit)", None, title)
        axes[1].legend(loc="lower left")
        plots.label_axes(axes[0], None, "where it holds (fraction)")
        return plots.finished(fig)
