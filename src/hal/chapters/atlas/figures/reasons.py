"""Still figure: right answers over attention on the right place, along runs that are right for one reason or another.

Chapter `atlas`. Source: our own.
"""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.atlas.runs.reasons import RUNS
from hal.palette import IDEAS

OTHER = {
    "Sentences": "attention frozen",
    "Groups": "Adam in both layers",
    "Walks": "no chance in the walk",
}


def two_reasons(seeds: int = 4) -> Figure:
    """A panel a task: the book's run, and one that is right with its attention elsewhere; a dot a record.

    Args:
        seeds: runs that each path is the mean of.
    """
    with plots.style():
        fig, axes = plt.subplots(1, 3, figsize=(9.5, 3.4), sharey=True)
        for (name, runs), ax in zip(RUNS.items(), axes, strict=True):
            ax.axvspan(0, 0.5, 0.83, 1, color=IDEAS["theory"], alpha=0.2, lw=0)
            if name == "Walks":  # once is enough, where no path is in the way
                ax.text(0.1, 0.88, "right answers,\nattention elsewhere", fontsize=8, va="top")
            labels = ("gradient descent" if name != "Walks" else "with chance", OTHER[name])
            for made, hue, label in zip(runs, ("first", "second"), labels, strict=True):
                path = made(range(seeds))
                ax.plot(path.seen, path.right, "o-", color=IDEAS[hue], ms=3, lw=1, label=label)
                ax.plot(path.seen[-1], path.right[-1], "o", color=IDEAS[hue], ms=9)
            ax.set(xlim=(0, 1.02), ylim=(0, 1.08), title=name)
            plots.label_axes(ax, "attention on the right place (share)", "accuracy over the best possible (1)")
            ax.legend(loc="lower right")
        for ax in axes[1:]:
            ax.set_ylabel("")
        return plots.finished(fig)
