"""Figures of the chapter on scan and snap that need no training run: the data, the decoder's clock, and Theorem 4."""

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.palette import PALETTE, REGIMES
from hal.plots import finished
from lib.theory import scan_snap as theory

# Four rates, slow to fast, told apart by lightness as well as hue.
RATES = [PALETTE[name] for name in ("sky", "blue", "orange", "vermilion")]


def dashes(regime: str) -> dict[str, Any]:
    """The keyword of a Matplotlib line that draws a regime, by its dash in all figures of the chapter alike.

    Args:
        regime: "finite", "infinite", "joint", "replaced", "reference" or "reduced".
    """
    return {"ls": (0, REGIMES[regime]) if REGIMES[regime] else "-"}


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
