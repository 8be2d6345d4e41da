"""Explorer `random_walk-edge`: the deterministic walk, where the theorem's failure is a knife edge.

Chapter `random_walk`. Source: arXiv 2511.23239, theorem on p = 0 and 1, and its random initialisation; the law of the
escape is ours, one constant in it is measured; so is what rounding does. The page computes all of it, on all K walks
there are, or on a sample of them.
"""

from __future__ import annotations

from typing import Any

from lib.chapters.random_walk.explorers._shared import TIME_LABEL, attention_by_lag, over_steps, sliders
from lib.chapters.random_walk.runs.textbook_twin import fast_edge
from lib.explorer import Computed, Line, Mark, Say, Slider, Step, lines
from lib.models.random_walk import textbook_edge
from lib.models.random_walk.textbook_edge import Edge
from lib.models.random_walk.textbook_losses import LOG
from lib.models.random_walk.textbook_record import LAGS, record_steps
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, nan, remainder, zeros
from lib.theory.random_walk.portable import escape_exponent

M = 1000  # length of the positional vectors
FEW = 40  # steps from zero
SAMPLE = 100  # walks of a sample
LONGEST = 1000  # steps from a random start
RATE = 10.0  # learning rate of random starts, with tokens of length 1
CONSTANT = 3.77  # measured at K = 6, sigma = 0.01: what the exponent has reached, less log(1/sigma)/2
SIZES = 30  # of the start, on the curve of the law


def settings(K: int, N: int, random: int, sigma: float, walks: int, mixed: int, bits: int) -> Edge:
    """Clockwise walks, all K or a sample, from zero at learning rate 1 or from a random start."""
    n = SAMPLE if walks == 1 else 0
    if random == 1:
        steps = LONGEST if walks == 0 else LONGEST // 5
        return Edge(K, N, M, n, mixed, bits, RATE, steps, 0.1, LOG, sigma, 1)
    return Edge(K, N, M, n, mixed, bits, 1.0, FEW, 0.1, LOG, 0.0, 0)


def escape(exponent: Vector, K: int, sigma: float) -> float:
    """The law's step of the first right answers; NaN beyond the longest run."""
    wanted = 0.5 * log(1.0 / sigma) + CONSTANT - 1.5 * log(float(K) / 6.0)
    for i in range(len(exponent)):
        if exponent[i] >= wanted:
            return float(i)
    return nan


