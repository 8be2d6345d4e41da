"""Still figure: how each of the six tasks ends, the flow on the law of its chapter.

Chapter `atlas`. Source: our own; the laws are those of the six chapters.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.atlas.runs.endings import ENDS
from hal.palette import IDEAS

#: Of each task, where its name begins.
NAMES = {
    "Places": (0.4, 2.2), "Sentences": (1.3e4, 1.2e-5), "Neighbours": (2e6, 0.035), "Groups": (1.5e5, 1.1e-3),
    "Walks": (1.2e5, 0.011), "Prompts": (0.6, 2e-4),
}  # fmt: skip
POWERS = {-1.0: "$1/t$", -0.5: "$t^{-1/2}$", -1 / 3: "$t^{-1/3}$"}


def six_endings() -> Figure:
    """What is left over time, as a share of its start: on two logarithmic axes a power is straight, a decay a cliff."""
    with plots.style():
        fig, ax = plt.subplots(figsize=(8.6, 4.6))
        for name, made in ENDS.items():
            end = made()
            left, law = end.left / end.left[0], end.law / end.left[0]
            decays = not np.isfinite(end.power)
            hue = IDEAS["rival"] if decays else IDEAS["loss"]
            ax.plot(end.time, left, color=hue, lw=3)
            ax.plot(end.time, np.where(law < 1.2, law, np.nan), "--", color=plots.INK, lw=1.2)
            told = f"{name}: {'exponential' if decays else POWERS[end.power]}"
            ax.text(*NAMES[name], told.replace("Prompts: ", "Prompts:\n"), color=hue, va="center", fontsize=11)
        ax.set(xscale="log", yscale="log", xlim=(0.3, 2e8), ylim=(1e-6, 4))
        plots.label_axes(ax, "training time (learning rate times steps)", "what is left to learn (share)")
        ax.set_title("Two tasks fall off a cliff; four go on along straight lines")
        return plots.finished(fig)
