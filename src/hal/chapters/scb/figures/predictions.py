"""Figures that put theory on top of measurement: the flow, the sign law, the closure."""

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

import hal.plots as plots
from hal.palette import IDEAS
from hal.plots import finished
from lib.models import scb
from lib.theory import scb as theory
from lib.train import Trajectory


def projection(run: Trajectory, path: Any) -> Figure:
    """Measured runs in the plane of the flow, and their distance to it."""
    with plots.style():
        fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6))
        for x, y in zip(run["alpha_V"], run["alpha_A"], strict=True):
            left.plot(x, y, color=IDEAS["signal"], lw=1, alpha=0.8)
        curve = np.linspace(0.4, 1.6, 80)
        left.plot(curve, theory.valley(curve), color="0.5", lw=0.8, ls=":", label="α_V α_A = 1")
        plots.theory(left, path.alpha_V, path.alpha_A, "population flow")
        left.set(xlim=(-0.1, 1.4), ylim=(-0.1, 2.1))
        plots.label_axes(left, "transition signal α_V (1)", "attention signal α_A (1)")
        left.legend()
        plots.band(right, run.steps, run["off_flow"], "distance to the flow", "noise")
        plots.label_axes(right, "training time (steps)", "‖Δ‖ (1)")
        right.legend()
        return finished(fig)


def signals_over_time(run: Trajectory, path: Any) -> Figure:
    """Signal coordinates over time on a log axis, with the population flow."""
    with plots.style():
        fig, ax = plt.subplots(figsize=(7, 3.2))
        for name, idea, label in (("alpha_V", "output", "α_V"), ("alpha_A", "attention", "α_A")):
            plots.band(ax, run.steps, np.abs(run[name]), label, idea)
            plots.theory(ax, path.steps, getattr(path, name), None)
        ax.set_yscale("log")
        ax.set_ylim(1e-4, 4)
        plots.label_axes(ax, "training time (steps)", "|signal| (1)")
        ax.legend()
        return finished(fig)


def sign_law(curve: Mapping[str, NDArray]) -> Figure:
    """Measured share of runs with the true sign against G, with the law."""
    with plots.style():
        fig, ax = plt.subplots(figsize=(6.4, 3.4))
        ax.errorbar(curve["G"], curve["share"], yerr=curve["error"], fmt="o", color=IDEAS["signal"], label="measured")
        fine = np.geomspace(curve["G"].min() / 2, curve["G"].max() * 2, 80)
        plots.theory(ax, fine, theory.sign_probability(fine, 1.0, float(curve["s2"]), 1.0), "law")
        ax.set_xscale("log")
        ax.set_ylim(0.4, 1.03)
        plots.label_axes(ax, "control number G = B / (η T) (samples per token)", "share with the true sign (1)")
        ax.legend()
        return finished(fig)


def closure(task: scb.Task, run: Trajectory, lr: float = 0.02, batch: int = 64) -> Figure:
    """Measured SGD and the closure, which draws no sample."""
    path = theory.closure(theory.constants(task.mu, task.P, task.Q), lr, batch, int(run.steps[-1]))
    with plots.style():
        fig, ax = plt.subplots(figsize=(7, 3.2))
        for name, idea, label, predicted in (
            ("distance_V", "output", "‖V − P‖", path.error_V),
            ("distance_A", "attention", "‖A − Q‖", path.error_A),
        ):
            plots.band(ax, run.steps, run[name], label, idea)
            plots.theory(ax, path.steps, predicted, None)
        plots.label_axes(ax, "training time (steps)", "distance (1)")
        ax.legend()
        return finished(fig)