def laws(settings: Edge) -> Readings:
    """Steps of the records, lags; what N - 1 leaves over K; the law's escape time, here and over the start's size."""
    t, lags, sigma, steps = record_steps(settings.steps), zeros(LAGS), zeros(SIZES), zeros(SIZES)
    exponent = escape_exponent(settings.K, settings.N, M, RATE, LONGEST, settings.epsilon)
    ridge = remainder(settings.N - 1, settings.K) == 0
    for i in range(LAGS):
        lags[i] = float(i + 1)
    for i in range(SIZES):
        sigma[i] = exp(log(1e-8) + (log(0.03) - log(1e-8)) * float(i) / float(SIZES - 1))
        steps[i] = escape(exponent, settings.K, sigma[i]) if ridge else nan
    random = settings.sigma > 0.0
    return {
        "t": t, "lags": lags, "sigma": sigma, "steps": steps, "last": [float(settings.steps)],
        "ridge": [1.0 if ridge else 0.0], "random": [1.0 if random else 0.0], "rest": [left_over(settings)],
        "r": [float((settings.N - 1) // settings.K)], "K": [float(settings.K)], "N": [float(settings.N)],
        "now": [settings.sigma if random else nan], "sample": [1.0 if settings.n > 0 else 0.0],
        "mixed": [float(settings.mixed)], "bits": [float(settings.bits)],
        "rough": [1.0 if settings.mixed == 1 or settings.bits == 32 else 0.0],
        "escape": [escape(exponent, settings.K, settings.sigma) if random and ridge and settings.n == 0 else nan],
    }  # fmt: skip


def left_over(settings: Edge) -> float:
    """N - 1 less the largest multiple of K in it."""
    return float(remainder(settings.N - 1, settings.K))


def outcome(steps: Vector, accuracy: Vector, by_lag: Vector) -> Readings:
    """Of one run: the first record at which it is always right, NaN where it never is; its accuracy at the end,
    and the parent's attention there.
    """
    first, last = nan, len(accuracy) - 1
    for i in range(last + 1):
        if accuracy[last - i] > 0.999:
            first = steps[last - i]
    return {
        "first": [first], "right": [100.0 * accuracy[last]],
        "never": [1.0 if first != first else 0.0], "on_parent": [by_lag[last * LAGS]],
    }  # fmt: skip


def panels() -> list[Any]:
    """Right answers, attention by lag, divergence, and the law's escape time over the start's size."""
    marks = [Mark("laws.escape", "law of the escape")]
    return [
        over_steps(
            "Right answers",
            "accuracy (share)",
            Line("accuracy", "on its walks", idea="sgd", each=True),
            ylim=(0, 1.05),
            height=210,
            marks=marks,
        ),
        attention_by_lag(210, None),
        over_steps(
            "Divergence from the truth",
            "KL divergence (nats)",
            Line("divergence", "output against the next node", idea="noise", each=True),
            ylog=True,
            yswitch=True,
            ylim=(0.01, 10),
            height=170,
            marks=marks,
        ),
        lines(
            x="laws.sigma",
            y=[Line("laws.steps", "law of the escape, N = rK + 1", theory=True)],
            xlabel="deviation σ of the start (no unit)",
            ylabel="first right answers (steps)",
            title="How long the edge holds",
            xlog=True,
            yswitch=True,
            ylim=(0, 1000),
            height=170,
            marks=[Mark("laws.now", "this start")],
        ),
    ]


READING = [
    [
        Say("N − 1 = {laws.r}·K: every walk visits every node {laws.r} times.", **{"laws.ridge": 1}),
        Say("N − 1 = {laws.r}·K + {laws.rest}: the walks visit some nodes once more than others."),
    ],
    [
        Say("Every run so far has diverged; a smaller start may help.", runs=0, lost=">= 1"),
        Say("No run has finished yet.", runs=0),
        Say(
            "From zero nothing moves apart: after {laws.last} steps one answer in {laws.K} is right, {right:1} %.",
            **{"laws.ridge": 1, "laws.random": 0, "laws.sample": 0},
        ),
        Say(
            "From zero nothing moves apart: after {laws.last} steps all walks get one answer, right in {right:1} %.",
            **{"laws.ridge": 1, "laws.random": 0, "laws.mixed": 0},
        ),
        Say(
            "Rounding alone is enough: the runs that leave are right from step {first} on.",
            **{"laws.ridge": 1, "laws.random": 0},
        ),
        Say(
            "The runs that leave are right from step {first} on; the law says step {laws.escape}.", **{"laws.ridge": 1}
        ),
        Say("All answers are right from step {first} on.", **{"sum.never": 0}),
        Say("After {laws.last} steps {right:1} % of the answers are right."),
    ],
    [
        Say(
            "All terms of a sum are equal here, so neither their order nor their precision matters.",
            **{"laws.ridge": 1, "laws.random": 0, "laws.sample": 0, "laws.rough": 1},
        ),
        Say(
            "In one order equal numbers stay equal to the last bit, in numbers of {laws.bits} bits.",
            **{"laws.ridge": 1, "laws.random": 0, "laws.sample": 1, "laws.mixed": 0},
        ),
    ],
    [
        Say("{sum.never} of {runs} runs have not left yet.", **{"sum.never": ">= 1", "laws.random": ">= 1"}),
        Say("The parent has {on_parent:2} of the attention.", **{"laws.random": 1}),
    ],
]


TOUR = [
    Step(
        "A walk that goes clockwise and nothing else. N − 1 is a multiple of K, all starts at zero: nothing happens.",
        point="Right answers",
    ),
    Step("One node more, and one step is enough to be always right.", N=98, point="Right answers"),
    Step("One node less: the same.", N=96, point="Right answers"),
    Step(
        "Back on the edge, from zero. A hundred walks are drawn, and sums begin at another walk for each place: the "
        "last digits differ, and that alone is enough.",
        walks=1,
        mixed=1,
        point="Right answers",
    ),
    Step(
        Say("Back on the edge, with a start of deviation 0.01. The law says: right from step {laws.escape} on."),
        "Back on the edge, with a random start of deviation 0.01.",
        random=1,
        sigma=0.01,
        point="Right answers",
    ),
    Step(
        "A start ten thousand times smaller still leaves, only later: the edge is no place to stay.",
        random=1,
        sigma=1e-6,
        point="How long the edge holds",
    ),
    Step(
        "It is always right, and it does not read the parent: any place with a fixed distance to the target will do.",
        random=1,
        sigma=0.01,
        time=1000,
        point="Which ancestor is read",
    ),
]


def explorer() -> Computed:
    """The explorer `random_walk-edge`, as the chapter shows it."""
    named = {
        "random": Slider("Start", names={0: "zero", 1: "random"}),
        "walks": Slider("Walks", names={0: "one from every node", 1: f"{SAMPLE} drawn"}),
        "mixed": Slider("Sums over walks", names={0: "in one order", 1: "other orders"}),
        "bits": Slider("Precision", names={32: "single", 64: "double"}),
    }
    own = sliders("K", "N", "sigma", K=(3, 12), N=(9, 145))
    return Computed(
        textbook_edge,
        name="random_walk-edge",
        title="On the knife edge",
        settings=settings,
        theory=[laws],
        outcome=outcome,
        sliders={"K": own["K"], "N": own["N"], "random": named.pop("random"), "sigma": own["sigma"], **named},
        default=dict(K=6, N=97, random=0, sigma=0.01, walks=0, mixed=0, bits=64),
        time="laws.t",
        time_label=TIME_LABEL,
        reading=READING,
        tour=TOUR,
        panels=panels(),
        columns=2,
        runs=6,
        first=1,
        fast=fast_edge,
    )
