"""The talk's figures: pretraining at two settings, errors downstream; a learning rate beyond the limit.

Chapter `group_sparse`. Source: arXiv 2504.08638, Sections 4 and 5; learning rates and steps are assumed.
"""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.group_sparse import runs
from hal.palette import IDEAS, PALETTE
from lib.models import group_sparse as gs
from lib.theory import group_sparse as theory

TALK = ((500, 4, 6, 0.1), (200, 2, 4, 0.3))  # n, d, D, learning rate
EXAMPLES = (8, 16, 32, 64, 128, 256, 512)
RATES = (0.1, 0.2, 0.4, 0.7, 1.0, 1.4, 2.0)


def talk(seeds: Sequence[int] = range(6), steps: int = 300) -> Figure:
    """Training loss, cosine, norm ratio and attention on the group over the steps, at the talk's two settings.

    Args:
        seeds: one a run.
        steps: of gradient descent.
    """
    at = np.unique(np.linspace(0, steps, 41).astype(int))
    with plots.style():
        fig, grid = plt.subplots(2, 2, figsize=(6.4, 5.0))
        axes = grid.ravel()
        for (n, d, D, lr), hue in zip(TALK, (PALETTE["purple"], PALETTE["green"]), strict=True):
            found = runs.learn_measured(gs.Task(D=D, d=d), seeds, n, lr, steps, at)
            for ax, name in zip(axes, ("loss", "cosine", "ratio", "attention"), strict=True):
                low, middle, high = np.quantile(found[name][:, 1:], [0.1, 0.5, 0.9], axis=0)
                ax.plot(at[1:], middle, color=hue, label=f"n = {n}, d = {d}, D = {D}")
                ax.fill_between(at[1:], low, high, color=hue, alpha=0.25, lw=0)
        said = "The loss falls", "The value vector: at once", "It hardly uses positions", "Attention: later"
        names = ("training loss (nats)", "cosine with v* (1)", "norm ratio (1)", "attention on j* (1)")
        for ax, title, what in zip(axes, said, names, strict=True):
            plots.label_axes(ax, "training time (steps)", what)
            ax.set(title=title)
        axes[0].set(yscale="log")
        axes[2].set(ylim=(0, 1.05))
        axes[3].legend(loc="lower right")
        return plots.finished(fig)


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


def crossing(seeds: Sequence[int] = range(8), n: int = 200, steps: int = 120) -> Figure:
    """Accuracy on both sets, and attention on the group, after training at many learning rates; D = 6, d = 4.

    Args:
        seeds: one a run.
        n: training examples.
        steps: of gradient descent.
    """
    found = [runs.learn(gs.Task(D=6, d=4), seeds, n, lr, steps) for lr in RATES]
    names = {
        "trained": ("accuracy, training examples", "fit"),
        "accuracy": ("accuracy, test examples", "test"),
        "attention": ("attention on the group", "attention"),
    }
    with plots.style():
        fig, ax = plt.subplots(figsize=(6.4, 3.6))
        for name, (label, idea) in names.items():
            values = np.array([getattr(one, name) for one in found])
            ax.plot(RATES, np.median(values, axis=1), "o-", ms=4, color=IDEAS[idea], label=label)
            ax.plot(RATES, values, ".", ms=3, alpha=0.35, color=IDEAS[idea])
        ax.axvline(float(theory.largest_rate(6)), ls="--", color=IDEAS["theory"], label="16/(D (D + 1))")
        ax.set(xscale="log", ylim=(0, 1.03))
        plots.label_axes(ax, "learning rate η (1)", "accuracy, attention (1)")
        ax.legend(loc="lower left")
        return plots.finished(fig)
