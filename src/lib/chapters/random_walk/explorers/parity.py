"""Explorer `random_walk-parity`: random starts on even and odd circles, where they lean to and where they end.

Chapter `random_walk`. Source: arXiv 2511.23239, random initialisation, in our reading of its learning rate; the
criterion is ours. The page computes all of it.
"""

from __future__ import annotations

from typing import Any

from lib.chapters.random_walk.explorers._shared import TIME_LABEL, attention_by_lag, over_steps, sliders
from lib.chapters.random_walk.runs.textbook_twin import fast_parity
from lib.explorer import Computed, Line, Say, Step
from lib.models.random_walk import textbook_parity
from lib.models.random_walk.textbook_losses import LOG
from lib.models.random_walk.textbook_record import LAGS, record_steps
from lib.models.random_walk.textbook_task import Settings
from lib.portable.primitives import Readings, Vector, floor, nan, remainder, zeros
from lib.portable.vectors import fill

M = 1000
STEPS = 300
RATE = 10.0  # on the mean over the walks, tokens of length 1
WORK = 3e6  # tokens that a run reads; it ends where they are spent


def settings(K: int, N: int, p: float, n: int, sigma: float) -> Settings:
    """A random start with tokens of length 1, as many steps as a page can take."""
    steps = floor(WORK / float(n * N))
    return Settings(K, N, p, M, n, RATE, max(60, min(STEPS, steps)), 0.1, LOG, sigma, 1)


def laws(settings: Settings) -> Readings:
    """Steps, lags, and what the parent and the grandparent would give: accuracies, and divergence of the latter."""
    t, lags = record_steps(settings.steps), zeros(LAGS)
    best, level = zeros(len(t)), zeros(len(t))
    p, q = settings.p, 1.0 - settings.p
    for i in range(LAGS):
        lags[i] = float(i + 1)
    fill(best, max(p, q))
    fill(level, max(2.0 * p * q, max(p * p, q * q)))
    return {
        "t": t, "lags": lags, "best": best, "two": level, "steps": [float(settings.steps)],
        "even": [1.0 if remainder(settings.K, 2) == 0 else 0.0], "K": [float(settings.K)],
        "gap": [100.0 * (best[0] - level[0])],
    }  # fmt: skip


def outcome(accuracy: Vector, divergence: Vector, lag: Vector, odd: Vector, leaning: Vector) -> Readings:
    """Of one run, at its end: right answers in per cent, divergence in nats, whether lag 1 is read most, whether even
    lags won, and whether the start leaned there; 1 for yes.
    """
    last = len(accuracy) - 1
    even = odd[last] < 0.0
    return {
        "right": [100.0 * accuracy[last]], "divergence": [divergence[last]], "near": [1.0 if lag[last] == 1.0 else 0.0],
        "even": [1.0 if even else 0.0], "told": [1.0 if odd[last] * leaning[0] > 0.0 else 0.0],
        "right_even": [100.0 * accuracy[last] if even else nan],
        "nats_even": [divergence[last] if even else nan], "nats_odd": [nan if even else divergence[last]],
    }  # fmt: skip


def panels() -> list[Any]:
    """The balance of attention, right answers, divergence, attention by lag."""
    return [
        over_steps(
            "Odd lags against even lags",
            "attention, odd − even (share)",
            Line("odd", "each run", idea="A", each=True),
            ylim=(-1.05, 1.05),
            height=210,
        ),
        attention_by_lag(210),
        over_steps(
            "Right answers",
            "accuracy (share)",
            Line("accuracy", "each run", idea="sgd", each=True),
            Line("laws.best", "from the parent", theory=True),
            Line("laws.two", "from the grandparent", theory=True, dash=(2, 2)),
            ylim=(0, 1.02),
            height=170,
        ),
        over_steps(
            "Divergence from the truth",
            "KL divergence (nats)",
            Line("divergence", "each run", idea="noise", each=True),
            ylim=(0, 2),
            height=170,
        ),
    ]


READING = [
    [
        Say("Every run so far has diverged; a smaller start may help.", runs=0, lost=">= 1"),
        Say("No run has finished yet.", runs=0),
        Say("K = {laws.K} is odd, lags have no parity: {sum.near} of {runs} runs read the parent.", **{"laws.even": 0}),
        Say(
            "{sum.even} of {runs} starts have turned to even lags, the wrong ones; the projection of the start told "
            "{sum.told} of {runs}."
        ),
    ],
    [
        Say(
            "From the grandparent alone one is right as often as from the parent here: accuracy hides it.",
            **{"laws.gap": "< 0.01", "laws.even": ">= 1"},
        )
    ],
    [
        Say(
            "The divergence does not: {nats_even:2} nats for even lags, {nats_odd:2} for odd ones.",
            **{"laws.even": 1},
        )
    ],
]


TOUR = [
    Step(
        "On a circle of 6 nodes every step changes the parity of the node. From a random start attention goes to odd "
        "lags or to even ones.",
        point="Odd lags against even lags",
    ),
    Step(
        Say("The start decides. One projection of it told {sum.told} of {runs} runs."),
        "The start decides: one projection of it says which way.",
        point="Odd lags against even lags",
    ),
    Step(
        "Runs on even lags are not much worse: the grandparent, lag 2, alone would be right in half of the cases, as "
        "the target is often where it was.",
        point="Right answers",
    ),
    Step("The divergence tells the two apart.", point="Divergence from the truth"),
    Step("On a circle of 5 nodes there is no parity.", K=5, point="Which ancestor is read"),
]


def explorer() -> Computed:
    """The explorer `random_walk-parity`, as the chapter shows it."""
    return Computed(
        textbook_parity,
        name="random_walk-parity",
        title="The parity trap",
        settings=settings,
        theory=[laws],
        outcome=outcome,
        sliders=sliders("K", "N", "p", "n", "sigma", K=(3, 12), N=(25, 97), p=(0.3, 0.7), n=(50, 1000),
                        sigma=(1e-5, 0.03)),
        default=dict(K=6, N=49, p=0.5, n=200, sigma=0.01),
        time="laws.t",
        time_label=TIME_LABEL,
        reading=READING,
        tour=TOUR,
        panels=panels(),
        columns=2,
        runs=8,
        first=2,
        fast=fast_parity,
        dear="Each of eight runs reads three million tokens: they come one after the other.",
    )  # fmt: skip
