"""Pictures and tables that are drawn once: theory on top of measurement, training runs."""

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.scb.runs import STATED, Setting
from hal.palette import IDEAS
from hal.plots import finished
from hal.tables import Table
from lib.theory import scb as theory
from lib.train import Trajectory


def projection(run: Trajectory, path: Any) -> Figure:
    """Measured runs in the plane of the flow, and their distance to it."""
    with plots.style():
        fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6))
        for x, y in zip(run["alpha_V"], run["alpha_A"], strict=True):
            left.plot(x, y, color=IDEAS["attention"], lw=1, alpha=0.8)
        curve = np.linspace(0.4, 1.6, 80)
        left.plot(curve, theory.valley(curve), color="0.5", lw=0.8, ls=":", label="α_V α_A = 1")
        plots.theory(left, path.alpha_V, path.alpha_A, "population flow")
        left.set(xlim=(-0.1, 1.4), ylim=(-0.1, 2.1))
        plots.label_axes(
            left, "transition signal α_V (1)", "attention signal α_A (1)", "The flow holds until noise takes over"
        )
        left.legend(loc="best")
        plots.band(right, run.steps, run["off_flow"], "distance to the flow", "noise")
        plots.label_axes(right, "training time (steps)", "‖Δ‖ (1)")
        right.legend(loc="best")
        return finished(fig)


def signals_over_time(run: Trajectory, path: Any, title: str = "") -> Figure:
    """Signal coordinates over time on a log axis, with the population flow."""
    with plots.style():
        fig, ax = plt.subplots(figsize=(7, 3.2))
        for name, idea, label in (("alpha_V", "output", "α_V"), ("alpha_A", "attention", "α_A")):
            plots.band(ax, run.steps, np.abs(run[name]), label, idea)
            plots.theory(ax, path.steps, getattr(path, name), "theory" if name == "alpha_A" else None)
        ax.set_title(title)
        ax.set_yscale("log")
        ax.set_ylim(1e-4, 4)
        plots.label_axes(ax, "training time (steps)", "|signal| (1)")
        ax.legend(loc="best")
        return finished(fig)


METHODS = {"sgd": ("SGD", "fit"), "sgd small": ("SGD, smaller learning rate", "first"), "prox": ("proximal", "rival")}


def convergence(runs: Mapping[str, Trajectory], setting: Any, title: str = "") -> Figure:
    """Distances, similarities, and distances after rounding, of the three methods of Figure 1."""
    heads = ("distance", "direction", "distance after rounding")
    columns = (
        (("distance_V", "distance_A"), ("‖V − P‖ (1)", "‖A − S‖ (1)")),
        (("similarity_V", "similarity_A"), ("cosine of V (1)", "cosine of A (1)")),
        (("final_V", "final_A"), ("‖V − P‖, rounded (1)", "‖A − S‖, rounded (1)")),
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
                plots.label_axes(ax, "training time (steps)" if i else None, titles[i], None if i else heads[j])
                if j == 2:
                    ax.set_yscale("log")
                    ax.set_ylim(1e-4, 2)  # uniform attention has the best V = P: nothing to see at the start
                else:
                    ax.set_ylim(bottom=0)
        for ax in axes[:, 0]:
            ax.text(setting.switch, 0.0, " switch", transform=ax.get_xaxis_transform(), va="bottom", color=plots.INK)
        fig.suptitle(title, fontsize="large", color=plots.INK)
        fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
        return finished(fig)


def final_table(experiments: Mapping[str, Mapping[str, Trajectory]]) -> Table:
    """Last values of every method: medians over seeds before and after rounding."""
    names = ("distance_V", "distance_A", "similarity_A", "final_V", "final_A")
    head = ("setting", "method", "‖V − P‖", "‖A − S‖", "cosine of A", "rounded ‖V − P‖", "rounded ‖A − S‖")
    rows = []
    for setting, runs in experiments.items():
        for method, run in runs.items():
            last = [f"{float(np.median(run[name][:, -1])):.3f}" for name in names]
            label = METHODS[method][0].replace("SGD, smaller learning rate", "slow SGD")
            rows.append((setting, label, *last, f"{int(run['mirrored'][:, -1].sum())} of {run.n_runs}"))
    return Table((*head, "mirrored"), rows, "Last values of every method")


def settings_table(paper: Setting, ours: Setting) -> Table:
    """Sizes, rates and times of Figure 1 as we run it, which of them the paper states, and our own setting beside."""
    names = {
        "T": "T (tokens)",
        "N": "N (tokens)",
        "batch": "B (samples)",
        "lr": "η, Stage 1",
        "lr_after": "η, after it",
        "lr_small": "η, after it, slow SGD",
        "threshold": "λ",
        "switch": "Stage 1 (steps)",
        "steps": "all (steps)",
    }
    rows = [
        (label, f"{getattr(paper, name):g}", STATED.get(name, "assumed"), f"{getattr(ours, name):g}")
        for name, label in names.items()
    ]
    rows[2:2] = [("Q (positions)", "2", "assumed", "2"), ("P", "random", "its distribution assumed", "ring")]
    return Table(("number", "Figure 1", "in the paper", "long context"), rows, "Settings of Figure 1")


def softmax(runs: Mapping[str, Any]) -> Figure:
    """Distance to S of the linear and the softmax model over time, with the predicted escape of softmax."""
    with plots.style():
        fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2))
        for ax, name, label in ((left, "distance_A", "‖A − S‖ (1)"), (right, "alpha_A", "attention signal α_A (1)")):
            for kind, idea in (("linear", "attention"), ("softmax", "rival")):
                run = runs[kind]
                plots.band(ax, run.steps, run[name], kind, idea)
            ax.axvline(runs["escape"], color=IDEAS["theory"], ls="--", label="predicted escape")
            plots.label_axes(ax, "training time (steps)", label)
        left.set_title("At a small rate softmax waits longer and ends nearer")
        right.set_title("Its signal stays near one, the linear one grows on")
        _legend_above(fig, left)
        return finished(fig)


def test_loss(runs: Mapping[str, Trajectory]) -> Figure:
    """Exact test loss over its minimum, on a log axis."""
    with plots.style():
        fig, ax = plt.subplots(figsize=(7, 3.2))
        for method, (label, idea) in METHODS.items():
            plots.band(ax, runs[method].steps, runs[method]["excess_loss"], label, idea)
        ax.set_yscale("log")
        plots.label_axes(ax, "training time (steps)", "test loss − minimum (1)")
        ax.legend(loc="best")
        return finished(fig)


def _legend_above(fig: Figure, ax: Axes) -> None:
    """One legend for all panels, above them, where no curve is."""
    handles, labels = ax.get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside upper center", ncols=len(labels))
