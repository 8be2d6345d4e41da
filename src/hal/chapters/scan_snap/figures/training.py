"""Figures of training runs in the chapter on scan and snap; the dash of a line says the regime, see `dashes`."""

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from numpy.typing import NDArray

import hal.plots as plots
from hal.chapters.scan_snap.figures.predictions import RATES, dashes, times
from hal.palette import IDEAS, PALETTE
from hal.plots import finished
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory

_CORPORA = {"python": "Python reference", "kjv": "King James Bible"}


def small(runs: Mapping[str, Any], released: tuple[NDArray, NDArray] | None = None) -> Figure:
    """Figure 4: final attention on class A's distinct tokens, and the loss, for two rates of the decoder.

    Args:
        runs: label -> `hal.chapters.scan_snap.runs.small.Small`.
        released: steps and losses (nats) of the authors' log, drawn as points.
    """
    with plots.style():
        fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4))
        for (label, run), colour in zip(runs.items(), (PALETTE["green"], PALETTE["vermilion"]), strict=True):
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
    """Figure 5: final attention on class A's distinct tokens for several rates of Adam.

    Args:
        runs: label -> `hal.chapters.scan_snap.runs.small.Small`.
    """
    with plots.style():
        fig, axes = plt.subplots(1, len(runs), figsize=(9, 3.0), sharey=True)
        for ax, (label, run) in zip(np.atleast_1d(axes), runs.items(), strict=True):
            _tokens(ax, run.distinct[:, -1, 0], PALETTE["purple"], None)
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
    """Figure 6: entropy against the ratio of rates, one panel a number of queries; ours as lines, released as bars.

    Args:
        record: the content of hal/results/scan_snap/figure6.json.
    """
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
    """Figures 11 and 12: share of distinct tokens above a threshold, for several ratios and for several rates.

    Args:
        by_ratio: a `hal.chapters.scan_snap.runs.figure6.Figure6` of one number of queries, one rate, several ratios.
        by_rate: another of several rates and one ratio.
    """
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


def lost_inverse_square(task: ss.Task, Z: NDArray) -> NDArray:
    """(T, D) what 1 / score^2 has lost since zero logits, for each distinct token of class 0, from logits Z (T, Q, C).

    Source: arXiv 2305.16380, Theorem 3, by which it is one number for all of them.
    """
    now, start = (theory.scores(task.P, z, task.query) for z in (Z, np.zeros_like(Z[:1])))
    return theory.inverse_square_loss(now, start)[:, 0, task.distinct[0]]


def memory(joint: Any, reference: Any, K: int, M: int, lr_Y: float) -> Figure:
    """What 1 / score^2 of each distinct token has lost: one line in the reference dynamics, a fan in joint training.

    Args:
        joint: (times (T,), lost (T, D)) of the joint flow.
        reference: the same of the reference dynamics.
        K: classes; with M and lr_Y for the transition times.
        M: outputs of the decoder.
        lr_Y: rate of the decoder per step.
    """
    # Shades of the palette, which can be told from a white page and from a dark one.
    ends = LinearSegmentedColormap.from_list("tokens", [PALETTE["purple"], PALETTE["blue"], PALETTE["green"]])
    shades = ends(np.linspace(0, 1, np.shape(joint[1])[1]))
    with plots.style():
        fig, axes = plt.subplots(1, 2, figsize=(9, 3.4))
        panels = (
            ("reference", reference, "Reference dynamics: one curve for all"),
            ("joint", joint, "Joint flow: they fan out"),
        )
        for ax, (regime, (t, lost), title) in zip(axes, panels, strict=True):
            for token, colour in enumerate(shades):
                name = {0: "rarest", 9: "most frequent"}.get(token)
                ax.plot(t, lost[:, token], color=colour, label=name, **dashes(regime))
            times(ax, K, M, lr_Y)
            ax.set_xscale("log")
            plots.label_axes(ax, "training time (steps)", "fall of 1 / score² (1)", title)
        axes[0].legend(loc="best")
        return finished(fig)


