"""On which parity random initialisations end, over the size of the circle, and what theory predicts.

Chapter `random_walk`. Source: ours, beyond arXiv 2511.23239; the runs are recorded.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.random_walk.runs import sizes
from hal.palette import IDEAS
from lib.portable.chances import share_interval

HUES = dict(zip(sizes.SIGMAS, ("first", "second", "attention"), strict=True))


def parity_by_size(path: str | Path = sizes.RECORD) -> Figure:
    """Proportion of runs on even lags, with 95% bands: even circles with theory on the left, odd ones on the right."""
    found = sizes.recorded_sizes(path)
    with plots.style():
        fig, axes = plt.subplots(1, 2, figsize=(9.5, 3.4), sharey=True)
        for ax, nodes, title in (
            (axes[0], sizes.EVEN, "even circles: a trap while small"),
            (axes[1], sizes.ODD, "odd circles: hardly any"),
        ):
            for sigma, idea in HUES.items():
                kept = [[odd for odd in found[sizes.Setting(K, sigma)]["odd"] if odd is not None] for K in nodes]
                wrong = [float(np.sum(np.array(one) < 0)) for one in kept]
                low, high = np.transpose([share_interval(bad, len(one)) for bad, one in zip(wrong, kept, strict=True)])
                share = [bad / len(one) for bad, one in zip(wrong, kept, strict=True)]
                ax.fill_between(nodes, low, high, color=IDEAS[idea], alpha=0.15, lw=0)
                ax.plot(nodes, share, "o-", ms=4, color=IDEAS[idea], label=f"σ = {sigma:g}")
                if nodes is sizes.EVEN:
                    told = [sizes.predicted(K, sigma) for K in nodes]
                    ax.plot(nodes, told, "--", color=IDEAS[idea], lw=1, label="theory" if sigma == 0.04 else None)
            ax.set(title=title, ylim=(-0.02, 0.75))
            plots.label_axes(ax, "nodes of the circle K (nodes)")
        plots.label_axes(axes[0], y="runs on even lags (1)")
        axes[1].text(0.98, 0.9, "bands: 95% intervals", transform=axes[1].transAxes, ha="right", color=plots.INK)
        axes[0].legend(loc="upper right")
        return plots.finished(fig)
