"""The paper's figure, block against attention along training, and Table 1 at the size of one layer.

Chapter `linear_block`. Source: arXiv 2402.14951, the figure of its public version and Table 1; all settings are ours.
"""

from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.linear_block import runs
from hal.chapters.linear_block.runs.gpt import MEANS, RECORD, STEPS
from hal.palette import IDEAS
from lib.models import linear_block as lb
from lib.theory import linear_block as theory

HUES = {True: IDEAS["first"], False: IDEAS["attention"]}  # with the MLP, and without


def block_and_attention(seeds: Sequence[int] = range(5), steps: int = 1500) -> Figure:
    """Risk over the steps of block and attention, trained on drawn prompts, with the best risks.

    Args:
        seeds: one a run.
        steps: of Adam on 64 prompts each.
    """
    task = lb.power_task(d=5, M=20, sigma=0.5, norm=2.0)
    best = {True: theory.best_risk(task), False: theory.best_attention(task).risk}
    at = np.unique(np.geomspace(1, steps, 60).astype(int) - 1).tolist()
    with plots.style():
        fig, ax = plt.subplots(figsize=(6, 3.4))
        for mlp, words in ((False, "without the MLP"), (True, "with the MLP")):
            run = runs.train_on_prompts(task, seeds, steps, 64, mlp=mlp, record_at=[*at, steps])
            for r, risk in enumerate(run["risk"]):
                ax.plot(run.steps[1:], risk[1:], color=HUES[mlp], lw=1, label=None if r else words)
            ax.axhline(best[mlp], ls="--", color=IDEAS["theory"])
        ax.set_xscale("log")
        ax.set_yscale("log")
        plots.label_axes(ax, "training time (steps)", "risk (1)")
        ax.legend()
        return plots.finished(fig)


def gpt_style(path: str | Path = RECORD) -> Figure:
    """Recorded errors of one GPT-style layer with and without an MLP, prior means 0 and 10 in every entry.

    Args:
        path: of the record.
    """
    with plots.style():
        fig, axes = plt.subplots(1, 2, figsize=(9.5, 3.2), sharey=True)
        for ax, mean in zip(axes, MEANS, strict=True):
            for mlp, words in ((False, "without an MLP"), (True, "with an MLP")):
                errors = runs.recorded_errors(mean, mlp, path=Path(path))
                times = np.linspace(0, STEPS, errors.shape[1])
                for r, error in enumerate(errors):
                    ax.plot(times, error, color=HUES[mlp], lw=1, label=None if r else words)
            ax.axhline(3.0, ls="--", color=IDEAS["theory"], label="reads nothing")
            ax.set_yscale("log")
            ax.set_title(f"every entry of the mean {mean:g}")
            plots.label_axes(ax, "training time (steps)", "error at the query (1)")
        axes[0].legend()
        return plots.finished(fig)
