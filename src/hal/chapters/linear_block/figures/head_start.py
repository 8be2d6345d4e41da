"""How many steps from zero a learned start is worth, over the number of examples.

Chapter `linear_block`. Source: beyond arXiv 2402.14951.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.palette import IDEAS
from lib.models import linear_block as lb
from lib.theory import linear_block as theory

LENGTHS = (4, 8, 16, 32, 64, 128)  # examples
NORMS = {3.0: IDEAS["first"], 10.0: IDEAS["second"]}  # of the prior mean
NEVER = 32  # where a cross stands


def steps_needed(norm: float, contexts: int = 4000) -> list[float]:
    """(6,) the least number of equal steps from zero at each of `LENGTHS`; infinity where none is enough.

    Args:
        norm: of the prior mean; d = 8, noise 1.
        contexts: drawn for each length.
    """
    found = []
    for M in LENGTHS:
        task, normals = lb.power_task(d=8, M=M, norm=norm), np.random.default_rng(5).standard_normal((contexts, M, 8))
        found.append(theory.steps_to_match(task, theory.context_spectra(task, normals), shared=True))
    return found


def steps_worth(contexts: int = 4000) -> Figure:
    """The steps that replace a learned start, for two prior means."""
    with plots.style():
        fig, ax = plt.subplots(figsize=(6, 3.2))
        for norm, hue in NORMS.items():
            steps = np.array(steps_needed(norm, contexts))
            enough = np.isfinite(steps)
            lengths, side = np.array(LENGTHS), 0.93 if norm == min(NORMS) else 1.07  # crosses stand side by side
            ax.plot(lengths[enough], steps[enough], "o-", color=hue)
            ax.plot(side * lengths[~enough], np.full(sum(~enough), NEVER), "x", color=hue, ms=8, mew=2)
            end = (lengths[-1], steps[-1])
            ax.annotate(f"mean of norm {norm:g}", end, (8, -3), color=hue, textcoords="offset points")
        ax.set_title("How many steps from zero are as good as one from a learned start?", fontsize=10, loc="left")
        ax.set_xscale("log", base=2)
        ax.set_xlim(3.4, 400)
        ax.set_yscale("log", base=2)
        ax.set_xticks(LENGTHS, [str(M) for M in LENGTHS])
        ax.set_yticks([1, 2, 4, 8, 16, NEVER], ["1", "2", "4", "8", "16", "never"])
        plots.label_axes(ax, "examples in a prompt (examples)", "enough steps from zero (steps)")
        return plots.finished(fig)