def overlap(found: Any, replaced: NDArray, time: float, lr_Y: float, lr_Z: float, K: int = 2, M: int = 1000) -> Figure:
    """Fall of the sole common token at one time against the overlap of the classes, in four regimes.

    Args:
        found: a `hal.chapters.scan_snap.runs.dynamics.Overlap`.
        replaced: (N,) the common token's logit after training with the replaced gradient, in nats.
        time: in units of t0'.
        lr_Y: rate of the decoder per step; with the rest for the reduced system.
        lr_Z: rate of attention per step.
        K: classes.
        M: outputs of the decoder.
    """
    steps = time * float(theory.transition_times(K, M, lr_Y)[0])
    reduced = [float(theory.reduced_B(steps, K, M, lr_Y, lr_Z, 1 / (K * rho**2))) for rho in found.rho]
    lines = (
        ("reduced", "reduced system, D", reduced),
        ("reference", "reference dynamics", -found.reference),
        ("replaced", "replaced gradient", -replaced),
        ("joint", "joint flow", -found.joint),
    )
    with plots.style():
        fig, ax = plt.subplots(figsize=(9, 3.4))
        for regime, label, fall in lines:
            ax.plot(found.rho, fall, color=IDEAS[regime], label=label, **dashes(regime))
        ax.set_xscale("log")
        ax.set_yscale("log")
        plots.label_axes(
            ax,
            "overlap ρ of two classes (1)",
            "fall of the common logit (nats)",
            "Joint training moves the common token far less",
        )
        ax.legend(loc="lower right")
        return finished(fig)


def curves(panels: Mapping[str, tuple[str, str, NDArray, NDArray]]) -> Figure:
    """Entropy against one setting each.

    Args:
        panels: title -> (regime, label of the setting with its unit, values, entropies in nats).
    """
    with plots.style():
        fig, axes = plt.subplots(1, len(panels), figsize=(10, 3.2), sharey=True)
        for ax, (title, (regime, label, x, y)) in zip(np.atleast_1d(axes), panels.items(), strict=True):
            ax.plot(x, y, marker="o", color=IDEAS["attention"], ms=4, **dashes(regime))
            if np.min(x) > 0 and np.max(x) / np.min(x) >= 50:
                ax.set_xscale("log")
            plots.label_axes(ax, label, None, title)
        plots.label_axes(np.atleast_1d(axes)[0], None, "entropy (nats)")
        fig.suptitle("What makes attention sparse?", fontsize="medium")
        return finished(fig)


def late(run: Any, task: ss.Task, lr: float) -> Figure:
    """A logit far behind the snap, against ln ln t, in the joint flow and in the reference dynamics."""
    path = theory.reference_run(task.P, task.query, task.M, lr, lr, run.times)
    token = int(np.flatnonzero(task.distinct[0])[-1])
    with plots.style():
        fig, ax = plt.subplots(figsize=(6.4, 3.4))
        top = path.z[:, task.query[0], token]
        ax.plot(run.times, run.logit, color=IDEAS["joint"], label="joint flow", **dashes("joint"))
        ax.plot(run.times, top, color=IDEAS["reference"], label="reference dynamics", **dashes("reference"))
        # matplotlib also asks for times near 0, where ln ln t does not exist
        ax.set_xscale("function", functions=(lambda t: np.log(np.log(np.maximum(t, 1.1))), lambda s: np.exp(np.exp(s))))
        ax.set_xticks(10.0 ** np.arange(np.ceil(np.log10(run.times[0])), np.log10(run.times[-1]) + 0.01))
        plots.label_axes(
            ax, "training time, scaled as ln ln t (steps)", "top logit (nats)", "Nearly straight: growth like ln ln t"
        )
        ax.legend(loc="best")
        return finished(fig)


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
        fig.suptitle("On shuffled words (thin lines) attention gets sparse as well", fontsize="medium")
        axes[1, 0].legend(*axes[0, 0].get_legend_handles_labels(), loc="lower left")  # where no curve is
        return finished(fig)


def _first_layer(group: Mapping[str, Any], rate: int) -> NDArray:
    """(K,) entropy of the first layer, mean over seeds."""
    first: NDArray = np.asarray(group["entropy"])[rate, ..., 0].mean(axis=0)
    return first
