"""Figure `random_walk-edge`: the deterministic walk, where the theorem's failure is a knife edge.

Chapter `random_walk`. Source: arXiv 2511.23239, theorem on p = 0 and 1, and its random initialisation; the law of the
escape is ours, one constant in it is measured; so is what rounding does. On all K walks there are, or on a sample.
"""

from typing import Any

from hal.chapters.random_walk.figures._shared import TABLE, attention_by_lag
from hal.chapters.random_walk.runs.fast import fast_edge
from hal.explorer import Line, Mark, Say, Step, lines, over_steps, sliders, waiting
from lib.models.random_walk import textbook_edge
from lib.models.random_walk.textbook_edge import Edge
from lib.models.random_walk.textbook_measures import LAGS, always_right
from lib.models.random_walk.textbook_task import LOG
from lib.portable.primitives import Readings, Vector, nan, remainder, zeros
from lib.portable.vectors import numbered
from lib.theory.random_walk.portable import escape_curve, escape_exponent, escape_step, on_ridge

M = 1000  # length of the positional vectors
FEW = 40  # steps from zero
SAMPLE = 100  # walks of a sample
LONGEST = 1000  # steps from a random start
RATE = 10.0  # learning rate of random starts, with tokens of length 1
TITLE, RUN, FAST, COLUMNS, RUNS, FIRST = "On the knife edge", textbook_edge, fast_edge, 2, 6, 1
SLIDERS = sliders(TABLE, K=(6, 3, 12), N=(97, 9, 145), random=0, sigma=0.01, walks=0, mixed=0, bits=64)
SIGHT = ("N", "random", "sigma")


def settings(K: int, N: int, random: int, sigma: float, walks: int, mixed: int, bits: int) -> Edge:
    """Clockwise walks, all K or a sample, from zero at learning rate 1 or from a random start."""
    n, steps = SAMPLE if walks == 1 else 0, LONGEST if walks == 0 else LONGEST // 5
    if random == 1:
        return Edge(K, N, M, n, mixed, bits, RATE, steps, 0.1, LOG, sigma, 1)
    return Edge(K, N, M, n, mixed, bits, 1.0, FEW, 0.1, LOG, 0.0, 0)


