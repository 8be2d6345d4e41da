"""Still figure of recorded runs: text that feeds on itself, its frequencies, the sign law on it, layers in a row.

Chapter `scb`, beyond the paper; recorded by `python -m hal.chapters.records scb own_text`, `... text_sign` and
`... generations`.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator
from scipy.special import ndtr

import hal.plots as plots
from hal.chapters.scb.runs import generations, own_text, text_sign
from hal.palette import IDEAS, PALETTE

AT = ("random", 128)  # the task and the context of the right panel
CALM = 0.5  # of the number r that tells how noise feeds itself
HUES = dict(zip(generations.METHODS, (PALETTE[hue] for hue in ("blue", "vermilion", "green")), strict=True))


def _frequencies(ax: Axes) -> None:
    record = own_text.recorded_text()
    for kind, hue, sizes in (("random", "blue", own_text.SWEPT["T"]), ("ring", "orange", own_text.RING)):
        draws = np.stack([own_text.without_chance(record[kind, T, 4, 2, 1.0], seed=T) for T in sizes])
        low, high = np.quantile(draws[:, 1:], [0.025, 0.975], axis=1)
        ax.plot(sizes, draws[:, 0], "o-", ms=3.5, color=PALETTE[hue], label=f"{kind} transitions")
        ax.fill_between(sizes, low, high, color=PALETTE[hue], alpha=0.22, linewidth=0)
    ax.set(xscale="log", yscale="log", ylim=(8e-5, 0.2))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_xticks([8, 32, 128, 512], ["8", "32", "128", "512"])
    ax.legend(loc="lower left")
    ax.set_title("Long contexts keep μ")
    plots.label_axes(ax, "context length T (tokens)", "distance of frequencies to μ (L1)")


def _signs(ax: Axes) -> None:
    found = text_sign.recorded_signs()
    for kind, hue in (("ring", "orange"), ("random", "blue")):
        for calm in (True, False):
            mine = [kept for key, kept in found.items()
                    if key[0] == kind and kept["lost"] < text_sign.RUNS and (kept["loop"] < CALM) == calm]  # fmt: skip
            ax.plot([one["ratio"] / one["swing"] for one in mine],
                    [one["upright"] / (text_sign.RUNS - one["lost"]) for one in mine], "o", ms=4, color=PALETTE[hue],
                    mfc=PALETTE[hue] if calm else "none", label=f"{kind}, r {'<' if calm else '≥'} ½")  # fmt: skip
    z = np.geomspace(0.32, 6, 80)
    ax.plot(z**2 / 2, ndtr(z), "--", color=IDEAS["theory"], label="the sign law")
    ax.set(xscale="log", xlim=(0.05, 20), ylim=(0.0, 1.03))
    ax.legend(loc="lower right")
    ax.set_title("The sign law holds, where r < ½")
    plots.label_axes(ax, "signal over the text's own noise (no unit)", "proportion with the true sign (fraction)")


def _generations(ax: Axes) -> None:
    for method in generations.METHODS:
        signal = np.array(generations.recorded_generations()[(*AT, method)]["signal"], float)
        numbers = np.arange(len(signal))
        ax.plot(numbers, np.median(signal, axis=1), "o-", ms=3.5, color=HUES[method], label=method)
        low, high = np.quantile(signal, [0.1, 0.9], axis=1)
        ax.fill_between(numbers, low, high, color=HUES[method], alpha=0.22, linewidth=0)
    ax.set(ylim=(0, 1.1))
    ax.legend(loc="lower left")
    ax.set_title("Layers taught by layers")
    plots.label_axes(ax, "generation (number)", "signal α_V α_A (no unit)")


def fed_back() -> Figure:
    """Distance of the frequencies from mu over T, the sign law on the task's own text, and the signal of layers that
    each read what the one before wrote; bands of 95% over tasks on the left, the middle eight tenths on the right.
    """
    with plots.style():
        fig, axes = plt.subplots(1, 3, figsize=(9.5, 3.5))
        for ax, draw in zip(axes, (_frequencies, _signs, _generations), strict=True):
            draw(ax)
        return plots.finished(fig)
