"""Still figure: how each of the six tasks ends, the flow on the law of its chapter.

Chapter `atlas`. Source: our own; the laws are those of the six chapters.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.atlas.runs.endings import ENDS
from hal.palette import IDEAS


def six_endings() -> Figure:
    """What is left over time, a panel a task: a straight line on two logarithmic axes is a power, on one a decay."""
    with plots.style():
        fig, axes = plt.subplots(2, 3, figsize=(9.5, 5.6))
        for (name, made), ax in zip(ENDS.items(), axes.flat, strict=True):
            end = made()
            power = np.isfinite(end.power)
            ax.plot(end.time, end.left, color=IDEAS["loss"], lw=3)
            ax.plot(end.time, end.law, "--", color=IDEAS["theory"])
            low, high = end.left.min(), end.left.max()
            ax.set(yscale="log", xscale="log" if power else "linear", ylim=(max(low, 1e-12) / 2, 3 * high))
            told = {-1.0: "like $1/t$", -0.5: "like $t^{-1/2}$", -1 / 3: "like $t^{-1/3}$"}.get(
                end.power, "exponential"
            )
            ax.set_title(f"{name}: {told}")
            plots.label_axes(ax, "learning rate times steps (steps)", end.what)
        return plots.finished(fig)
