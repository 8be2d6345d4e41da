"""Figures of the chapter on scan and snap that need no training run: the data, the decoder's clock, and Theorem 4."""

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import hal.plots as plots
from hal.palette import IDEAS, PALETTE, REGIMES
from hal.plots import finished
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory

# Four rates, slow to fast, told apart by lightness as well as hue.
RATES = [PALETTE[name] for name in ("sky", "blue", "orange", "vermilion")]


def dashes(regime: str) -> dict[str, Any]:
    """The keyword of a Matplotlib line that draws a regime, by its dash in all figures of the chapter alike.

    Args:
        regime: "finite", "infinite", "joint", "replaced", "reference" or "reduced".
    """
    return {"ls": (0, REGIMES[regime]) if REGIMES[regime] else "-"}


def data(task: ss.Task, seed: int, shown: int = 24) -> Figure:
    """The law of each class, and the first tokens of one sequence of each, coloured by kind.

    Args:
        task: a base task of two classes.
        seed: seed of the sequences.
        shown: tokens of a sequence to draw.
    """
    rng = np.random.default_rng(seed)
    kinds = [np.where(task.common, IDEAS["common"], IDEAS[idea]) for idea in ("distinct", "other class")]
    with plots.style():
        fig, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.0), width_ratios=(1, 1.5))
        for n in range(task.K):
            left.bar(np.arange(task.C) + 1, (1 - 2 * n) * task.P[n], color=kinds[n], width=0.8)
            tokens = rng.choice(task.C, size=shown, p=task.P[n])
            y = 1.4 * (task.K - 1 - n)
            for i, token in enumerate(tokens):
                colour = kinds[n][token]
                right.add_patch(plt.Rectangle((i - 0.45, y - 0.45), 0.9, 0.9, color=colour))
                right.text(i, y, str(token + 1), ha="center", va="center", color="white", fontsize=7)
            right.text(shown + 0.2, y, f"… query {'ab'[task.query[n]]} → next {'AB'[n]}", va="center", fontsize=9)
        left.axhline(0, color=plots.INK, lw=0.8)
        left.set_yticks([-0.06, -0.03, 0, 0.03, 0.06], ["0.06", "0.03", "0", "0.03", "0.06"])
        plots.label_axes(left, "contextual token (token number)", "P(token | class) (probability)")
        left.text(task.C, 0.058, "class A", ha="right")
        left.text(11, -0.058, "class B", ha="left", va="top")
        names = (("common", "common"), ("distinct, class A", "distinct"), ("distinct, class B", "other class"))
        for i, (name, idea) in enumerate(names):
            right.add_patch(plt.Rectangle((9 * i - 0.45, 2.6), 0.9, 0.6, color=IDEAS[idea]))
            right.text(9 * i + 0.7, 2.9, name, va="center", fontsize=9)
        right.set(xlim=(-1, shown + 8.5), ylim=(-1, 3.4), title="One sequence of each class, in any order")
        right.axis("off")
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
                line = dict(color=colour, **dashes("replaced"))
                column[0].plot(k, size * discrete, label=f"steps, $η_Y$ = {rate:g}", **line)
                column[1].plot(k, (discrete - smooth) / theory.clock_gap_bound(size, rate), **line)
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


def growth_factors(
    rates: Sequence[float] = (0.5, 1.0, 2.0, 5.0), K: int = 10, M: int = 1000, lr_Z: float = 0.5, C0: float = 0.8
) -> Figure:
    """Figure 3: exp(2 D) of the reduced system, with the transition times and the most it can be, on two scales.

    D is the fall of the common logit, which the paper calls B.
    """
    t = np.linspace(0, 700, 701)
    with plots.style():
        fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6))
        for rate, colour in zip(rates, RATES, strict=True):
            grown = theory.growth_limit(t[1:], K, M, rate, lr_Z, C0)
            for ax in (left, right):
                ax.plot(t[1:], grown, color=colour, label=f"$η_Y$ = {rate:g}", **dashes("reduced"))
            early, late = theory.transition_times(K, M, rate)
            for time, marker in ((early, "o"), (late, "s")):
                if time <= t[-1]:
                    right.plot(time, theory.growth_limit(time, K, M, rate, lr_Z, C0), marker, color=colour, ms=5)
        # The less C_0, the stronger the drive, and no overlap exceeds 1.
        most = float(theory.growth_limit(t[-1], K, M, min(rates), lr_Z, 1 / K))
        right.axhline(most, color=IDEAS["theory"], lw=1.2)
        right.text(
            1,
            most,
            f"by step {t[-1]:.0f} at most {most:.0f}, at any overlap",
            va="bottom",
            color=IDEAS["theory"],
            fontsize=9,
        )
        right.set_xscale("log")
        right.set_yscale("log")
        right.set_ylim(top=1.6 * most)
        left.legend(loc="best")
        slow = "The slow decoder starts last, drives furthest"
        plots.label_axes(left, "training time (steps)", "exp(2D) (1)", slow)
        plots.label_axes(right, "training time (steps)", "exp(2D) (1)", "circle: t₀′, square: t₀")
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
                ax.plot(t, fall, color=colour, label=f"$η_Z$ = {rate:g}", **dashes("reduced"))
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


def times(ax: Axes, K: int, M: int, lr_Y: float) -> None:
    """Mark the end of the scan and the start of the snap on a time axis."""
    # One name on each side: the two times are often close together.
    sides = (("t₀′ ", "right"), (" t₀", "left"))
    for time, (name, side) in zip(theory.transition_times(K, M, lr_Y), sides, strict=True):
        ax.axvline(float(time), color=IDEAS["theory"], ls=":", lw=1)
        at = ax.get_xaxis_transform()
        ax.text(float(time), 1.0, name, transform=at, va="top", ha=side, color=IDEAS["theory"])
