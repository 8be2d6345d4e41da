"""A figure that computes, with a plane and a fast twin: the flow of chapter 1 with runs on its plane; with a tour,
or folded.

Source: arXiv 2410.23438, Section 3.1, equation (8), and Appendix C.
"""

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scb.models.textbook_measures import skewed_law
from hal.figure import Computed, Line, Mark, Path, Say, Slider, Step, over_steps, plane, waiting
from lib.models.scb import textbook
from lib.models.scb.textbook import RECORDS, Settings, even_weights
from lib.portable import finish
from lib.portable.primitives import Readings, Vector, floor, nan
from lib.portable.records import reached
from lib.theory.scb.portable import attention_signal, drift_number, population_run, quiet_steps
from tests.figure.changed import changed

LEVEL = 0.1  # of the signal, where the quiet phase is over
PLANE, QUIET = "Where the runs go", "The quiet phase"
MEASURES = ("alpha_V", "alpha_A", "off_flow")


def fast_runs(settings: Settings, seeds: Sequence[int]) -> dict[str, NDArray[np.float64]]:
    """As the fast model's: MEASURES, each (seeds, K); here the textbook's own with other seeds."""
    runs = [finish(textbook, settings, 1000 + seed) for seed in seeds]
    return {name: np.array([run[name] for run in runs]) for name in MEASURES}


NAME = "scb-flow"
TITLE, RUN, FAST, COLUMNS, COLLAPSED_PANELS = "How the two signals leave zero", textbook, fast_runs, 2, 1
SLIDERS = {
    "T": Slider("Context T", "tokens", 64, (4, 512), log=True),
    "N": Slider("Vocabulary N", "tokens", 4, (2, 12)),
    "Q": Slider("Sparsity Q", "positions", 2, (1, 8)),
    "skew": Slider("Skew of μ", "no unit", 0.0, (0, 1.5)),
    "lr": Slider("Learning rate η", "no unit", 0.1, (0.01, 0.2), log=True),
    "start_V": Slider("Start of α_V", "no unit", 0.0, (-1.4, 1.4), hidden=True),
    "start_A": Slider("Start of α_A", "no unit", 0.0, (-1.8, 1.8), hidden=True),
}
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


def run_metrics(steps: Vector, alpha_V: Vector) -> Readings:
    """Of one run: the step at which |alpha_V| is 0.1, and 1 if it is."""
    at = reached(steps, alpha_V, LEVEL)
    return {"reached": [at], "out": [1.0 if at == at else 0.0]}


def panels() -> list[Any]:
    """Plane of the two signals, both over time on a log axis, and the distance to the plane."""
    signals = [
        Line("alpha_V", "α_V", idea="output"), Line("alpha_A", "α_A", idea="attention"),
        Line("flow.alpha_V", "α_V, theory", theory=True), Line("flow.alpha_A", "α_A, theory", theory=True),
    ]  # fmt: skip
    return [
        plane([Path("alpha_V", "alpha_A", "training runs", idea="attention"),
               Path("flow.alpha_V", "flow.alpha_A", "population flow", theory=True)], title=PLANE,
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
]  # fmt: skip
STEPS = (
    Step("At first all is zero.", time=0),
    Step(Say("At step {reached} the signal is 0.1."), "The signal grows.", time=40, point=QUIET, T=64, lr=0.1),
    Step("Four times the context.", point="T", T=256, lr=0.1, seed=3),
    Step("The wrong way.", point=PLANE, T=512, N=2, Q=4, skew=0.5, lr=0.1),
)


def make(**names):
    """The figure, some of its names changed."""
    given = {"NAME": "toy-tour", "TITLE": "A toy with a tour", "TOUR": STEPS, "HERO": True, "OPENS": 1.0}
    return Computed(changed(sys.modules[__name__], **{**given, "PRIMARY_SLIDERS": None, **names}))


def folds():
    """Two settings and two panels in sight."""
    return make(NAME="toy-folds", HERO=False, PRIMARY_SLIDERS=("T", "lr"), COLLAPSED_PANELS=1)
