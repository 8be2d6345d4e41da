"""The paper's figures: accuracy, V and attention from zero at p = 1/2 and 1; random starts; the two question tasks.

Chapter `random_walk`. Source: arXiv 2511.23239, Sections 5 and 6; the learning rate of random starts is our reading.
"""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.random_walk import runs
from hal.palette import IDEAS
from lib.models import random_walk as rw
from lib.theory import random_walk as theory

STEPS = 50
RANDOM_AT = tuple(range(0, 601, 25))


def zero_start(seed: int = 0) -> Figure:
    """Accuracy over the steps, V at the end, and attention by place, at p = 1/2 (above) and p = 1 (below).

    Args:
        seed: of the walks.
    """
    at = list(range(STEPS + 1))
    with plots.style():
        fig, axes = plt.subplots(2, 4, figsize=(11.5, 5.2))
        for row, p in zip(axes, (0.5, 1.0), strict=True):
            found = runs.learn(rw.Walk(6, 97, p), [seed], steps=STEPS, record_at=at, sums="in order")
            row[0].plot(at, found.run["accuracy"][0], color=IDEAS["fit"], label=f"p = {p:g}")
            row[0].axhline(float(theory.best_accuracy(p)), ls="--", color=IDEAS["theory"], label="max(p, 1 - p)")
            row[0].set(ylim=(0, 1.05))
            plots.label_axes(row[0], "training time (steps)", "accuracy (1)")
            row[0].legend(loc="lower right" if p == 0.5 else "center right")
            for ax, (name, values) in zip(
                row[1:3], (("V", found.run.params.V[0]), (r"$\Pi^\top$", theory.step_matrix(6, p).T)), strict=True
            ):
                ax.imshow(values, cmap="Blues", vmin=0, vmax=max(values.max(), 1e-9))
                ax.set_title(f"{name}, p = {p:g}")
                plots.label_axes(ax, "token (node)", "answer (node)")
            S = found.model.attention(found.run.params, found.walks)[0].mean(axis=0)
            row[3].plot(np.arange(1, 98), S, ".-", ms=4, color=IDEAS["attention"])
            row[3].set(ylim=(-0.03, 1.05))
            plots.label_axes(row[3], "place in the walk (1)", "attention (1)")
        return plots.finished(fig)


def random_starts(seeds: Sequence[int] = range(5)) -> Figure:
    """Accuracy and divergence over the steps from random starts, p = 1/2 and 1, K = 6, N = 97.

    Args:
        seeds: one a run.
    """
    with plots.style():
        fig, axes = plt.subplots(1, 2, figsize=(9.5, 3.2))
        for p, hue in ((0.5, IDEAS["first"]), (1.0, IDEAS["second"])):
            found = runs.learn(
                rw.Walk(6, 97, p), seeds, lr=10.0, steps=RANDOM_AT[-1], n=400, record_at=RANDOM_AT,
                sigma=0.01, unit_length=True,
            ).run  # fmt: skip
            for ax, name in zip(axes, ("accuracy", "divergence"), strict=True):
                for k, values in enumerate(found[name]):
                    ax.plot(RANDOM_AT, values, color=hue, alpha=0.8, label=f"p = {p:g}" if k == 0 else None)
        plots.label_axes(axes[0], "training time (steps)", "accuracy on fresh walks (1)")
        plots.label_axes(axes[1], "training time (steps)", "KL divergence (nats)")
        axes[0].axhline(0.5, ls="--", color=IDEAS["theory"], lw=1)
        axes[0].text(5, 0.53, "the best at p = 1/2", fontsize=8, color=IDEAS["theory"])
        axes[1].set_ylim(0.5, 2.2)  # the first step, far above, would hide the rest
        axes[1].legend(loc="upper right")
        return plots.finished(fig)


def question_tasks(seeds: Sequence[int] = range(10)) -> Figure:
    """Accuracy on the two question tasks over the steps, each run a line.

    Args:
        seeds: of the starts.
    """
    with plots.style():
        fig, axes = plt.subplots(1, 2, figsize=(9.5, 3.0), sharey=True)
        for ax, task, title in zip(axes, (1, 2), ("which is most frequent?", "which is preferred?"), strict=True):
            at = range(0, 101, 5)
            found = runs.answer(task, seeds, record_at=at)
            for values in found["accuracy"]:
                ax.plot(at, values, color=IDEAS["fit"], alpha=0.5)
            ax.plot(at, found["accuracy"].mean(axis=0), color=IDEAS["output"], lw=2, label="mean of the runs")
            ax.set(ylim=(-0.03, 1.05), title=f"task {task}: {title}")
            plots.label_axes(ax, "training time (steps)", "accuracy (1)")
            ax.legend(loc="lower right")
        return plots.finished(fig)
