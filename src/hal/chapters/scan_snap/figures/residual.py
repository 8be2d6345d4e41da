"""Figure of the residual connection in the chapter on scan and snap: what is common becomes local to a query."""

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

import hal.plots as plots
from hal.palette import IDEAS
from hal.plots import finished


def residual_connection(without: Any, with_it: Any) -> Figure:
    """Logits of three kinds of token under one query, without and with the residual connection.

    Args:
        without: a `hal.chapters.scan_snap.runs.residual.Local` of weight 0.
        with_it: one of weight 1.
    """
    lines = (
        ("distinct", "distinct", "one class"),
        ("token", "partly", "one class of each query"),
        ("common", "common", "both classes of the query"),
    )
    with plots.style():
        fig, axes = plt.subplots(1, 2, figsize=(9, 3.2), sharey=True)
        for ax, run, title in zip(
            axes, (without, with_it), ("no residual connection", "residual connection"), strict=True
        ):
            ax.axhline(0, color=plots.INK, lw=0.8)
            for field, idea, label in lines:
                ax.plot(run.times[1:], getattr(run, field)[1:], color=IDEAS[idea], label=label)
            ax.set_xscale("log")
            ax.set_xlim(1, run.times[-1])
            plots.label_axes(ax, "training time (steps)", None, title)
        axes[0].legend(title="token occurs in", loc="lower left")
        plots.label_axes(axes[0], None, "attention logit (nats)")
        return finished(fig)
