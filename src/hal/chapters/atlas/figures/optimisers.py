"""Still figure: when attention is half-way, by the step and by the clock, under four optimisers.

Chapter `atlas`. Source: our own; Theorem 1.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

import hal.plots as plots
from hal.chapters.atlas.runs import FACTORS, fan
from hal.palette import IDEAS, PALETTE
from lib.theory import atlas as theory

OPTIMISERS = ("gradient descent", "momentum", "Adam", "sign descent")


def two_clocks(seeds: int = 4) -> Figure:
    """Step and clock at half-way against the learning rate of the read-out; quartiles over seeds.

    Args:
        seeds: runs at each learning rate.
    """
    with plots.style():
        fig, axes = plt.subplots(1, 2, figsize=(9.5, 3.6))
        for name, hue in zip(OPTIMISERS, PALETTE.values(), strict=False):
            found = fan(range(seeds), name)
            for ax, values in zip(axes, (found.step, found.clock), strict=True):
                low, middle, high = np.nanquantile(values, [0.25, 0.5, 0.75], axis=0)
                ax.errorbar(FACTORS, middle, [middle - low, high - middle], fmt="o-", color=hue, label=name)
        axes[1].axhline(float(theory.half_clock(0.3, 0.02)), ls="--", color=IDEAS["theory"], label="theory")
        for ax, label in zip(axes, ("step at half-way (steps)", "clock at half-way (steps)"), strict=True):
            ax.set(xscale="log", yscale="log")
            ax.set_xticks(FACTORS, [f"{factor:g}" for factor in FACTORS])
            ax.xaxis.set_minor_locator(NullLocator())
            plots.label_axes(ax, "learning rate of the read-out, times the middle one (1)", label)
        axes[1].legend(loc="best")
        return plots.finished(fig)
