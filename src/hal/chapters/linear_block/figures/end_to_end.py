"""Still figure of recorded runs: what training on n prompts costs, the block by its gradients next to start and step.

Chapter `linear_block`. Source: ours; the first open question of arXiv 2402.14951, Section 7.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

import hal.plots as plots
from hal.chapters.linear_block.runs import end_to_end as runs
from hal.palette import IDEAS
from lib.theory import linear_block as theory

HUES = {"step": IDEAS["step"], "block": IDEAS["attention"]}
WORDS = {"step": "start and step, fitted", "block": "block, by its gradients"}


def prompts_needed(path: str | Path = runs.RECORD) -> Figure:
    """Risk above the best over the prompts at one task, median and quartiles; and how many are needed over d."""
    record = runs.recorded_needs(path)
    row, best = record[runs.STANDARD], theory.best_risk(runs.task_of(runs.STANDARD))
    n = np.array(row["counts"])
    with plots.style():
        fig, (left, right) = plt.subplots(1, 2, figsize=(9.0, 3.8))
        for way, told in zip(runs.WAYS, row["predicted"], strict=True):
            above = np.array([[np.nan if one is None else one for one in each] for each in row[way]]) / best
            low, middle, high = np.nanquantile(above, [0.25, 0.5, 0.75], axis=1)
            left.fill_between(n, low, high, color=HUES[way], alpha=0.2, lw=0)
            left.plot(n, middle, "o-", ms=4, color=HUES[way], label=WORDS[way])
            left.plot(n, told / n / best, "--", lw=1, color=HUES[way])
            sizes, need = runs.along("d", way, record)
            finite = np.where(np.isfinite(need), need, np.nan)
            low, high = np.nanquantile(finite[:, 1:], [0.025, 0.975], axis=1)
            slope = runs.exponent(sizes, need)[0]
            right.fill_between(sizes, low, high, color=HUES[way], alpha=0.2, lw=0)
            right.plot(sizes, finite[:, 0], "o-", ms=4, color=HUES[way], label=f"{WORDS[way]}: $d^{{{slope:.2f}}}$")
        left.axhline(runs.SHARE, color=IDEAS["theory"], lw=1, ls=":")
        left.text(n[-1], runs.SHARE * 1.1, f"{runs.SHARE:.0%}", color=IDEAS["theory"], ha="right")
        left.set(xscale="log", yscale="log", title="One over the number of prompts, for both")
        plots.label_axes(left, "training prompts n (prompts)", "risk above the best, over it (1)")
        right.set(xscale="log", yscale="log", title=f"Prompts for {runs.SHARE:.0%} above the best risk")
        right.xaxis.set_minor_locator(NullLocator())
        right.set_xticks(sizes, [str(size) for size in sizes])
        plots.label_axes(right, "features d (features)", "prompts (prompts)")
        left.legend(loc="lower left")
        right.legend(loc="upper left")
        return plots.finished(fig)
