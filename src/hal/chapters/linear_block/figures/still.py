"""The figures that are not explorers: the paper's own, Table 1 at two sizes, and what lies beyond the paper.

Chapter `linear_block`. Source: arXiv 2402.14951, the figure of its public version and Table 1; the others show recorded
runs, and all settings are ours but for what Table 1 states.
"""

from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.linear_block import runs
from hal.chapters.linear_block.runs import gpt, starts, table1
from hal.chapters.linear_block.runs import ingredients as added
from hal.palette import IDEAS
from hal.tables import Table
from lib.models import linear_block as lb
from lib.portable.chances import share_interval
from lib.theory import linear_block as theory

HUES = {True: IDEAS["first"], False: IDEAS["attention"]}  # with the MLP, and without


def block_and_attention(seeds: Sequence[int] = range(5), steps: int = 1500) -> Figure:
    """Risk over the steps (of Adam, on 64 drawn prompts each) of block and attention, with the best risks."""
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
        ax.legend(loc="best")
        return plots.finished(fig)


def gpt_style(path: str | Path = gpt.RECORD) -> Figure:
    """Recorded errors of one GPT-style layer with and without an MLP, prior means 0 and 10; medians at the end."""
    with plots.style():
        fig, axes = plt.subplots(1, 2, figsize=(9.5, 3.2), sharey=True)
        for ax, mean in zip(axes, gpt.MEANS, strict=True):
            ends = []
            for mlp, words in ((False, "without an MLP"), (True, "with an MLP")):
                errors = runs.recorded_errors(mean, mlp, path=Path(path))
                times = np.linspace(0, gpt.STEPS, errors.shape[1])
                for r, error in enumerate(errors):
                    ax.plot(times, error, color=HUES[mlp], lw=1, label=None if r else words)
                ends.append(float(np.median(errors[:, -1])))
                ax.text(gpt.STEPS * 1.02, ends[-1], f"{ends[-1]:.2f}", color=HUES[mlp], va="top" if mlp else "bottom")
            ax.axhline(3.0, ls="--", color=IDEAS["theory"], label="reads nothing")
            ax.set_yscale("log")
            without, with_it = ends
            ax.set_title(f"mean {mean:g}: median {without / with_it:.1f} times lower with an MLP")
            plots.label_axes(ax, "training time (steps)", "error at the query (1)")
        axes[0].legend(loc="best")
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


def which_starts(path: str | Path = starts.RECORD) -> Figure:
    """Share of the recorded starts that reach the best risk over the trap's criterion, with 95 % intervals."""
    found = runs.recorded_starts(path)
    marks = dict(zip((2, 4, 8), ("o", "s", "^"), strict=True))
    criteria = {
        d: np.array([theory.trap_criterion(starts.task_of(setting)) for setting in found if setting.d == d])
        for d in marks
    }
    with plots.style():
        fig, axes = plt.subplots(2, 2, figsize=(7.5, 5.2), sharex=True, sharey=True)
        for i, (ax, (kind, scale)) in enumerate(zip(axes.flat, starts.STARTS, strict=True)):
            for d, mark in marks.items():
                counts = np.array([ends["best"][i] for setting, ends in found.items() if setting.d == d], dtype=float)
                low, high = np.transpose([share_interval(count, float(starts.SEEDS)) for count in counts])
                for whole, hue in ((True, IDEAS["first"]), (False, IDEAS["second"])):
                    at = (counts == starts.SEEDS) == whole
                    ax.vlines(criteria[d][at], low[at], high[at], color=hue, lw=0.7, alpha=0.5)
                    ax.plot(criteria[d][at], counts[at] / starts.SEEDS, mark, color=hue, ms=4, alpha=0.8)
            ax.axvline(1.0, ls="--", color=IDEAS["theory"])
            ax.set_xscale("log")
            ax.axvspan(1.0, 12.0, color=IDEAS["theory"], alpha=0.08, lw=0)
            words = {"generic": "random matrices", "near identity": "near identity"}[kind]
            ax.set_title(f"{words}, entries of {scale:g}")
        axes[0, 0].text(1.1, 0.03, "here the trap is\na local minimum", fontsize=8, color=IDEAS["theory"])
        for row, column in zip(axes[:, 0], axes[1], strict=True):
            plots.label_axes(row, y="share at the best risk (1)")
            plots.label_axes(column, "criterion (1)")
        for d, mark in marks.items():
            axes[1, 1].plot([], [], mark, color=IDEAS["theory"], ms=4, label=f"d = {d}")
        axes[1, 1].legend(loc="lower left")
        return plots.finished(fig)


def table_1(path: str | Path = table1.RECORD) -> Table:
    """The paper's Table 1, our runs at its scale, and what the prior mean gives alone; a missing record is said.

    Raises:
        InputError: if it is of other settings.
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
    d = table1.Settings().d
    told = [theory.prior_risk(lb.Task(np.eye(d), np.eye(d), np.full(d, mean), 0.0, 1)) for mean, _ in table1.MODELS]
    rows.append(["who knows the mean and reads no example", *(f"{risk:.3f}" for risk in told)])
    return Table(head, rows, "Table 1 of the paper, and our runs at its scale")
