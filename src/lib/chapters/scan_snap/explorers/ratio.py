"""Explorer `scan_snap-ratio`: entropy of attention against the ratio of the two learning rates, beside the paper's.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 8 and Figure 6 (Syn-Medium), settings as released. The page
computes all of it but the released numbers.
"""

from __future__ import annotations

from typing import Any

from lib.chapters.scan_snap.explorers._shared import INFINITE, TIME_LABEL, sliders
from lib.chapters.scan_snap.runs.published_entropy import (
    FIGURE_6_MEAN,
    FIGURE_6_RATIOS,
    FIGURE_6_STD,
    released_row,
)
from lib.explorer import Computed, Line, Say, Step, lines
from lib.models.scan_snap import textbook_ratios
from lib.models.scan_snap.textbook_classes import vocabulary
from lib.models.scan_snap.textbook_flow import Settings, start, velocity
from lib.models.scan_snap.textbook_flow_record import own_entropy
from lib.models.scan_snap.textbook_ratios import COMMON, DISTINCT, RATIOS, Sweep
from lib.models.scan_snap.textbook_record import record_steps
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, copy, nan, zeros

FINE = 13  # ratios of the curve for infinitely long sequences
LOW = 0.5
HIGH = 20.0
RELEASED_T = 128
RELEASED_STEPS = 100
# Ordered rates, from a slow decoder to a fast one: light to dark of one hue.
SHADES = ("#7fb8de", "#3d92cc", "#0072b2", "#004a75")


def settings(queries: int, lr_Z: float, T: int, steps: int) -> Sweep:
    """A run at each of seven ratios, batch 128."""
    return Sweep(T, queries, lr_Z, steps, 128)


def released(sweep: Sweep) -> Readings:
    """What the authors released at these settings: mean and spread over ten runs, NaN where they have none."""
    mean = released_row(FIGURE_6_MEAN, sweep.queries, sweep.lr_Z)
    spread = released_row(FIGURE_6_STD, sweep.queries, sweep.lr_Z)
    best = 0
    for i in range(4):
        if sweep.T != RELEASED_T or sweep.steps != RELEASED_STEPS:
            mean[i] = nan
            spread[i] = 0.0
        if mean[i] != mean[i]:
            spread[i] = 0.0
        if mean[i] < mean[best]:
            best = i
    return {
        "ratios": copy(FIGURE_6_RATIOS), "mean": mean, "spread": spread, "best": [FIGURE_6_RATIOS[best]],
        "least": [mean[best]], "around": [spread[best]],
    }  # fmt: skip


def times(sweep: Sweep) -> Readings:
    """The ratios of the runs, the steps that are recorded, and how many there are."""
    return {"ratios": copy(RATIOS), "steps": record_steps(sweep.steps), "last": [float(sweep.steps)]}


def endless(sweep: Sweep) -> Readings:
    """The same training on infinitely long sequences, from zero: entropy at its end, over the ratio of rates.

    Momentum along the velocity of the flow, which is the gradient times the rates.
    """
    ratios, found = zeros(FINE), zeros(FINE)
    K = 2 * sweep.queries
    best = 0
    for i in range(FINE):
        ratios[i] = LOW * exp(log(HIGH / LOW) * float(i) / float(FINE - 1))
        M = vocabulary(K, sweep.queries, COMMON, DISTINCT)
        flow = Settings(K, 2, M, COMMON, 1.0, DISTINCT, 0.1, 0.0, 1.0, ratios[i] * sweep.lr_Z, sweep.lr_Z, 1.0, 2.0, 2)
        state = start(flow, 0)
        y, trace = state.flow.y, zeros(len(state.flow.y))
        for _ in range(sweep.steps):
            velocity(0.0, y, state.slope, state.motion)
            for j in range(len(y)):
                trace[j] = 0.9 * trace[j] + state.slope[j]
                y[j] += trace[j]
        velocity(0.0, y, state.slope, state.motion)
        found[i] = own_entropy(state.motion.now.f)
        if found[i] < found[best]:
            best = i
    return {"ratios": ratios, "entropy": found, "best": [ratios[best]], "least": [found[best]]}


