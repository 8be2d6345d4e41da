"""The paper's figures of chapter `scan_snap`, re-run, that stand still. Source: arXiv 2305.16380."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

import hal.plots as plots
from hal.chapters.scan_snap.theory.lemmas import clock_gap_bound
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
    """Figure 6: entropy against the ratio of rates, one panel a number of queries; ours as lines, released as bars, as
    hal/results/scan_snap/figure6.json has them."""
    queries, lr_Z, ratios = (record["axes"][name] for name in ("queries", "lr_Z", "lr_Y over lr_Z"))
    own, released = ([np.array(record[who][name]) for name in ("mean", "std")] for who in ("own", "published"))
    with plots.style():
        fig, axes = plt.subplots(2, 2, figsize=(9, 5), sharex=True, sharey=True)
        for i, ax in enumerate(axes.flat):
            best = ratios[own[0][i].mean(axis=0).argmin()]
            for j, colour in enumerate(RATES):
                mean, std = (values[i, j] for values in own)
                ax.plot(ratios, mean, color=colour, label=f"$η_Z$ = {lr_Z[j]:g}")
                ax.fill_between(ratios, mean - std, mean + std, color=colour, alpha=0.18, lw=0)
                theirs, spread = (values[i, j] for values in released)
                # The same ratio, drawn a little to the side for each rate: bars would hide each other.
                aside = np.array(ratios) * 1.03 ** (j - 1.5)
                ax.errorbar(aside, theirs, spread, fmt="o", color=colour, ms=4, capsize=3, lw=1)
            plots.label_axes(
                ax,
                "$η_Y / η_Z$ (1)" if i > 1 else None,
                "entropy (nats)" if i % 2 == 0 else None,
                f"{queries[i]} quer{'y' if queries[i] == 1 else 'ies'}, K = {2 * queries[i]}: least at ratio {best:g}",
            )
            ax.set_xscale("log")
            ax.set_xticks(ratios, [f"{r:g}" for r in ratios])
            ax.minorticks_off()
        axes[1, 1].legend(title="line: ours, dot: released", loc="lower left", ncols=2)
        return finished(fig)


def recall(by_ratio: Any, by_rate: Any) -> Figure:
    """Figures 11 and 12: share of distinct tokens above a threshold, for several ratios at one rate and for several
    rates at one ratio: two `runs.figure6.Figure6` of one number of queries."""
    ratios = [(f"$η_Y / η_Z$ = {r:g}", by_ratio.recall[0, 0, n].mean(axis=0)) for n, r in enumerate(by_ratio.ratios)]
    rates = [(f"$η_Z$ = {r:g}", by_rate.recall[0, z, 0].mean(axis=0)) for z, r in enumerate(by_rate.lr_Z)]
    titles = (
        f"A faster decoder: steeper, less sparse ($η_Z$ = {by_ratio.lr_Z[0]:g})",
        f"Faster attention: flatter, sparser ($η_Y / η_Z$ = {by_rate.ratios[0]:g})",
    )
    with plots.style():
        fig, axes = plt.subplots(1, 2, figsize=(9, 3.4), sharey=True)
        for ax, lines, run, title in zip(axes, (ratios, rates), (by_ratio, by_rate), titles, strict=True):
            for (label, share), colour in zip(lines, RATES, strict=True):
                ax.plot(run.thresholds[0], share, color=colour, label=label)
            plots.label_axes(ax, "threshold (softmax weight)", None, title)
            ax.locator_params(axis="x", nbins=5)
            ax.legend(loc="best")
        plots.label_axes(axes[0], None, "recall of distinct tokens (fraction)")
        return finished(fig)


def clock(M: Sequence[int] = (50, 1000), rates: Sequence[float] = (0.1, 0.5, 1.0, 4.0), steps: int = 100) -> Figure:
    """Figure 8: the decoder's clock in steps of the replaced gradient and in continuous time, and their difference over
    its bound."""
    with plots.style():
        fig, axes = plt.subplots(2, len(M), figsize=(9, 5), sharex=True, height_ratios=(2, 1))
        for column, size in zip(axes.T, M, strict=True):
            for rate, colour in zip(rates, RATES, strict=True):
                k = np.arange(steps + 1)
                discrete = theory.h_star(steps, size, rate)
                smooth = theory.h(k, 1, size, rate)
                line = dict(color=colour, ls=(0, REGIMES["replaced"]))
                column[0].plot(k, size * discrete, label=f"steps, $η_Y$ = {rate:g}", **line)
                column[1].plot(k, (discrete - smooth) / clock_gap_bound(size, rate), **line)
                plots.theory(column[0], k, size * smooth, "continuous" if rate == rates[0] else None)
            plots.label_axes(column[0], None, "logit gap x (nats)", f"M = {size}: steps and continuous time agree")
            plots.label_axes(
                column[1],
                "times the class was seen (steps)",
                "steps − continuous,\nover its bound (1)",
                "The lead peaks at a tenth of the bound",
            )
            column[1].set_ylim(bottom=0)
        axes[0, 0].legend(loc="best")
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
