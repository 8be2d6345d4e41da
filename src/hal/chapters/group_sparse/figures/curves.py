"""The paper's figure of errors on a new task.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 4; learning rates and steps are assumed.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.group_sparse import runs
from hal.palette import IDEAS
from lib.models import group_sparse as gs

EXAMPLES = (8, 16, 32, 64, 128, 256, 512)


def new_task(repeats: int = 12, gamma: float = 0.05) -> Figure:
    """Accuracy on the new task against its examples at (d, D) = (4, 6), one pretrained layer, deviation over repeats.

    Args:
        repeats: streams of examples.
        gamma: margin of the new task.
    """
    task = gs.Task(D=6, d=4)
    layer = runs.pretrained(task, [0])
    start = gs.Params(*(np.repeat(x, repeats, axis=0) for x in layer))
    found = runs.error_curves(task, start, range(repeats), EXAMPLES, gamma)
    names = {
        "tuned": ("value and attention", "attention"),
        "frozen": ("value alone", "output"),
        "linear": ("logistic regression", "rival"),
    }
    with plots.style():
        fig, ax = plt.subplots(figsize=(6.4, 3.6))
        for k, (name, (label, idea)) in enumerate(names.items()):
            right = 1 - getattr(found, name)
            at = found.examples * 1.05 ** (k - 1)  # side by side
            ax.errorbar(at, right.mean(axis=0), right.std(axis=0, ddof=1), fmt="o-", ms=4, capsize=2,
                        color=IDEAS[idea], label=label)  # fmt: skip
        ax.set(xscale="log", ylim=(0.45, 1.01))
        plots.label_axes(ax, "examples of the new task (1)", "accuracy on test examples (1)")
        ax.legend(loc="lower right")
        return plots.finished(fig)
