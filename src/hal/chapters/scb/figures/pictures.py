"""The picture of the paper's Figure 1, drawn once."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.scb.runs import Setting
from hal.plots import finished
from lib.train import Trajectory

METHODS = {"sgd": ("SGD", "fit"), "sgd small": ("SGD, smaller rate", "first"), "prox": ("with the threshold", "rival")}


def convergence(runs: Mapping[str, Trajectory], setting: Setting) -> Figure:
    """Distances of V and A of the three methods of Figure 1, before rounding."""
    with plots.style():
        fig, axes = plt.subplots(1, 2, figsize=(9, 3.2), sharex=True)
        for ax, name, label in zip(axes, ("distance_V", "distance_A"), ("‖V − P‖ (1)", "‖A − S‖ (1)"), strict=True):
            for method, (told, idea) in METHODS.items():
                plots.band(ax, runs[method].steps, runs[method][name], told, idea)
            ax.axvline(setting.switch, color="0.5", lw=0.8, ls=":")
            ax.set_ylim(bottom=0)
            plots.label_axes(ax, "training time (steps)", label)
        axes[0].set_title("The threshold keeps V near P")
        axes[1].set_title("and A near S")
        fig.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
        return finished(fig)
