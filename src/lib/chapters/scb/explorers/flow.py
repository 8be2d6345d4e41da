"""Explorer `scb-flow`: the two-dimensional population flow, with training runs projected onto its plane.

Chapter `scb`. Source: arXiv 2410.23438, Section 3.1, equation (8), and Appendix C. The page computes all of it: the
functions from `settings` to `outcome` are portable, and the run is the textbook model.
"""

from __future__ import annotations

from typing import Any

from lib.chapters.scb.explorers._shared import TIME_LABEL, sliders
from lib.chapters.scb.runs.textbook_twin import fast_runs
from lib.explorer import Computed, Field, Line, Mark, Path, Say, Step, lines, plane
from lib.models.scb import textbook
from lib.models.scb.textbook import Settings
from lib.models.scb.textbook_record import RECORDS
from lib.models.scb.textbook_ring import even_weights
from lib.portable.primitives import Readings, Vector, floor, nan, zeros
from lib.theory.scb.portable import (
    attention_signal,
    basin,
    drift_number,
    escape_time,
    population_run,
    valley,
    velocity,
)

# Training time in units of 1/lr: Stage 1 takes about log(0.2 K_Q T) of them, learning the rest.
TIME = 12.0
MOST = 1200  # steps: with a rate below 0.01 a run does not get as far
LEVEL = 0.1  # of the signal, where the quiet phase is over
FIELD = 15  # arrows a side
VALLEY = 40  # points of the valley


def settings(T: int, N: int, Q: int, skew: float, lr: float, start_V: float, start_A: float) -> Settings:
    """The run of these sliders: plain SGD of batch 32 for 12 / lr steps, at most 1,200."""
    steps = min(MOST, floor(TIME / lr + 0.5))
    return Settings(T, N, Q, 0.75, skew, lr, 32, 0.0, steps, 0, 0, start_V, start_A)


def drift(settings: Settings) -> float:
    """The drift number d of the task."""
    return drift_number(attention_signal(even_weights(settings.Q), settings.T), settings.T)


def flow(settings: Settings) -> Readings:
    """The population process of the task from the same start: steps, alpha_V, alpha_A, each (49,)."""
    start_V, start_A = settings.start_V, settings.start_A
    return population_run(drift(settings), settings.lr, start_V, start_A, settings.stage1, RECORDS)


def quiet(settings: Settings) -> Readings:
    """The quiet phase: tau, the steps from zero until the signal is 0.1, NaN elsewhere; a mark if the run has it."""
    at_zero = settings.start_V == 0.0 and settings.start_A == 0.0
    tau = escape_time(LEVEL, settings.lr, drift(settings))
    return {
        "tau": [tau if at_zero else nan],
        "mark": [tau if at_zero and tau <= float(settings.stage1) else nan],
        "steps": [float(settings.stage1)],
        "elsewhere": [0.0 if at_zero else 1.0],
    }


