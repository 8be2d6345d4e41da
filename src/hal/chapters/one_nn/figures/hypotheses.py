"""Static figure: flows outside the hypotheses of the convergence theorem, beside the late law.

Chapter `one_nn`. Source: arXiv 2411.10830, the hypotheses on sigma and N; the law is derived in the chapter.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.one_nn import runs
from hal.palette import IDEAS, PALETTE
from lib.theory import one_nn as theory

MASKS = (-4.0, 0.0, 3.0, 20.0)  # at d = 8, N = 16
EXAMPLES = (2, 4, 16)  # at d = 16, where sqrt(d) ln d = 11


def asked() -> Figure:
    """Loss over time from four self-penalties, and with three numbers of examples; dashed, the late law."""
    times = np.geomspace(1, 1e8, 65)
    panels = {
        "Any self-penalty σ, one late law (d = 8, N = 16)": [(8, 16, sigma, f"σ = {sigma:g}") for sigma in MASKS],
        "Fewer examples, smaller loss (d = 16, σ = 3)": [(16, N, 3.0, f"N = {N}") for N in EXAMPLES],
    }
    with plots.style():
        fig, axes = plt.subplots(1, 2, figsize=(9.5, 3.6), sharey=True)
        for ax, (title, settings) in zip(axes, panels.items(), strict=True):
            for (d, N, sigma, label), hue in zip(settings, PALETTE.values(), strict=False):
                run = runs.reduced_flow(d, N, times, sigma)
                ratio = min(2.0, run.params.xi2[-1] / run.params.xi1[-1])
                law = theory.late_loss(theory.late_xi1(times, d, N, ratio), d, N, ratio)
                ax.plot(times, run.loss, color=hue, label=label)
                ax.plot(times[times >= 1e3], law[times >= 1e3], "--", color=IDEAS["theory"], lw=1.0)
            ax.set(xscale="log", yscale="log", title=title)
            plots.label_axes(ax, "training time t (1)", "loss L (1)")
            ax.legend(loc="best")
        return plots.finished(fig)