def outcome(best: Vector, least: Vector, entropy: Vector) -> Readings:
    """Of one run at every ratio: where entropy is least, and how much more the extreme ratios have."""
    return {"best": [best[0]], "least": [least[0]], "slow": [entropy[0]], "fast": [entropy[len(entropy) - 1]]}


def panels() -> list[Any]:
    """Entropy against the ratio of rates with the released error bars, and over time at four ratios."""
    course = [
        Line(f"course_{ratio}", f"ratio {ratio}", idea=shade)
        for ratio, shade in zip((1, 2, 5, 10), SHADES, strict=True)
    ]
    return [
        lines(
            x="times.ratios",
            y=[
                Line("entropy", "training runs", idea="A"),
                Line(
                    "endless.entropy",
                    "infinitely long sequences",
                    idea="A",
                    theory=True,
                    dash=INFINITE,
                    x="endless.ratios",
                ),
                Line("released.mean", "released: mean ± s.d.", idea="V", x="released.ratios", error="released.spread"),
            ],
            xlabel="ratio of rates η_Y / η_Z (no unit)",
            ylabel="entropy (nats)",
            title="Entropy against the ratio of rates",
            xlog=True,
            xlim=(0.4, 25),
        ),
        lines(
            x="times.steps",
            y=course,
            xlabel=TIME_LABEL,
            ylabel="entropy (nats)",
            title="How it came to that",
            xswitch=True,
        ),
    ]


READING = [
    [
        Say("After one step all ratios are alike: attention has moved by its own rate alone.", **{"times.last": 1}),
        Say(
            "After {times.last} steps attention is sparsest at ratio {best:1}, with {least:3} nats (released: "
            "{released.best}, {released.least:3} ± {released.around:3})."
        ),
        Say("After {times.last} steps attention is sparsest at ratio {best:1}, with {least:3} nats."),
        Say("No run has finished yet."),
    ],
    [Say("Infinitely long sequences have {endless.least:3} at {endless.best:1}.")],
]


TOUR = [
    Step(
        "Seven trainings on the same sequences, one for each ratio of the two rates, from the same start.",
        time=0,
        point="How it came to that",
    ),
    Step(
        "For ten steps a fast decoder is ahead: of these four the curve of ratio 5 lies lowest.",
        time=10,
        point="How it came to that",
    ),
    Step(
        "Then it makes no more errors that could push attention. By step 100 ratio 2 lies lowest and ratio 10 highest.",
        time=100,
        point="How it came to that",
    ),
    Step(
        Say(
            "So there is a best ratio. Here it is {best}; in the runs that the authors released it is {released.best}."
        ),
        "So there is a best ratio.",
        point="Entropy against the ratio of rates",
    ),
    Step(
        Say("Dashed: infinitely long sequences, no chance at all. The valley stays, at {endless.best:1}."),
        "Dashed: infinitely long sequences, no chance at all. The valley stays.",
        point="Entropy against the ratio of rates",
    ),
    Step(
        Say("With one query token a slower decoder is best: ratio {best}, and {released.best} in the released runs."),
        "With one query token a slower decoder is best.",
        queries=1,
        point="queries",
    ),
    Step(
        Say("At a tenth of the rate 100 steps are too few: {least:2} nats at best, and a shallow valley."),
        "At a tenth of the rate 100 steps are too few, and the valley is shallow.",
        lr_Z=0.1,
        point="lr_Z",
    ),
]


def explorer() -> Computed:
    """The explorer `scan_snap-ratio`, as the chapter shows it."""
    return Computed(
        textbook_ratios,
        name="scan_snap-ratio",
        title="How fast should the decoder be?",
        settings=settings,
        theory=[times, released, endless],
        outcome=outcome,
        sliders=sliders("queries", "lr_Z", "T", "steps", lr_Z=(0.05, 20.0), T=(8, 512)),
        default=dict(queries=3, lr_Z=1.0, T=128, steps=100),
        time="times.steps",
        reading=READING,
        panels=panels(),
        tour=TOUR,
        columns=2,
        runs=4,
        first=1,
        dear="A run here is seven trainings, one a ratio: they are drawn as they come, many classes take a while.",
    )
