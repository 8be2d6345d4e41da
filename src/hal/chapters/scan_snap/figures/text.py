"""Figures of real text in the chapter on scan and snap: how sparse attention becomes, and where one word looks."""

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

import hal.plots as plots
from hal.chapters.scan_snap.figures.predictions import RATES
from hal.plots import finished

_CORPORA = {"python": "Python reference", "kjv": "King James Bible"}


def text_entropy(record: Mapping[str, Any]) -> Figure:
    """Figures 7 and 10: validation entropy of attention over training, one panel a text and depth.

    Args:
        record: what `hal.chapters.scan_snap.runs.text.text_runs` returns.
    """
    groups = record["runs"]
    with plots.style():
        fig, axes = plt.subplots(2, 2, figsize=(9, 6), sharex=True, sharey=True)
        for ax, (corpus, layers) in zip(axes.flat, [key for key in groups if "shuffled" not in key[0]], strict=True):
            group, shuffled = groups[corpus, layers], groups.get((f"{corpus} shuffled", layers))
            for i, (eta, colour) in enumerate(zip(group["eta"], RATES, strict=True)):
                ax.plot(group["steps"], _first_layer(group, i), color=colour, label=f"η = {eta:g}")
                if shuffled is not None:
                    ax.plot(shuffled["steps"], _first_layer(shuffled, i), color=colour, lw=0.8)
            depth = "one layer" if layers == 1 else f"first of {layers} layers"
            plots.label_axes(ax, None, None, f"{_CORPORA[corpus]}, {depth}")
        for ax in axes[-1]:
            plots.label_axes(ax, "training time (steps)")
        for ax in axes[:, 0]:
            plots.label_axes(ax, None, "attention entropy (nats)")
        axes[0, 0].plot([], [], color=plots.INK, lw=0.8, label="words shuffled")
        axes[1, 0].legend(*axes[0, 0].get_legend_handles_labels(), loc="lower left")  # where no curve is
        return finished(fig)


def text_map(record: Mapping[str, Any], corpus: str = "kjv", query: int = 33) -> Figure:
    """Where one word of a recorded window looks, before, during and after training.

    Args:
        record: what `hal.chapters.scan_snap.runs.text.text_runs` returns.
        corpus: "kjv" or "python".
        query: place of the word that looks; it sees the words before it.
    """
    shown = record["maps"][corpus]
    words, rows = shown["words"][:query], shown["attention"][:, query, :query]
    with plots.style():
        fig, ax = plt.subplots(figsize=(9.5, 2.4))
        image = ax.imshow(rows, aspect="auto", cmap="Blues", vmin=0)
        ax.set_xticks(range(query), words, rotation=60, ha="right", fontsize=8)
        ax.set_yticks(range(len(rows)), [f"step {step}" for step in shown["steps"]])
        ax.grid(False)
        ax.set_title(f"where “{shown['words'][query]}” looks")
        fig.colorbar(image, ax=ax, label="attention (fraction)")
        return finished(fig)


def _first_layer(group: Mapping[str, Any], rate: int) -> NDArray:
    """(K,) entropy of the first layer, mean over seeds."""
    first: NDArray = np.asarray(group["entropy"])[rate, ..., 0].mean(axis=0)
    return first
