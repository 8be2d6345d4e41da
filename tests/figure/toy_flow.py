"""A figure that computes, with a plane, a fast twin and a tour: the flow of chapter 1 with runs on its plane.

Source: arXiv 2410.23438, Section 3.1, equation (8), and Appendix C.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scb.figures._shared import TABLE
from hal.chapters.scb.runs import learn, signals
from hal.figure import Line, Mark, Path, Say, Step, over_steps, plane, sliders, waiting
from lib.errors import require
from lib.models import scb
from lib.models.scb import textbook
from lib.models.scb.textbook import RECORDS, Settings, even_weights
from lib.portable.primitives import Readings, Vector, floor, nan, zeros
from lib.portable.records import reached
from lib.theory.scb.portable import attention_signal, drift_number, population_run, quiet_steps, valley

LEVEL = 0.1  # of the signal, where the quiet phase is over
PLANE, QUIET = "Where the runs go", "The quiet phase"
MEASURES = ("alpha_V", "alpha_A", "off_flow")


def fast_runs(settings: Settings, seeds: Sequence[int]) -> dict[str, NDArray[np.float64]]:
    """Readings of the fast model at the textbook's settings, Stages 1 and 2, one run a seed.

    Random numbers are others, so runs agree in law, not one by one; tests hold the two together.

    Returns:
        alpha_V, alpha_A, off_flow, each (seeds, K), at the textbook's records; NaN from where a run diverged.

    Raises:
        InputError: if the settings are refused, or ask for Stage 3.
    """
    require(settings.stage3 == 0, "stage3", "0 steps: Stages 1 and 2 are compared", settings.stage3)
    weights = scb.even_weights(settings.Q)
    task = scb.ring_task(settings.T, settings.N, settings.c, weights, settings.skew)
    steps = settings.stage1 + settings.stage2
    record = {name: signals(task)[name] for name in MEASURES}
    at = [-(-i * steps // RECORDS) for i in range(RECORDS + 1)]  # of short runs some twice
    V = task.mu[:, None] + settings.start_V * (task.P - task.mu[:, None])
    A = 1 / task.T + settings.start_A * (task.Q - 1 / task.T)
    found = learn(
        task,
        list(seeds),
        lr=settings.lr,
        batch=settings.batch,
        steps=steps,
        switch=settings.stage1,
        threshold=settings.threshold,
        record=record,
        record_at=sorted(set(at)),
        start=scb.Params(np.stack([V] * len(seeds)), np.stack([A] * len(seeds))),
    )
    return {name: found.arrays[name][:, np.searchsorted(sorted(set(at)), at)] for name in MEASURES}


NAME = "scb-flow"
TITLE, RUN, FAST, COLUMNS, FOLDED = "How the two signals leave zero", textbook, fast_runs, 2, 1
SLIDERS = sliders(
    TABLE, T=(256, 4, 512), N=(4, 2, 12), Q=(2, 1, 8), skew=0.0, lr=(0.02, 0.002, 1.0), start_V=0.0, start_A=0.0
)
SIGHT = ("T", "N", "lr")


def phase_plane(points: int) -> Readings:
    """The valley (right, up) of the plane and its mirror (left, down), each (points,).

    Source: the paper's population process, in closed form.
    """
    right, up, left, down = zeros(points), zeros(points), zeros(points), zeros(points)
    for i in range(points):
        right[i] = 0.55 + 0.85 * float(i) / float(points - 1)
        left[i] = -right[i]
        up[i] = valley(right[i])
        down[i] = -up[i]
    return {"right": right, "up": up, "left": left, "down": down}


def settings(T: int, N: int, Q: int, skew: float, lr: float, start_V: float, start_A: float) -> Settings:
    """Plain SGD of batch 32 for 12 / lr steps, at most 1,200: Stage 1 takes about log(0.2 K_Q T) / lr of them."""
    return Settings(T, N, Q, 0.75, skew, lr, 32, 0.0, min(1200, floor(12.0 / lr + 0.5)), 0, 0, start_V, start_A)


def drift(settings: Settings) -> float:
    """The drift number d of the task."""
    return drift_number(attention_signal(even_weights(settings.Q), settings.T), float(settings.T))


def flow(settings: Settings) -> Readings:
    """The population process of the task from the same start: steps, alpha_V, alpha_A, each (49,)."""
    d, start_V, start_A = drift(settings), settings.start_V, settings.start_A
    return population_run(d, settings.lr, start_V, start_A, settings.stage1, RECORDS)


def quiet(settings: Settings) -> Readings:
    """The quiet phase: tau, the steps from zero until the flow is at 0.1, NaN elsewhere; a mark if the run has it."""
    at_zero = settings.start_V == 0.0 and settings.start_A == 0.0
    tau = quiet_steps(LEVEL, settings.lr, drift(settings))
    return {
        "tau": [tau if at_zero else nan], "mark": [tau if at_zero and tau <= float(settings.stage1) else nan],
        "steps": [float(settings.stage1)], "elsewhere": [0.0 if at_zero else 1.0],
    }  # fmt: skip


def scene(settings: Settings) -> Readings:
    """The plane: valleys."""
    return phase_plane(40)


def outcome(steps: Vector, alpha_V: Vector, alpha_A: Vector) -> Readings:
    """Of one run: the step at which |alpha_V| is 0.1; 1 if it is; 1 if both signals end below 0, one below -0.1."""
    last, at = len(alpha_A) - 1, reached(steps, alpha_V, LEVEL)
    turned = max(alpha_V[last], alpha_A[last]) < 0.0 and min(alpha_V[last], alpha_A[last]) <= -LEVEL
    return {"reached": [at], "out": [1.0 if at == at else 0.0], "mirrored": [1.0 if turned else 0.0]}


def panels() -> list[Any]:
    """Plane of the two signals, both over time on a log axis, and the distance to the plane."""
    curves = [Path("scene.right", "scene.up", "valley"), Path("scene.left", "scene.down", "mirrored valley")]
    signals = [
        Line("alpha_V", "α_V", idea="output"), Line("alpha_A", "α_A", idea="attention"),
        Line("flow.alpha_V", "α_V, theory", theory=True), Line("flow.alpha_A", "α_A, theory", theory=True),
    ]  # fmt: skip
    return [
        plane([Path("alpha_V", "alpha_A", "training runs", idea="signal"),
               Path("flow.alpha_V", "flow.alpha_A", "population flow", theory=True)], title=PLANE, curves=curves,
              start=("start_V", "start_A"), height=330, equal=False,
              xlabel="transition signal α_V (no unit)", ylabel="attention signal α_A (no unit)", xlim=(-1.4, 1.4),
              ylim=(-1.8, 1.8)),
        over_steps(QUIET, "signal (no unit)", *signals, ylog=True, yswitch=True,
                   marks=[Mark("quiet.mark", "τ₁: theory reaches 0.1")], height=330),
        over_steps("Off the flow", "‖Δ‖ (no unit)", Line("off_flow", "distance to the plane of the flow", idea="noise"),
                   ylog=True, ylim=(1e-2, 10), height=110, wide=True),
    ]  # fmt: skip


READING = [
    [
        waiting()[0],
        Say("No run has finished yet; theory says that the signal reaches 0.1 at step {quiet.tau:0}.", "runs == 0"),
        waiting()[1], Say("This start is not zero; the quiet phase is that from zero.", "quiet.elsewhere == 1"),
        Say("The signal reaches 0.1 at step {reached:0}; theory says {quiet.tau:0}.", "quiet.tau <= quiet.steps",
            "sum.out >= runs"),
        Say("The signal reaches 0.1 in {sum.out} of {runs} runs, the median of them at step {reached:0}; theory "
            "says {quiet.tau:0}.", "quiet.tau <= quiet.steps"),
        Say("The runs end at step {quiet.steps}; theory reaches 0.1 only at {quiet.tau:0}.", "quiet.tau > quiet.steps"),
        Say("The signal reaches 0.1 in {sum.out} of {runs} runs; theory has no quiet phase here.", "sum.out >= 1"),
        Say("No run reaches 0.1; theory says at step {quiet.tau:0}."),
        Say("Theory has no quiet phase here: the context is too short."),
    ],
    [
        Say("Of the runs that did not diverge {sum.mirrored} of {runs} are mirrored.", "runs >= 1", "lost >= 1"),
        Say("The first run is not mirrored.", "runs == 1", "sum.mirrored == 0"),
        Say("The first run is mirrored.", "runs == 1"), Say("No run is mirrored.", "runs >= 2", "sum.mirrored == 0"),
        Say("One of {runs} runs is mirrored.", "sum.mirrored == 1"),
        Say("{sum.mirrored} of {runs} runs are mirrored.", "runs >= 2"),
    ],
]  # fmt: skip
TOUR = [
    Step("At zero the model attends uniformly and predicts μ, whatever the context says.", time=0, point=PLANE),
    Step("The initial drift has the size 1/T. Only the log axis shows it.", time=20, point=QUIET),
    Step("Then the signal grows by a constant factor per step: a line of slope η.", time=100, point=QUIET),
    Step(Say("It reaches 0.1 at step {reached:0}; theory says {quiet.tau:0}."), "Theory says when it reaches 0.1.",
         time=180, point=QUIET),
    Step("The runs turn aside before (1, 1) and slide along the valley; their split is noise.", time=500, point=PLANE),
    Step("Double the context: the quiet phase grows by log 2 / η, 35 steps, and no more.", T=512, point="T"),
    Step("With N = 2 the noise is larger, and a run may leave the wrong way, to the mirror. Or drag the point there.",
         N=2, T=512, point=PLANE),
]  # fmt: skip
