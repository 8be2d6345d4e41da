"""Still figure of recorded runs: the clock of two pushes at half-way, over the decoder's learning rate, in Sentences.

Chapter `atlas`. Source: our own; recorded by `python -m hal.chapters.records atlas pushes`.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.atlas.runs import pushes
from lib.models import scan_snap as ss

SHADES = ("#e69f00", "#d55e00", "#56b4e9", "#0072b2")
NAMES = ("attention's shapes, endless sequences", "attention's shapes, real sequences",
         "decoder's shapes, endless sequences", "decoder's shapes, real sequences")  # fmt: skip


def two_pushes(path: str | Path = pushes.RECORD) -> Figure:
    """Medians and ranges of sixteen seeds for each version of the clock; dashed, what the level asks for."""
    _, found, _ = pushes.recorded_clocks(path)
    with plots.style():
        fig, ax = plt.subplots(figsize=(7, 3.8))
        for version, shade, name in zip(found, SHADES, NAMES, strict=True):
            low, middle, high = np.nanquantile(version, [0.0, 0.5, 1.0], axis=-1)
            ax.plot(pushes.TIMES, middle, "o-", ms=4, lw=1.2, color=shade, label=name)
            ax.fill_between(pushes.TIMES, low, high, color=shade, alpha=0.3, linewidth=0)
        told = np.full(len(pushes.TIMES), pushes.asked(ss.base_task()))
        plots.theory(ax, pushes.TIMES, told, "what half-way asks for")
        ax.set(xscale="log", ylim=(0, None))
        ax.set_xticks(pushes.TIMES, [f"{times:g}" for times in pushes.TIMES])
        ax.minorticks_off()
        ax.legend(loc="upper right")
        plots.label_axes(ax, "learning rate of the read-out (times 1)", "clock at half-way (nats)",
                         "One clock, if shapes and sequences are the real ones")  # fmt: skip
        return plots.finished(fig)
