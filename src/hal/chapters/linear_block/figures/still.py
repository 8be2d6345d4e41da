"""The figures that are not explorers: Table 1 at two sizes, and what lies beyond the paper.

Chapter `linear_block`. Source: arXiv 2402.14951, Table 1; all are recorded runs, and settings are ours but for what it
states.
What is out of range, or is not there, raises InputError.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.linear_block import runs
from hal.chapters.linear_block.runs import ingredients as added
from hal.chapters.linear_block.runs import table1
from hal.palette import IDEAS
from hal.tables import Table
from lib.models import linear_block as lb
from lib.theory import linear_block as theory

HUES = {True: IDEAS["step"], False: IDEAS["attention"]}  # with the MLP, and without


def ingredients(path: str | Path = added.RECORD) -> Figure:
    """Recorded errors of every stack of layers, one dot a run, with and without MLPs."""
    errors, rows = runs.recorded_ingredients(path), list(added.INGREDIENTS)
    with plots.style():
        fig, ax = plt.subplots(figsize=(8.4, 4.8))
        for mlp, words, off in ((False, "without an MLP", -0.16), (True, "with an MLP", 0.16)):
            for i, name in enumerate(rows):
                found = errors[name, mlp]
                ax.plot(found, np.full(len(found), i + off), "o", color=HUES[mlp], ms=5)
            ax.text(errors[rows[0], mlp].max() * 1.12, off, words, color=HUES[mlp], va="center")
        for level, words in (
            (theory.best_risk(added.TASK), "best block"), (theory.prior_risk(added.TASK), "reads nothing"),
        ):  # fmt: skip
            ax.axvline(level, ls="--", color=IDEAS["theory"])
            ax.text(level, -0.75, words, ha="center", va="bottom")
        ax.axhspan(4.5, 6.5, color=HUES[True], alpha=0.08, lw=0)
        ax.text(0.42, 5.5, "any run with an MLP\nbeats any without", color=HUES[True], va="center")
        ax.set(xscale="log", xlim=(0.37, 8), ylim=(len(rows) - 0.5, -0.7))
        ax.set_xticks([0.5, 1, 2, 5], ["0.5", "1", "2", "5"])
        ax.minorticks_off()
        ax.set_yticks(range(len(rows)), rows)
        ax.set_title("With a read-out the MLP does nothing, unless LayerNorm comes last", x=0.35, pad=24)
        plots.label_axes(ax, "error at the query (1)")
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
    small, large = (
        [theory.prior_risk(lb.Task(np.eye(d), np.eye(d), np.full(d, mean), 0.0, 1)) for mean, _ in table1.MODELS]
        for d in (3, table1.Settings().d)
    )
    rows.append([f"ours, one layer, d = 3 (reads nothing: {small[0]:g})", *(f"{end:.3f}" for end in small_ends)])
    rows.append(["reads nothing, knows the mean", *(f"{risk:.3f}" for risk in large)])
    return Table(head, rows, "Table 1 of the paper, and our runs at its scale and at one layer")
