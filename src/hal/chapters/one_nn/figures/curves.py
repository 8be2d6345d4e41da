"""The two panels of the talk: training loss, and test loss with separation, over dimensions and context sizes.

Chapter `one_nn`. Source: the talk's experiments; dimensions and sizes are assumed.
"""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.one_nn import runs
from hal.palette import IDEAS, PALETTE

SIZES = ((4, 8), (8, 16), (16, 32), (8, 64))  # (d, N)


def talk(steps: int = 3000, lr: float = 2.0, delta: float = 0.1, sizes: Sequence[tuple[int, int]] = SIZES) -> Figure:
    """SGD on the two scalars from (0, 3), batch 256, and the flow: loss of single batches; loss on separated prompts.

    Args:
        steps: of SGD.
        lr: learning rate.
        delta: separation of the test prompts.
        sizes: (d, N), one curve each.
    """
    at = np.unique(np.r_[0, np.geomspace(5, steps, 30).astype(int)])
    t = lr * at[1:]
    said = "SGD lies on its flow", "Separated prompts: same order, steeper"
    with plots.style():
        fig, axes = plt.subplots(1, 2, figsize=(9.5, 3.6))
        for (d, N), hue in zip(sizes, PALETTE.values(), strict=False):
            run = runs.learn_pair([0], d=d, N=N, lr=lr, steps=steps, record_at=at)
            flow = runs.reduced_flow(d, N, t, rows=2048)
            test = runs.shift_scores(run["xi1"][0, 1:], run["xi2"][0, 1:], d, N, delta, prompts=4000)
            axes[0].plot(t, run["loss"][0, 1:], "o", ms=3, color=hue, label=f"d = {d}, N = {N}")
            axes[0].plot(t, flow.loss, "--", color=IDEAS["theory"], lw=1.2)
            axes[1].plot(t, test.loss, color=hue, label=f"d = {d}, N = {N}")
        for ax, title, what in zip(axes, said, ("training loss (1)", f"test loss, δ = {delta:g} (1)"), strict=True):
            ax.set(xscale="log", yscale="log", title=title)
            plots.label_axes(ax, "training time t (1)", what)
        axes[0].plot([], [], "--", color=IDEAS["theory"], label="gradient flow")
        axes[0].legend(loc="best")
        return plots.finished(fig)
