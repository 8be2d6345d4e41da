"""The paper's figures of chapter `scan_snap`, re-run, that stand still. Source: arXiv 2305.16380."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

import hal.plots as plots
from hal.palette import PALETTE, REGIMES
from hal.plots import finished
from lib.theory import scan_snap as theory

# Four rates, slow to fast, told apart by lightness as well as hue.
RATES = [PALETTE[name] for name in ("sky", "amber", "purple", "green")]


def small(runs: Mapping[str, Any], released: tuple[NDArray, NDArray] | None = None) -> Figure:
    """Figure 4: final attention on class A's distinct tokens, and the loss, for two rates of the decoder: label ->
    `runs.small.Small`; `released` are steps and losses (nats) of the authors' log, drawn as points."""
    with plots.style():
        fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4))
        for (label, run), colour in zip(runs.items(), (PALETTE["purple"], PALETTE["green"]), strict=True):
            _tokens(left, run.distinct[:, -1, 0], colour, label)
            low, middle, high = np.quantile(run.loss, [0.1, 0.5, 0.9], axis=0)
            right.plot(run.steps, middle, color=colour, label=label)
            right.fill_between(run.steps, low, high, color=colour, alpha=0.25, lw=0)
        if released is not None:
            right.plot(*released, ".", color=plots.INK, ms=5, label="released log, first setting", zorder=6)
        right.set_yscale("log")
        left.legend(loc="best")
        right.legend(loc="best")
        plots.label_axes(
            left, "distinct token of class A, rarest first (rank)", "attention (fraction)", "A slow decoder: sharper"
        )
        plots.label_axes(right, "training time (steps)", "loss (nats)", "Our loss lies on the released one")
        return finished(fig)


def adam(runs: Mapping[str, Any]) -> Figure:
    """Figure 5: final attention on class A's distinct tokens for several rates of Adam: label -> `runs.small.Small`."""
    with plots.style():
        fig, axes = plt.subplots(1, len(runs), figsize=(9, 3.0), sharey=True)
        for ax, (label, run) in zip(np.atleast_1d(axes), runs.items(), strict=True):
            _tokens(ax, run.distinct[:, -1, 0], PALETTE["orange"], None)
            plots.label_axes(ax, "distinct token, rarest first (rank)", None, label)
        plots.label_axes(np.atleast_1d(axes)[0], None, "attention (fraction)")
        fig.suptitle("Adam: the learning rate decides which token wins", fontsize="medium")
        return finished(fig)


def _tokens(ax: Axes, attention: NDArray, colour: str, label: str | None) -> None:
    """Median and the 10 to 90 % range of attention (R, D) on each distinct token."""
    low, middle, high = np.quantile(attention, [0.1, 0.5, 0.9], axis=0)
    rank = np.arange(1, attention.shape[1] + 1)
    ax.fill_between(rank, low, high, color=colour, alpha=0.25, lw=0)
    ax.plot(rank, middle, "o-", color=colour, label=label, ms=4)
    ax.set_xticks(rank)
    ax.set_ylim(0, max(1.05 * float(high.max()), ax.get_ylim()[1]))


def entropy_grid(record: Mapping[str, Any]) -> Figure:
    """Figure 6: the entropies of all its cells, ours beside the released ones; and those of three queries against the
    ratio of rates, ours as lines, released as dots; as hal/results/scan_snap/figure6.json has them."""
    queries, lr_Z, ratios = (record["axes"][name] for name in ("queries", "lr_Z", "lr_Y over lr_Z"))
    own, released = (np.array(record[who]["mean"]) for who in ("own", "published"))
    shown = queries.index(3)
    best = ratios[own[shown].mean(axis=0).argmin()]
    with plots.style():
        fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6))
        ends = [min(own.min(), released.min()), max(own.max(), released.max())]
        left.plot(ends, ends, color=plots.INK, ls="--", lw=1, label="equal")
        for i, (many, colour) in enumerate(zip(queries, RATES, strict=True)):
            left.plot(released[i].ravel(), own[i].ravel(), "o", color=colour, ms=4, label=f"{many} queries")
        for j, colour in enumerate(RATES):
            right.plot(ratios, own[shown, j], color=colour, label=f"$η_Z$ = {lr_Z[j]:g}")
            right.plot(ratios, released[shown, j], "o", color=colour, ms=4)
        plots.label_axes(left, "released entropy (nats)", "our entropy (nats)", "64 cells: ours are the released ones")
        plots.label_axes(
            right, "$η_Y / η_Z$ (1)", "entropy (nats)", f"Three queries: sparsest where the ratio is {best:g}"
        )
        right.set_xscale("log")
        right.set_xticks(ratios, [f"{r:g}" for r in ratios])
        right.minorticks_off()
        left.legend(loc="best")
        right.legend(title="line: ours, dot: released", loc="best", ncols=2)
        return finished(fig)


def fixed_ratio(
    cases: Sequence[tuple[float, int]] = ((10.0, 100), (1.0, 10_000)),
    rates: Sequence[float] = (0.5, 1.0, 4.0, 8.0),
    K: int = 10,
) -> Figure:
    """Figure 9: the fall D of the common logit in the reduced system at a fixed ratio of rates, marked at its t0."""
    t = np.geomspace(1, 1e5, 200)
    with plots.style():
        fig, axes = plt.subplots(1, len(cases), figsize=(9, 3.6))
        for ax, (ratio, M) in zip(np.atleast_1d(axes), cases, strict=True):
            for rate, colour in zip(rates, RATES, strict=True):
                fall = theory.reduced_B(t, K, M, ratio * rate, rate)
                ax.plot(t, fall, color=colour, label=f"$η_Z$ = {rate:g}", ls=(0, REGIMES["reduced"]))
                _, late = theory.transition_times(K, M, ratio * rate)
                ax.plot(late, theory.reduced_B(late, K, M, ratio * rate, rate), "s", color=colour, ms=5)
            ax.set_xscale("log")
            plots.label_axes(
                ax,
                "training time (steps)",
                "fall D of the common logit (nats)",
                f"$η_Y / η_Z$ = {ratio:g}, M = {M}",
            )
        fig.suptitle("The learning rates move $t_0$ (squares), not the fall at $t_0$", fontsize="medium")
        np.atleast_1d(axes)[0].legend(loc="best")
        return finished(fig)