def scene(settings: Settings) -> Readings:
    """The flow's arrows on a grid, row by row, the basin of each, 1 or 2 (mirrored), valleys and solutions."""
    d = drift(settings)
    x = zeros(FIELD)
    y = zeros(FIELD)
    u = zeros(FIELD * FIELD)
    v = zeros(FIELD * FIELD)
    side = zeros(FIELD * FIELD)
    for i in range(FIELD):
        x[i] = -1.4 + 2.8 * float(i) / float(FIELD - 1)
        y[i] = -1.8 + 3.6 * float(i) / float(FIELD - 1)
    for j in range(FIELD):
        for i in range(FIELD):
            move_V, move_A = velocity(x[i], y[j], d)
            u[j * FIELD + i] = move_V
            v[j * FIELD + i] = move_A
            side[j * FIELD + i] = 1.0 if basin(x[i], y[j], d) > 0.0 else 2.0
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
        "x": x, "y": y, "u": u, "v": v, "side": side, "right": right, "up": up, "left": left, "down": down,
        "solutions": [1.0, -1.0],
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
            start=("start_V", "start_A"),
            basin="scene.side",
            basin_labels=("ends at the true solution", "ends at its mirror"),
            curves=[Path("scene.right", "scene.up", "valley"), Path("scene.left", "scene.down", "mirrored valley")],
            points=[Path("scene.solutions", "scene.solutions", "true and mirrored solution")],
            xlabel="transition signal α_V (no unit)",
            ylabel="attention signal α_A (no unit)",
            title="Where the runs go",
            xlim=(-1.4, 1.4),
            ylim=(-1.8, 1.8),
            equal=False,
            height=330,
        ),
        lines(
            x="flow.steps",
            y=[
                Line("alpha_V", "α_V", idea="V"),
                Line("alpha_A", "α_A", idea="A"),
                Line("flow.alpha_V", "α_V, theory", theory=True),
                Line("flow.alpha_A", "α_A, theory", theory=True),
            ],
            marks=[Mark("quiet.mark", "τ₁: theory reaches 0.1")],
            xlabel=TIME_LABEL,
            ylabel="signal (no unit)",
            title="The quiet phase",
            height=330,
            ylog=True,
            yswitch=True,
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
        Say("Every run so far has diverged; a smaller learning rate may help.", runs=0, lost=">= 1"),
        Say("No run has finished yet; theory says that the signal reaches 0.1 at step {quiet.tau}.", runs=0),
        Say("No run has finished yet.", runs=0),
        Say("From this start there is no quiet phase.", **{"quiet.elsewhere": 1}),
        Say(
            "The signal reaches 0.1 at step {reached}; theory says {quiet.tau}.",
            **{"quiet.tau": "<= quiet.steps"},
        ),
        Say(
            "The runs end at step {quiet.steps}; theory reaches 0.1 only at step {quiet.tau}: the rate is too small.",
            **{"quiet.tau": "> quiet.steps"},
        ),
        Say("The signal reaches 0.1 at step {reached}; theory has no quiet phase here."),
        Say("No run reaches 0.1; theory says at step {quiet.tau}."),
        Say("Theory has no quiet phase here: the context is too short."),
    ],
    [
        Say("The first run is not mirrored.", runs=1, **{"sum.mirrored": 0}),
        Say("The first run is mirrored.", runs=1),
        Say("No run is mirrored.", runs=">= 2", **{"sum.mirrored": 0}),
        Say("One of {runs} runs is mirrored.", **{"sum.mirrored": 1}),
        Say("All {runs} runs are mirrored.", runs=">= 2", **{"sum.mirrored": ">= runs"}),
        Say("{sum.mirrored} of {runs} runs are mirrored.", runs=">= 2"),
    ],
    [Say("Negative signals have no place on a log axis; switch it off to see them.", **{"sum.mirrored": ">= 1"})],
]


TOUR = [
    Step(
        "At zero the model looks everywhere alike and predicts μ, whatever the context says.",
        time=0,
        point="Where the runs go",
    ),
    Step("The first push has the size 1/T. Only the log axis shows it.", time=20, point="The quiet phase"),
    Step(
        "Then the signal grows by a constant factor a step: a line of slope η.",
        time=100,
        point="The quiet phase",
    ),
    Step(
        Say("It reaches 0.1 at step {reached}; theory says {quiet.tau}."),
        "Theory says when it reaches 0.1.",
        time=180,
        point="The quiet phase",
    ),
    Step(
        "The runs overshoot (1, 1) and slide along the valley: the product is right, the split is noise.",
        time=500,
        point="Where the runs go",
    ),
    Step("Double the context: the quiet phase grows by log 2 / η, 35 steps, and no more.", T=512, point="T"),
    Step(
        "With N = 2 the noise is larger, and a run may leave the wrong way, to the mirror. Or drag the start there.",
        N=2,
        T=512,
        point="Where the runs go",
    ),
]


def explorer() -> Computed:
    """The explorer `scb-flow`, as the chapter shows it."""
    return Computed(
        textbook,
        name="scb-flow",
        title="Two numbers tell the whole story",
        settings=settings,
        theory=[flow, quiet, scene],
        outcome=outcome,
        sliders=sliders(
            "T", "N", "Q", "skew", "lr", "start_V", "start_A", T=(4, 512), N=(2, 12), Q=(1, 8), lr=(0.002, 1.0)
        ),
        default=dict(T=256, N=4, Q=2, skew=0.0, lr=0.02, start_V=0.0, start_A=0.0),
        time="flow.steps",
        reading=READING,
        tour=TOUR,
        panels=panels(),
        columns=2,
        fast=fast_runs,
    )
