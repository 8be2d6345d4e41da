"""Still figure of recorded runs: tokens that look distinct by chance, over the size of the data, and their attention.

Chapter `scan_snap`, beyond the paper; recorded by `python -m hal.chapters.records scan_snap spurious`.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.scan_snap.runs import spurious, spurious_text
from hal.palette import IDEAS

TRAINED = {"nothing": ("nothing to find, trained", "attention"), "a third": ("a third informative", "distinct")}
COUNTED = {"kjv": ("the Bible", "second"), "kjv shuffled": ("its words shuffled", "common")}


def tokens_by_chance(path: str | Path = spurious.RECORD) -> Figure:
    """Left, how many there are; right, the attention on them before and after training. Bands: all sixteen seeds."""
    found, law = spurious.recorded_tokens(path), spurious.language("nothing").P[0]
    fine = np.geomspace(spurious.SIZES[0], spurious.SIZES[-1], 40)
    told, words = ([of(n) for n in fine] for of in (lambda n: spurious.expected(law, n), spurious.expected_words))
    with plots.style():
        fig, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.8))
        _runs(left, found["nothing"]["number"], "400 kinds of token", "attention")
        for name, (label, idea) in COUNTED.items():
            _runs(left, found[name]["number"], label, idea)
        plots.theory(left, fine, [one[0] for one in told], "expected")
        plots.theory(left, fine, [one[0] for one in words], None)
        for name, (label, idea) in TRAINED.items():
            _runs(right, found[name]["after"], label, idea)
        text = spurious_text.recorded_text()["the", "true"]["after"]
        _runs(right, text, "the Bible, trained", "second", spurious_text.SIZES)
        plots.theory(right, fine, [one[1] for one in told], "untrained, expected")
        for ax in (left, right):
            ax.set(xscale="log", yscale="log", xticks=[4, 16, 64, 256, 1024])
            ax.set_xticks([4, 16, 64, 256, 1024], ["4", "16", "64", "256", "1024"])
            ax.minorticks_off()
            ax.legend(loc="lower left")
        left.set(ylim=(0.2, None))
        right.set(ylim=(1e-4, 1))
        plots.label_axes(left, "sequences (number)", "spurious tokens (number)", "In text as many as in shuffled text")
        plots.label_axes(right, "sequences (number)", "attention on them (fraction)", "Sought unless something is real")
        return plots.finished(fig)


def _runs(ax: Axes, runs: np.ndarray, label: str, idea: str, sizes: tuple[int, ...] = spurious.SIZES) -> None:
    """Mean and range of the seeds at each size."""
    ax.plot(sizes, runs.mean(axis=-1), "o-", ms=4, lw=1.2, color=IDEAS[idea], label=label)
    ax.fill_between(sizes, runs.min(axis=-1), runs.max(axis=-1), color=IDEAS[idea], alpha=0.25, linewidth=0)
