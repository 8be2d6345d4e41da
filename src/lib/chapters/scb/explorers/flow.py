"""Explorer `scb-flow`: the two-dimensional population flow, with measured runs projected onto its plane.

Chapter `scb`. Source: arXiv 2410.23438, Section 3.1, equation (8), and Appendix C.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.chapters.scb.explorers._shared import TIME_LABEL, sliders
from lib.chapters.scb.runs.algorithm import learn
from lib.chapters.scb.runs.escape import first_reach
from lib.chapters.scb.runs.tasks import make_task, stack
from lib.explorer import Explorer, Field, Line, Mark, Path, lines, plane
from lib.sweep import vectorised
from lib.theory import scb as theory
from lib.train import record_points

SEEDS = 3
# Training time in units of 1/lr: Stage 1 takes about log(0.2 K_Q T) of them, learning the rest.
_TIME = 12.0


@vectorised("T", "N", "lr", "batch", defaults={"T": 256, "N": 4, "Q": 2, "skew": 0.0, "lr": 0.02, "batch": 32})
def flow_run(points: list[dict[str, Any]]) -> list[dict[str, NDArray]]:
    """Signal coordinates of three measured runs of plain SGD, and of the population process of the same task.

    Args:
        points: settings T, N, Q, skew, lr, batch and seed; T, N, lr and batch agree within a call.

    Returns:
        For each point: steps (K,), alpha_V, alpha_A, off_flow (seeds, K), their predictions flow_V, flow_A and the
        early law early_V, early_A (K,), tau (steps until alpha = 0.1 by theory), mirrored (seeds,), diverged_at.

    Raises:
        InputError: if a setting is out of range.
    """
    lr, batch = points[0]["lr"], points[0]["batch"]
    steps = round(_TIME / lr)
    at = record_points(steps, 48)
    tasks = [make_task(p, p.get("seed", 0)) for p in points]
    seeds = [SEEDS * p.get("seed", 0) + s for p in points for s in range(SEEDS)]
    run = learn(
        stack([task for task in tasks for _ in range(SEEDS)]), seeds, lr=lr, batch=batch, steps=steps, record_at=at
    )
    out = []
    for i, task in enumerate(tasks):
        rows = slice(i * SEEDS, (i + 1) * SEEDS)
        path = theory.population_run(task.K_P, task.K_Q, task.T, lr, steps, record_at=at)
        d = theory.drift_number(task.K_Q, task.T)
        early = theory.early_growth(at, lr, d)
        alphas = {name: run.arrays[name][rows] for name in ("alpha_V", "alpha_A", "off_flow")}
        out.append(
            {
                "steps": at,
                **alphas,
                "flow_V": path.alpha_V,
                "flow_A": path.alpha_A,
                "early_V": np.where(early[0] < 1, early[0], np.nan),
                "early_A": np.where(early[1] < 1, early[1], np.nan),
                "tau": np.asarray(theory.escape_time(0.1, lr, task.K_Q, task.T)),
                "reached": first_reach(at, alphas["alpha_V"], 0.1),
                "mirrored": alphas["alpha_A"][:, -1] < 0,
                "diverged_at": run.diverged_at[rows],
                **_background(float(d)),
            }
        )
    return out


def _background(d: float) -> dict[str, NDArray]:
    """The flow's arrows on a grid, the valley on both sides, and the two solutions."""
    x, y = np.linspace(-1.4, 1.4, 15), np.linspace(-1.8, 1.8, 15)
    u, v = theory.velocity(x[None, :], y[:, None], d)
    valley = np.linspace(0.55, 1.4, 40)
    return {
        "field_x": x,
        "field_y": y,
        "field_u": u,
        "field_v": v,
        "valley_V": valley,
        "valley_A": theory.hyperbola(valley),
        "mirror_V": -valley,
        "mirror_A": theory.hyperbola(-valley),
        "solution_V": np.array([1.0, -1.0]),
        "solution_A": np.array([1.0, -1.0]),
    }


def panels() -> list[Any]:
    """Plane of the two signals, both over time on a log axis, and the distance to the plane."""
    return [
        plane(
            paths=[
                Path("alpha_V", "alpha_A", "three measured runs", idea="signal"),
                Path("flow_V", "flow_A", "population flow", theory=True),
            ],
            field=Field("field_x", "field_y", "field_u", "field_v"),
            curves=[Path("valley_V", "valley_A", "valley"), Path("mirror_V", "mirror_A", "mirrored valley")],
            points=[Path("solution_V", "solution_A", "true and mirrored solution")],
            xlabel="transition signal α_V (no unit)",
            ylabel="attention signal α_A (no unit)",
            title="Where the runs go",
            xlim=(-1.4, 1.4),
            ylim=(-1.8, 1.8),
        ),
        lines(
            x="steps",
            y=[
                Line("alpha_V", "α_V measured", idea="V"),
                Line("alpha_A", "α_A measured", idea="A"),
                Line("flow_V", "flow", theory=True),
                Line("flow_A", "flow of α_A", theory=True),
            ],
            marks=[Mark("tau", "τ₁: theory reaches 0.1")],
            xlabel=TIME_LABEL,
            ylabel="signal (no unit)",
            title="The quiet phase",
            ylog=True,
            ylim=(1e-3, 3),
        ),
        lines(
            x="steps",
            y=[Line("off_flow", "‖Δ‖, distance of the runs to the plane of the flow", idea="noise")],
            xlabel=TIME_LABEL,
            ylabel="distance (no unit)",
            title="Off the flow",
            ylim=(0, None),
            height=150,
            wide=True,
        ),
    ]


def reading(settings: Mapping[str, Any], data: Mapping[str, NDArray]) -> str:
    """When the signal reached 0.1, against theory, and how many runs are mirrored."""
    reached, mirrored = np.asarray(data["reached"]), int(np.sum(data["mirrored"]))
    when = f"at step {np.nanmedian(reached):.0f}" if np.isfinite(reached).any() else "not within this run"
    turned = {0: "No run is mirrored.", 1: "One of three runs is mirrored."}.get(
        mirrored, f"{mirrored} of three runs are mirrored."
    )
    return f"The signal reaches 0.1 {when}; theory says {float(data['tau']):.0f}. {turned}"


def explorer() -> Explorer:
    """The explorer `scb-flow`, as the chapter shows it."""
    return Explorer(
        flow_run,
        name="scb-flow",
        title="Two numbers tell the whole story",
        grid=dict(T=[64, 128, 256, 512], N=[2, 4, 8], Q=[1, 2, 4], skew=[0.0, 0.5, 1.0], lr=[0.02, 0.04]),
        default=dict(T=256, N=4, Q=2, skew=0.0, lr=0.02),
        start="start",
        sliders=sliders("T", "N", "Q", "skew", "lr"),
        reading=reading,
        panels=panels(),
    )
