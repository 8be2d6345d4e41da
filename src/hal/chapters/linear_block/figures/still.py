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


def ingredients(path: str | Path = added.RECORD) -> Figure:
    """How many times larger the recorded error is without MLPs, medians of every stack of layers."""
    errors, rows = runs.recorded_ingredients(path), list(added.INGREDIENTS)
    times = [float(np.median(errors[name, False]) / np.median(errors[name, True])) for name in rows]
    with plots.style():
        fig, ax = plt.subplots(figsize=(8.4, 3.9))
        for i, value in enumerate(times):
            apart = errors[rows[i], True].max() < errors[rows[i], False].min()
            colour = IDEAS["attention"] if apart else IDEAS["data"]
            ax.barh(i, value - 1, left=1, height=0.62, color=colour)
            ax.text(max(value, 1) + 0.05, i, f"{value:.1f}×", color=colour, va="center")
        ax.grid(visible=False)
        ax.axvline(1, color=IDEAS["data"], lw=1)
        ax.spines["left"].set_visible(False)
        ax.set(xlim=(0.9, 4.6), ylim=(len(rows) - 0.5, -0.6))
        ax.set_xticks([1, 2, 3, 4], ["no difference", "2×", "3×", "4×"])
        ax.set_yticks(range(len(rows)), rows)
        ax.set_title("A read-out replaces the MLP, until LayerNorm comes last", pad=14)
        plots.label_axes(ax, "error without MLPs, over that with MLPs (1)")
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
    rows.append(
        [f"ours, one layer, d = 3 (ignoring the examples: {small[0]:g})", *(f"{end:.3f}" for end in small_ends)]
    )
    rows.append([f"ignoring the examples, d = {table1.Settings().d}", *(f"{risk:.3f}" for risk in large)])
    return Table(head, rows, "Table 1 of the paper, and our runs at its scale and at one layer")
