"""Explorer `scb-flow`: the two-dimensional population flow, with training runs projected onto its plane.

Chapter `scb`. Source: arXiv 2410.23438, Section 3.1, equation (8), and Appendix C. The page computes all of it: the
functions from `settings` to `outcome` are portable, and the run is the textbook model.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lib.chapters.scb.explorers._shared import TIME_LABEL, sliders
from lib.chapters.scb.runs.textbook_twin import fast_runs
from lib.explorer import Computed, Field, Line, Mark, Path, Say, lines, plane
from lib.models.scb import textbook
from lib.models.scb.textbook import Settings
from lib.models.scb.textbook_record import RECORDS
from lib.models.scb.textbook_ring import even_weights
from lib.portable.primitives import Readings, Vector, floor, nan, zeros
from lib.theory.scb.portable import (
    attention_signal,
    drift_number,
    escape_time,
    population_run,
    valley,
    velocity,
)

# Training time in units of 1/lr: Stage 1 takes about log(0.2 K_Q T) of them, learning the rest.
TIME = 12.0
LEVEL = 0.1  # of the signal, where the quiet phase is over
FIELD = 15  # arrows a side
VALLEY = 40  # points of the valley


def settings(T: int, N: int, Q: int, skew: float, lr: float) -> Settings:
    """The run of these sliders: plain SGD of batch 32 for 12 / lr steps."""
    return Settings(T, N, Q, 0.75, skew, lr, 32, 0.0, floor(TIME / lr + 0.5), 0, 0)


def drift(settings: Settings) -> float:
    """The drift number d of the task."""
    return drift_number(attention_signal(even_weights(settings.Q), settings.T), settings.T)


def flow(settings: Settings) -> Readings:
    """The population process of the task: steps, alpha_V, alpha_A, each (49,)."""
    return population_run(drift(settings), settings.lr, settings.stage1, RECORDS)


def quiet(settings: Settings) -> Readings:
    """The quiet phase: tau, the steps until the signal is 0.1."""
    return {"tau": [escape_time(LEVEL, settings.lr, drift(settings))]}


def scene(settings: Settings) -> Readings:
    """The flow's arrows on a grid, row by row, the valley on both sides, and the two solutions."""
    d = drift(settings)
    x = zeros(FIELD)
    y = zeros(FIELD)
    u = zeros(FIELD * FIELD)
    v = zeros(FIELD * FIELD)
    for i in range(FIELD):
        x[i] = -1.4 + 2.8 * float(i) / float(FIELD - 1)
        y[i] = -1.8 + 3.6 * float(i) / float(FIELD - 1)
    for j in range(FIELD):
        for i in range(FIELD):
            move_V, move_A = velocity(x[i], y[j], d)
            u[j * FIELD + i] = move_V
            v[j * FIELD + i] = move_A
    right = zeros(VALLEY)
    left = zeros(VALLEY)
    up = zeros(VALLEY)
    down = zeros(VALLEY)
    for i in range(VALLEY):
        right[i] = 0.55 + 0.85 * float(i) / float(VALLEY - 1)
        left[i] = -right[i]
        up[i] = valley(right[i])
        down[i] = -up[i]
    return {
        "x": x, "y": y, "u": u, "v": v, "right": right, "up": up, "left": left, "down": down, "solutions": [1.0, -1.0],
    }  # fmt: skip


def outcome(steps: Vector, alpha_V: Vector, alpha_A: Vector) -> Readings:
    """Of one run: the step at which |alpha_V| reaches 0.1, between two records, and 1 if the run is mirrored."""
    reached = nan
    for i in range(len(steps) - 1, 0, -1):
        before, after = abs(alpha_V[i - 1]), abs(alpha_V[i])
        if after >= LEVEL and before < LEVEL:
            reached = steps[i - 1] + (steps[i] - steps[i - 1]) * (LEVEL - before) / (after - before)
    return {"reached": [reached], "mirrored": [1.0 if alpha_A[len(alpha_A) - 1] < 0.0 else 0.0]}


def panels() -> list[Any]:
    """Plane of the two signals, both over time on a log axis, and the distance to the plane."""
    return [
        plane(
            paths=[
                Path("alpha_V", "alpha_A", "training runs", idea="signal"),
                Path("flow.alpha_V", "flow.alpha_A", "population flow", theory=True),
            ],
            field=Field("scene.x", "scene.y", "scene.u", "scene.v"),
            curves=[Path("scene.right", "scene.up", "valley"), Path("scene.left", "scene.down", "mirrored valley")],
            points=[Path("scene.solutions", "scene.solutions", "true and mirrored solution")],
            xlabel="transition signal α_V (no unit)",
            ylabel="attention signal α_A (no unit)",
            title="Where the runs go",
            xlim=(-1.4, 1.4),
            ylim=(-1.8, 1.8),
            equal=False,
            height=270,
        ),
        lines(
            x="flow.steps",
            y=[
                Line("alpha_V", "α_V", idea="V"),
                Line("alpha_A", "α_A", idea="A"),
                Line("flow.alpha_V", "α_V, theory", theory=True),
                Line("flow.alpha_A", "α_A, theory", theory=True),
            ],
            marks=[Mark("quiet.tau", "τ₁: theory reaches 0.1")],
            xlabel=TIME_LABEL,
            ylabel="signal (no unit)",
            title="The quiet phase",
            height=270,
            ylog=True,
            ylim=(1e-3, 3),
        ),
        lines(
            x="flow.steps",
            y=[Line("off_flow", "‖Δ‖, distance to the plane of the flow", idea="noise")],
            xlabel=TIME_LABEL,
            ylabel="distance (no unit)",
            title="Off the flow",
            ylog=True,
            ylim=(1e-2, 10),
            height=110,
            wide=True,
        ),
    ]


READING = [
    [
        Say("No run has finished yet; theory says that the signal reaches 0.1 at step {quiet.tau}.", runs=0),
        Say("No run has finished yet; theory has no quiet phase here.", runs=0),
        Say("The signal reaches 0.1 at step {reached}; theory says {quiet.tau}."),
        Say("The signal reaches 0.1 at step {reached}; theory has no quiet phase here."),
        Say("No run reaches 0.1; theory says at step {quiet.tau}."),
    ],
    [
        Say("The first run is not mirrored.", runs=1, **{"sum.mirrored": 0}),
        Say("The first run is mirrored.", runs=1),
        Say("No run is mirrored.", **{"sum.mirrored": 0}),
        Say("One of {runs} runs is mirrored.", **{"sum.mirrored": 1}),
        Say("{sum.mirrored} of {runs} runs are mirrored."),
    ],
]


def explorer() -> Computed:
    """The explorer `scb-flow`, as the chapter shows it."""
    shared = sliders("T", "N", "Q", "skew", "lr")
    return Computed(
        textbook,
        name="scb-flow",
        title="Two numbers tell the whole story",
        settings=settings,
        theory=[flow, quiet, scene],
        outcome=outcome,
        sliders={
            **shared,
            "T": replace(shared["T"], live=(4, 512), log=True),
            "lr": replace(shared["lr"], live=(0.01, 0.2), log=True),
        },
        default=dict(T=256, N=4, Q=2, skew=0.0, lr=0.02),
        time="flow.steps",
        reading=READING,
        panels=panels(),
        columns=2,
        fast=fast_runs,
    )
