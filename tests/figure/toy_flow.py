"""A figure that computes, with a plane and a fast twin: the flow of chapter 1 with runs on its plane.

Source: arXiv 2410.23438, Section 3.1, equation (8), and Appendix C.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scb.figures._shared import TABLE
from hal.chapters.scb.models.textbook_measures import skewed_law
from hal.figure import Line, Mark, Path, Say, over_steps, plane, sliders, waiting
from lib.models.scb import textbook
from lib.models.scb.textbook import RECORDS, Settings, even_weights
from lib.portable import finish
from lib.portable.primitives import Readings, Vector, floor, nan, zeros
from lib.portable.records import reached
from lib.theory.scb.portable import attention_signal, drift_number, population_run, quiet_steps, valley

LEVEL = 0.1  # of the signal, where the quiet phase is over
PLANE, QUIET = "Where the runs go", "The quiet phase"
MEASURES = ("alpha_V", "alpha_A", "off_flow")


def fast_runs(settings: Settings, seeds: Sequence[int]) -> dict[str, NDArray[np.float64]]:
    """As the fast model's: MEASURES, each (seeds, K); here the textbook's own with other seeds."""
    runs = [finish(textbook, settings, 1000 + seed) for seed in seeds]
    return {name: np.array([run[name] for run in runs]) for name in MEASURES}


NAME = "scb-flow"
TITLE, RUN, FAST, COLUMNS, COLLAPSED_PANELS = "How the two signals leave zero", textbook, fast_runs, 2, 1
SLIDERS = sliders(
    TABLE, T=(256, 4, 512), N=(4, 2, 12), Q=(2, 1, 8), skew=0.0, lr=(0.02, 0.002, 1.0), start_V=0.0, start_A=0.0
)
PRIMARY_SLIDERS = ("T", "N", "lr")


def settings(T: int, N: int, Q: int, skew: float, lr: float, start_V: float, start_A: float) -> Settings:
    """Plain SGD of batch 32 for 12 / lr steps, at most 1,200: Stage 1 takes about log(0.2 K_Q T) / lr of them."""
    mu, steps = skewed_law(N, skew), min(1200, floor(12.0 / lr + 0.5))
    return Settings(T=T, mu=mu, Q=Q, lr=lr, stage1=steps, start_V=start_V, start_A=start_A)


def drift(settings: Settings) -> float:
    """The drift number d of the task."""
    return drift_number(attention_signal(even_weights(settings.Q), settings.T), float(settings.T))


def flow(settings: Settings) -> Readings:
    """The population process of the task from the same start: steps, alpha_V, alpha_A, each (49,)."""
    d, start_V, start_A = drift(settings), settings.start_V, settings.start_A
    return population_run(d, settings.lr, start_V, start_A, settings.stage1, RECORDS)


def quiet(settings: Settings) -> Readings:
    """The quiet phase: tau, the steps from zero until the flow is at 0.1, and a mark if the run has it."""
    tau = quiet_steps(LEVEL, settings.lr, drift(settings))
    steps = float(settings.stage1)
    return {"tau": [tau], "mark": [tau if tau <= steps else nan], "steps": [steps]}


def scene(settings: Settings) -> Readings:
    """The valley (right, up) of the plane and its mirror (left, down), each (40,), in closed form."""
    right, up, left, down = zeros(40), zeros(40), zeros(40), zeros(40)
    for i in range(40):
        right[i] = 0.55 + 0.85 * float(i) / 39.0
        left[i] = -right[i]
        up[i] = valley(right[i])
        down[i] = -up[i]
    return {"right": right, "up": up, "left": left, "down": down}


def run_metrics(steps: Vector, alpha_V: Vector, alpha_A: Vector) -> Readings:
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
        plane([Path("alpha_V", "alpha_A", "training runs", idea="attention"),
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
        *waiting(),
        Say("The signal reaches 0.1 in {sum.out} of {runs} runs, the median of them at step {reached:0}; theory "
            "says {quiet.tau:0}.", "quiet.tau <= quiet.steps"),
        Say("The signal reaches 0.1 in {sum.out} of {runs} runs."),
    ],
    [Say("{sum.mirrored} of {runs} runs are mirrored.", "runs >= 1")],
]  # fmt: skip