def laws(settings: Edge) -> Readings:
    """Lags; cases and sizes; the law's step of the first right answers, here and over the start's size."""
    K, N = settings.K, settings.N
    ridge, random = on_ridge(K, N), settings.sigma > 0.0
    exponent = escape_exponent(K, N, M, RATE, LONGEST, settings.epsilon) if ridge else zeros(0)  # else there is no law
    sigma, steps = escape_curve(exponent, K, 30)
    return {
        "lags": numbered(LAGS), "sigma": sigma, "steps": steps, "last": [float(settings.steps)],
        "ridge": [1.0 if ridge else 0.0], "random": [1.0 if random else 0.0], "rest": [float(remainder(N - 1, K))],
        "r": [float((N - 1) // K)], "K": [float(K)], "N": [float(N)], "now": [settings.sigma if random else nan],
        "sample": [1.0 if settings.n > 0 else 0.0], "mixed": [float(settings.mixed)], "bits": [float(settings.bits)],
        "rough": [1.0 if settings.mixed == 1 or settings.bits == 32 else 0.0],
        "escape": [escape_step(exponent, K, settings.sigma) if random and settings.n == 0 else nan],
    }  # fmt: skip


def outcome(steps: Vector, accuracy: Vector, by_lag: Vector) -> Readings:
    """Of one run: the step at which it is always right, or NaN; accuracy and the parent's attention at its end."""
    first, last = always_right(steps, accuracy), len(accuracy) - 1
    return {
        "first": [first], "right": [100.0 * accuracy[last]], "never": [1.0 if first != first else 0.0],
        "on_parent": [by_lag[last * LAGS]],
    }  # fmt: skip


def panels() -> list[Any]:
    """Right answers, attention by lag, divergence, and the law's escape time over the start's size."""
    marks = [Mark("laws.escape", "law of the escape")]
    right = Line("accuracy", "on its walks", idea="fit", each=True)
    apart = Line("divergence", "output against the next node", idea="bound", each=True)
    law = [Line("laws.steps", "law of the escape, N = rK + 1", theory=True)]
    return [
        over_steps("Right answers", "accuracy (share)", right, ylim=(0, 1.05), height=210, marks=marks),
        attention_by_lag(210, None),
        over_steps("Divergence from the truth", "KL divergence (nats)", apart, ylog=True, yswitch=True, height=170,
                   ylim=(0.01, 10), marks=marks),
        lines("laws.sigma", law, xlabel="deviation σ of the start (no unit)", ylabel="first right answers (steps)",
              title="How long the edge holds", xlog=True, yswitch=True, ylim=(0, 1000), height=170,
              marks=[Mark("laws.now", "this start")]),
    ]  # fmt: skip


STILL = "laws.ridge == 1", "laws.random == 0"  # on the edge, from zero
MEDIAN = "loss"
READING = [
    [Say("N − 1 = {laws.r}·K: every walk visits every node {laws.r} times.", "laws.ridge == 1"),
     Say("N − 1 = {laws.r}·K + {laws.rest}: the walks visit some nodes once more than others.")],
    [
        *waiting("a smaller start may help"),
        Say("From zero nothing moves apart: after {laws.last} steps one answer in {laws.K} is right, {right:1} %.",
            *STILL, "laws.sample == 0"),
        Say("From zero nothing moves apart: after {laws.last} steps all walks get one answer, right in {right:0} %.",
            *STILL, "laws.mixed == 0"),
        Say("Rounding alone is enough: of the runs that leave the middle one is right from step {first:0} on.", *STILL),
        Say("Of the runs that leave the middle one is right by step {first:0}; the law says step {laws.escape:0}.",
            "laws.ridge == 1"),
        Say("The middle run is right by step {first:0}, and from there on.", "sum.never == 0"),
        Say("After {laws.last} steps {right:0} % of the answers are right."),
    ],
    [
        Say("All terms of a sum are equal here, so neither their order nor their precision matters.", *STILL,
            "laws.sample == 0", "laws.rough == 1"),
        Say("In one order equal numbers stay equal to the last bit, in numbers of {laws.bits} bits.", *STILL,
            "laws.sample == 1", "laws.mixed == 0"),
    ],
    [Say("{sum.never} of {runs} runs have not left yet.", "sum.never >= 1", "laws.random >= 1", "laws.ridge >= 1"),
     Say("The parent has {on_parent:2} of the attention.", "laws.random == 1", "on_parent >= 0.005"),
     Say("The parent has less than 0.01 of the attention.", "laws.random == 1")],
]  # fmt: skip
TOUR = [
    Step("A walk that goes clockwise and nothing else. N − 1 is a multiple of K, all starts at zero: nothing happens.",
         point="Right answers"),
    Step("One node more, and one step is enough to be always right.", N=98, point="Right answers"),
    Step("One node less: the same.", N=96, point="Right answers"),
    Step("Back on the edge, from zero. A hundred walks are drawn, and sums begin at another walk for each place: the "
         "last digits differ, and that alone is enough.", walks=1, mixed=1, point="Right answers"),
    Step(Say("Back on the edge, with a start of deviation 0.01. The law says: right from step {laws.escape:0} on."),
         "Back on the edge, with a random start of deviation 0.01.", random=1, sigma=0.01, point="Right answers"),
    Step("A start ten thousand times smaller still leaves, only later: the edge is no place to stay.", random=1,
         sigma=1e-6, point="How long the edge holds"),
    Step("It is always right, and it does not read the parent: any place with a fixed distance to the target will do.",
         random=1, sigma=0.01, time=1000, point="Which ancestor is read"),
]  # fmt: skip
