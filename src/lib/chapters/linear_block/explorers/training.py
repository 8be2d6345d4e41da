"""Explorer `linear_block-training`: the six matrices trained on all prompts; the stair, the trap, and the way past it.

Chapter `linear_block`. Source: left open in arXiv 2402.14951; starts, trap and its criterion are ours. Seeds differ in
the start alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lib.chapters.linear_block.explorers._shared import ATTENTION, BAYES, STEP, ZERO, sliders
from lib.chapters.linear_block.runs.textbook_twin import fast_population
from lib.explorer import Computed, Line, Say, Slider, Step, lines
from lib.models.linear_block import textbook_population
from lib.models.linear_block.textbook_population import Settings
from lib.models.linear_block.textbook_prompts import law_of
from lib.models.linear_block.textbook_record import RECORDS
from lib.portable.primitives import Readings, Vector, nan, zeros
from lib.portable.vectors import fill
from lib.theory.linear_block.portable import best_gains, best_risk, label_variance, trap_criterion, trap_risk
from lib.theory.linear_block.portable_attention import best_attention_risk

STEPS = 600  # of Adam
LONG = 2400  # of gradient descent


def settings(kind: int, adam: int, M: int, d: int, norm: float, sigma: float, decay: float, scale: float) -> Settings:
    """Training of the block from random (0) or near identity (1), or of attention alone (2), at the rate 0.03."""
    steps = STEPS if adam == 1 else LONG
    return Settings(1 if kind == 2 else 0, d, M, sigma, norm, decay, 1 if kind == 1 else 0, scale, 0.03, adam, steps)


def laws(settings: Settings) -> Readings:
    """Steps of the records; the risks of the best block, the best attention, the prior mean and the trap, along them;
    what parameters the best step has.
    """
    law, M = law_of(settings.d, settings.M, settings.sigma, settings.norm, settings.decay, 1.0), float(settings.M)
    count = RECORDS + 1
    t, best, alone, prior, trap = zeros(count), zeros(count), zeros(count), zeros(count), zeros(count)
    mean, gain = zeros(count), zeros(count)
    for k in range(count):
        t[k] = float(settings.steps) * float(k) / float(RECORDS)
    criterion = trap_criterion(law.h, 1.0, law.sigma, M)
    fill(best, best_risk(law.h, 1.0, law.sigma, M))
    fill(alone, best_attention_risk(law.h, 1.0, law.mean, law.sigma, M))
    fill(prior, label_variance(law.h, 1.0, law.sigma))
    fill(trap, trap_risk(law.h, 1.0, law.sigma, M) if criterion > 1.0 and settings.kind == 0 else nan)
    gains = best_gains(law.h, 1.0, law.sigma, M)
    along = 0.0
    for i in range(settings.d):
        along += gains[i] / float(settings.d)
    fill(mean, settings.norm)
    fill(gain, along)
    own = settings.kind == 0
    return {
        "t": t, "best": best, "alone": alone, "prior": prior, "trap": trap, "mean": mean, "gain": gain,
        "goal": [best[0] if own else alone[0]], "trapped": [trap[0]], "criterion": [criterion],
        "is_block": [1.0 if own else 0.0], "steps": [float(settings.steps)],
    }  # fmt: skip


def outcome(risk: Vector) -> Readings:
    """The risk at the end of a run."""
    return {"end": [risk[len(risk) - 1]]}


def fast(settings: Settings, seeds: Sequence[int]) -> dict[str, Any]:
    """The library's fast model at these settings: what a run reads, (seeds, K) each."""
    found = fast_population(settings, seeds)
    return {name: values for name, values in found.items() if name != "steps"}


def over_steps(title: str, ylabel: str, *series: Line, **more: Any) -> Any:
    """A panel over the steps."""
    return lines(x="laws.t", y=list(series), xlabel="training time (steps)", ylabel=ylabel, title=title, **more)


def panels() -> list[Any]:
    """Risk, what the MLP and the values hold of the mean, the step's gain, labels in the keys."""
    return [
        over_steps(
            "Risk",
            "risk (squared labels)",
            Line("risk", "a start each", idea=STEP, each=True),
            Line("laws.best", "best block", idea=BAYES, theory=True),
            Line("laws.alone", "best attention alone", idea=ATTENTION, theory=True),
            Line("laws.prior", "β* alone, no example", theory=True),
            Line("laws.trap", "trap", idea=ZERO, theory=True),
            ylog=True,
            yswitch=True,
            height=230,
        ),
        over_steps(
            "What the MLP lets through",
            "α along the prior mean (no unit)",
            Line("alpha", "a start each", idea=STEP, each=True),
            Line("laws.mean", "‖β*‖", idea=BAYES, theory=True),
            height=230,
        ),
        over_steps(
            "Labels in the values: the step",
            "c Q along the prior mean (no unit)",
            Line("along", "a start each", idea=STEP, each=True),
            Line("laws.gain", "best step", idea=BAYES, theory=True),
            height=200,
        ),
        over_steps(
            "Labels in the keys",
            "length of q (no unit)",
            Line("labels", "a start each", idea=STEP, each=True),
            ylim=(0, None),
            height=200,
        ),
    ]


READING = [
    [
        Say("Every run so far has diverged.", runs=0, lost=">= 1"),
        Say("No run has finished yet.", runs=0),
        Say("After {laws.steps} steps the runs so far have the risk {end:3} in the middle; {laws.goal:3} is the best."),
    ],
    [
        Say(
            "There is a trap at {laws.trapped:3}: the criterion is {laws.criterion:2}, above 1.",
            **{"laws.criterion": "> 1", "laws.is_block": ">= 1"},
        ),
        Say("No trap: the criterion is {laws.criterion:2}, not above 1.", **{"laws.is_block": 1}),
        Say("Without the MLP α stays at zero."),
    ],
]

TRAP: dict[str, Any] = dict(d=3, M=6, norm=1.0, sigma=1.4, decay=2.0)
TOUR = [
    Step("Six random matrices, trained on all prompts: every start ends at the best step's risk.", point="Risk"),
    Step("On the way the MLP learns the prior mean.", point="What the MLP lets through"),
    Step("Descent from a small start makes a stair: the mean, then nothing for a while, then the reading.", adam=0,
         scale=0.05, norm=1.0, point="Risk"),
    Step("Without the MLP the runs end at the best attention, above.", kind=2, point="Risk"),
    Step("Few noisy examples, falling variances: some starts end in a trap.", **TRAP, point="Risk"),
    Step("Near identity, with the label on the value side, no start does.", kind=1, scale=0.02, **TRAP, point="Risk"),
]  # fmt: skip


def explorer() -> Computed:
    """The explorer `linear_block-training`, as the chapter shows it."""
    return Computed(
        textbook_population,
        name="linear_block-training",
        title="Training the block itself",
        settings=settings,
        theory=[laws],
        outcome=outcome,
        sliders={
            "kind": Slider("Model", names={0: "block", 1: "block near identity", 2: "attention alone"}),
            "adam": Slider("Optimiser", names={0: "gradient descent", 1: "Adam"}),
            **sliders("M", "d", "norm", "sigma", "decay", M=(2, 64), d=(2, 5), norm=(0.0, 6.0)),
            "scale": Slider("Deviation s of the start", unit="no unit", live=(0.01, 0.6), log=True),
        },
        default=dict(kind=0, adam=1, M=20, d=3, norm=2.0, sigma=0.5, decay=0.0, scale=0.3),
        time="laws.t",
        reading=READING,
        tour=TOUR,
        panels=panels(),
        columns=2,
        runs=8,
        first=2,
        fast=fast,
    )
