"""Figures and tables of training runs: the methods of Figure 1, softmax attention, test loss, first answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

import lib.plots as plots
from lib.palette import IDEAS
from lib.plots import finished
from lib.tables import Table
from lib.train import Trajectory

METHODS = {"sgd": ("SGD", "sgd"), "sgd small": ("SGD, smaller rate", "transfer"), "prox": ("proximal", "prox")}


def convergence(runs: Mapping[str, Trajectory], setting: Any) -> Figure:
    """Distances, similarities, and distances after rounding, of the three methods of Figure 1."""
    columns = (
        (("distance_V", "distance_A"), ("‖V − P‖ (1)", "‖A − Q‖ (1)")),
        (("similarity_V", "similarity_A"), ("cosine of V (1)", "cosine of A (1)")),
        (("final_V", "final_A"), ("‖V − P‖, rounded (1)", "‖A − Q‖, rounded (1)")),
    )
    with plots.style():
        fig, axes = plt.subplots(2, 3, figsize=(10, 5), sharex=True)
        for j, (names, titles) in enumerate(columns):
            for i in range(2):
                ax = axes[i, j]
                for method, (label, idea) in METHODS.items():
                    run = runs[method]
                    plots.band(ax, run.steps, run[names[i]], label, idea)
                ax.axvline(setting.switch, color="0.5", lw=0.8, ls=":")
                plots.label_axes(ax, "training time (steps)" if i else None, titles[i])
                if j == 2:
                    ax.set_yscale("log")
                    ax.set_ylim(1e-4, 2)  # uniform attention has the best V = P: nothing to see at the start
                else:
                    ax.set_ylim(bottom=0)
        axes[0, 0].legend(loc="best")
        return finished(fig)


def final_table(experiments: Mapping[str, Mapping[str, Trajectory]]) -> Table:
    """Last values of every method: medians over seeds before and after rounding."""
    names = ("distance_V", "distance_A", "similarity_A", "final_V", "final_A")
    head = (
        "setting",
        "method",
        "‖V − P‖",
        "‖A − Q‖",
        "cosine of A",
        "‖V − P‖ after rounding",
        "‖A − Q‖ after rounding",
    )
    rows = []
    for setting, runs in experiments.items():
        for method, run in runs.items():
            last = [f"{float(np.median(run[name][:, -1])):.3f}" for name in names]
            rows.append((setting, METHODS[method][0], *last, f"{int(run['mirrored'][:, -1].sum())} of {run.n_runs}"))
    return Table((*head, "mirrored"), rows, "Last values of every method")


def settings_table(settings: Mapping[str, Any]) -> Table:
    """Sizes, rates, times and provenance of the settings of Figure 1."""
    names = ("T", "N", "batch", "lr", "lr_after", "lr_small", "threshold", "switch", "steps")
    head = ("setting", "T", "N", "batch B", "η", "η after", "smaller η", "λ", "switch", "steps", "where from")
    rows = [
        (name, *(f"{getattr(setting, field):g}" for field in names), setting.provenance)
        for name, setting in settings.items()
    ]
    return Table(head, rows, "Settings of Figure 1")


def softmax(runs: Mapping[str, Any]) -> Figure:
    """Distance to Q of the linear and the softmax model over time, with the predicted escape of softmax."""
    with plots.style():
        fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2))
        for ax, name, label in ((left, "distance_A", "‖A − Q‖ (1)"), (right, "alpha_A", "attention signal α_A (1)")):
            for kind in ("linear", "softmax"):
                run = runs[kind]
                plots.band(ax, run.steps, run[name], kind, kind)
            ax.axvline(runs["escape"], color=IDEAS["theory"], ls="--", label="predicted escape")
            plots.label_axes(ax, "training time (steps)", label)
        left.legend()
        return finished(fig)


def test_loss(runs: Mapping[str, Trajectory]) -> Figure:
    """Exact test loss over its minimum, on a log axis."""
    with plots.style():
        fig, ax = plt.subplots(figsize=(7, 3.2))
        for method, (label, idea) in METHODS.items():
            plots.band(ax, runs[method].steps, runs[method]["excess_loss"], label, idea)
        ax.set_yscale("log")
        plots.label_axes(ax, "training time (steps)", "test loss − minimum (1)")
        ax.legend()
        return finished(fig)


def answers(experiments: Mapping[str, Mapping[str, NDArray]]) -> Figure:
    """The review's three first experiments side by side."""
    stage, shrink, transfer = (experiments[name] for name in ("stages", "threshold", "transfer"))
    with plots.style():
        fig, (one, two, three) = plt.subplots(1, 3, figsize=(10, 3.2))
        one.plot(stage["T"], stage["measured"], "o", color=IDEAS["signal"], label="measured")
        plots.theory(one, stage["T"], stage["predicted"], "theory")
        one.set_xscale("log", base=2)
        plots.label_axes(one, "context length T (tokens)", "end of Stage 1 (steps)")
        one.legend()
        for name, label in (("distance_V", "‖V − P‖"), ("distance_A", "‖A − Q‖")):
            two.plot(shrink["ratio"], shrink[name], "o-", color=IDEAS[name[-1]], label=label)
        two.set_xscale("symlog", linthresh=0.005)
        plots.label_axes(two, "threshold λ / η (1)", "distance at the end (1)")
        two.legend()
        _curve(three, transfer["samples"], transfer["scratch"], "from scratch", "sgd")
        _curve(three, transfer["samples_transfer"], transfer["transfer"], "transfer, ρ = 0.5", "transfer")
        three.set_xscale("log")
        plots.label_axes(three, "samples used (samples)", "‖A − Q‖ (1)")
        three.legend()
        return finished(fig)


def _curve(ax: Axes, x: NDArray, y: NDArray, label: str, idea: str) -> None:
    ax.plot(x, y, color=IDEAS[idea], label=label)
