"""Still figure of recorded runs: entropy of attention at the snap and later, over the ratio of learning rates.

Chapter `scan_snap`, beyond the paper; recorded by `python -m hal.chapters.records scan_snap at_snap`.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.scan_snap.runs.at_snap import RATIOS, flow_entropies, recorded_entropies

SHADES = ("#7fb8de", "#0072b2", "#004a75")  # early to late, light to dark of one hue
TITLE = "At the snap: the lower the ratio, the sparser"
NAMES = ("at the snap, $t_0$", "at $3t_0$", "at $10t_0$")


def entropy_at_snap() -> Figure:
    """Medians of sixteen seeds with their ranges for two decoders, which lie on each other; dashed, the joint flow."""
    found, fine = recorded_entropies()[0], np.geomspace(RATIOS[0], RATIOS[-1], 17)
    paths = flow_entropies(fine.tolist())
    with plots.style():
        fig, ax = plt.subplots(figsize=(7, 3.8))
        for k, (shade, name) in enumerate(zip(SHADES, NAMES, strict=True)):
            for runs, mark in zip(found[:, :, k], ("o", "s"), strict=True):
                low, middle, high = np.quantile(runs, [0.0, 0.5, 1.0], axis=-1)
                ax.plot(RATIOS, middle, mark + "-", ms=4, color=shade, lw=1.2)
                ax.fill_between(RATIOS, low, high, color=shade, alpha=0.3, linewidth=0)
            plots.theory(ax, fine, paths[:, k], None)
            ax.text(11.5, found[0, -1, k].mean(), name, color=shade, va="center")
        ax.text(0.098, paths[0, 0] + 0.004, "dashed: infinitely long sequences", color=plots.INK, fontsize=9)
        ax.set(xscale="log", xlim=(0.09, 32))
        ax.set_xticks([0.1, 1, 10], ["0.1", "1", "10"])
        plots.label_axes(ax, "ratio of learning rates $η_Y / η_Z$ (1)", "entropy of attention (nats)", TITLE)
        return plots.finished(fig)
