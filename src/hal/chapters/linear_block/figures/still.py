"""The figures that are not explorers: the paper's own, Table 1 at two sizes, and what lies beyond the paper.

Chapter `linear_block`. Source: arXiv 2402.14951, the figure of its public version and Table 1; the others show recorded
runs, and all settings are ours but for what Table 1 states.
What is out of range, or is not there, raises InputError.
"""

from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.linear_block import runs
from hal.chapters.linear_block.runs import ingredients as added
from hal.chapters.linear_block.runs import table1
from hal.chapters.linear_block.theory.attention import best_attention
from hal.palette import IDEAS
from hal.tables import Table
from lib.models import linear_block as lb
from lib.theory import linear_block as theory

HUES = {True: IDEAS["step"], False: IDEAS["attention"]}  # with the MLP, and without


def block_and_attention(seeds: Sequence[int] = range(5), steps: int = 1500) -> Figure:
    """Risk over the steps (of Adam, on 64 drawn prompts each) of block and attention, with the best risks."""
    task = lb.power_task(d=5, M=20, sigma=0.5, norm=2.0)
    best = {True: theory.best_risk(task), False: best_attention(task).risk}
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
        ax.legend(loc="best")
        return plots.finished(fig)


def ingredients(path: str | Path = added.RECORD) -> Figure:
    """Recorded errors of every stack of layers, one dot a run, with and without MLPs."""
    errors = runs.recorded_ingredients(path)
    with plots.style():
        fig, ax = plt.subplots(figsize=(7, 3.8))
        for mlp, words, off in ((False, "without an MLP", -0.15), (True, "with an MLP", 0.15)):
            for i, name in enumerate(added.INGREDIENTS):
                found = errors[name, mlp]
                ax.plot(found, np.full(len(found), i + off), "o", color=HUES[mlp], ms=4, label=None if i else words)
        for level, words in (
            (theory.best_risk(added.TASK), "best linear block"),
            (theory.prior_risk(added.TASK), "reads nothing"),
        ):
            ax.axvline(level, ls="--" if words[0] == "b" else ":", color=IDEAS["theory"], label=words)
        ax.axhspan(4.5, 6.5, color=HUES[True], alpha=0.08, lw=0)
        ax.text(0.37, 5.5, "any run with\nan MLP beats\nany without", color=HUES[True], va="center", fontsize=8)
        ax.set_xscale("log")
        ax.set_title("Behind a read-out the MLP is idle, but for LayerNorm at its end", x=0.3)
        ax.set_xticks([0.5, 1, 2, 5], ["0.5", "1", "2", "5"])
        ax.minorticks_off()
        ax.set_yticks(range(len(added.INGREDIENTS)), list(added.INGREDIENTS))
        ax.invert_yaxis()
        plots.label_axes(ax, "error at the query (1)")
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        return plots.finished(fig)


def table_1(path: str | Path = table1.RECORD) -> Table:
    """The paper's Table 1, our runs at its scale and at one layer, and what the prior mean gives alone.

    A missing record of the runs at its scale is said.
    """
    found = runs.recorded_table1(path)
    head = ["loss", *(f"mean {mean:g}, {'with MLP' if mlp else 'without'}" for mean, mlp in table1.MODELS)]
    rows = [["the paper", *(f"{table1.PUBLISHED[model]:.3f}" for model in table1.MODELS)]]
    if found is None:
        rows.append(["ours, six layers", *["not run"] * len(table1.MODELS)])
    else:
        steps, errors = found
        ends = (f"{np.median(errors[model][:, -1]):.3f}" for model in table1.MODELS)
        rows.append([f"ours, six layers, {steps:,} steps", *ends])
    small_ends = (np.median(runs.recorded_errors(*model)[:, -1]) for model in table1.MODELS)
    rows.append(["ours, one layer", *(f"{end:.3f}" for end in small_ends)])
    d = table1.Settings().d
    told = [theory.prior_risk(lb.Task(np.eye(d), np.eye(d), np.full(d, mean), 0.0, 1)) for mean, _ in table1.MODELS]
    rows.append(["who knows the mean and reads no example", *(f"{risk:.3f}" for risk in told)])
    return Table(head, rows, "Table 1 of the paper, and our runs at its scale and at one layer")
