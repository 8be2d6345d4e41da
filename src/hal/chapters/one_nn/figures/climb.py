"""Static figure: how slowly the ratio xi_2 / xi_1 climbs to 2, beside the powers of time that theory gives.

Chapter `one_nn`. Source: beyond arXiv 2411.10830; a later paper (Athreya and Wang, 2026) states another ratio.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.palette import IDEAS, PALETTE
from lib.theory import one_nn as theory

SIZES = ((3, 3), (3, 4), (4, 4), (4, 8))  # (d, N), from a quick approach to a slow one
LATE, EXACT = np.geomspace(1e5, 1e16, 56), np.geomspace(1e2, 1e8, 13)
LAST = 10  # times of the last two decades


def approach() -> Figure:
    """2 - xi_2 / xi_1 over time: dots by the exact flow, lines by the late equations, dashed the power at their end."""
    with plots.style():
        fig, ax = plt.subplots(figsize=(7.0, 3.8))
        for (d, N), hue in zip(SIZES, PALETTE.values(), strict=False):
            gap, exact = 2 - theory.late_ratio(LATE, d, N), theory.flow(EXACT, d, N)
            power = theory.approach_exponent(d, N)
            ax.plot(LATE, gap, color=hue)
            ax.plot(EXACT, 2 - exact.xi2 / exact.xi1, ".", color=hue)
            late = LATE[-3 * LAST :]
            ax.plot(late, gap[-1] * (late / LATE[-1]) ** power, "--", color=IDEAS["theory"], lw=1.0)
            said = f"d = {d}, N = {N}: $t^{{{power:.2f}}}$"
            ax.annotate(said, (LATE[-1], gap[-1]), (6, 0), textcoords="offset points", va="center", color=hue)
        ax.set(xscale="log", yscale="log", title="The more examples and dimensions, the slower")
        plots.label_axes(ax, "training time t (1)", "2 − ξ₂/ξ₁ (1)")
        return plots.finished(fig)
