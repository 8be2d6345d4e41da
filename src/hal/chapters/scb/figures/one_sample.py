"""The picture of one sample of the task."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.palette import IDEAS, PALETTE
from hal.plots import finished
from lib.models import scb


def sample(task: scb.Task, seed: int) -> Figure:
    """One sample: the context, where the last token looks, and how the token found there makes the label.

    Args:
        task: a task with a short context, at most about 30 tokens.
        seed: seed of the sample.
    """
    batch = scb.sample(task, 1, [np.random.default_rng(seed)])
    tokens, k, label = batch.tokens()[0, 0], int(batch.last[0, 0]), int(batch.label[0, 0])
    hues = list(PALETTE.values())
    with plots.style():
        fig, (top, right) = plt.subplots(1, 2, figsize=(9, 2.6), width_ratios=(3.4, 1))
        for t, kind in enumerate(tokens):
            top.add_patch(plt.Rectangle((t - 0.45, -0.45), 0.9, 0.9, color=hues[kind], alpha=0.9))
            top.text(t, 0, "abcdefgh"[kind], ha="center", va="center", color="white", fontsize=9)
        for spot in np.flatnonzero(task.Q[k]):
            bend = {
                "arrowstyle": "->",
                "color": IDEAS["attention"],
                "lw": 4 * task.Q[k, spot],
                "connectionstyle": "arc3,rad=0.25",
            }
            top.annotate("", (spot, 0.5), (task.T + 0.5, 0.5), arrowprops=bend)
            top.text(
                spot, 0.75, f"{task.Q[k, spot]:.1f}", ha="right", va="bottom", color=IDEAS["attention"], fontsize=9
            )
        for x, what, name in ((task.T + 0.5, k, "last token"), (task.T + 3.5, label, "label")):
            top.add_patch(plt.Rectangle((x - 0.45, -0.45), 0.9, 0.9, color=hues[what]))
            top.text(x, 0, "abcdefgh"[what], ha="center", va="center", color="white", fontsize=9)
            top.text(x, -0.75, name, ha="center", va="top", fontsize=8)
        top.text(task.T / 2, -0.75, f"context: {task.T} tokens drawn from μ", ha="center", va="top", fontsize=8)
        said = f"last token {'abcdefgh'[k]}: look here, with these weights"
        top.text(0, 3.4, said, color=IDEAS["attention"], fontsize=9, va="center")
        top.set(xlim=(-1, task.T + 5), ylim=(-1.6, 4.6))
        top.axis("off")
        image = right.imshow(task.P, cmap="Blues", vmin=0, vmax=1)
        names = list("abcdefgh"[: task.N])
        right.set_xticks(range(task.N), names)
        right.set_yticks(range(task.N), names)
        right.set(xlabel="token found", ylabel="label", title="P")
        right.grid(False)
        fig.colorbar(image, ax=right, label="probability")
        return finished(fig)
