"""Figure `random_walk-parity`: random starts on even and odd circles, where they lean to and where they end.

Chapter `random_walk`. Source: arXiv 2511.23239, random initialisation, in our reading of its learning rate; the
criterion is ours.
"""

from typing import Any

from hal.chapters.random_walk.figures._shared import TABLE, attention_by_lag
from hal.chapters.random_walk.runs.fast import fast_parity
from hal.explorer import Line, Say, Step, over_steps, sliders, waiting
from lib.models.random_walk import textbook_parity
from lib.models.random_walk.textbook_measures import LAGS, sixtieths
from lib.models.random_walk.textbook_task import LOG, Settings
from lib.portable.primitives import Readings, Vector, floor, nan, remainder
from lib.portable.vectors import filled, numbered
from lib.theory.random_walk.portable import best_accuracy, lag_accuracy

M = 1000
STEPS = 300
RATE = 10.0  # on the mean over the walks, tokens of length 1
FEWEST = 60
WORK = 3e6  # tokens that a run reads; it ends where they are spent, after FEWEST steps at the earliest
TITLE, RUN, FAST, COLUMNS, RUNS, FIRST = "The parity trap", textbook_parity, fast_parity, 2, 8, 2
DEAR = "Each of eight runs reads three million tokens: they come one after the other."
SLIDERS = sliders(TABLE, K=(6, 3, 12), N=(49, 25, 97), p=(0.5, 0.3, 0.7), n=(200, 50, 1000), sigma=(0.01, 1e-5, 0.03))
SIGHT = ("K", "p", "sigma")


def settings(K: int, N: int, p: float, n: int, sigma: float) -> Settings:
    """A random start with tokens of length 1, as many steps as a page can take."""
    steps = floor(WORK / float(n * N))
    return Settings(K, N, p, M, n, RATE, max(FEWEST, min(STEPS, steps)), 0.1, LOG, sigma, 1)


def laws(settings: Settings) -> Readings:
    """Lags, what the parent and the grandparent would give, the difference in per cent; 1 for an even circle."""
    parent, grandparent = best_accuracy(settings.p), lag_accuracy(settings.K, settings.p, 2)
    count = len(sixtieths(settings.steps))
    return {
        "lags": numbered(LAGS), "best": filled(count, parent), "two": filled(count, grandparent),
        "steps": [float(settings.steps)],
        "even": [1.0 if remainder(settings.K, 2) == 0 else 0.0], "K": [float(settings.K)],
        "gap": [100.0 * (parent - grandparent)],
    }  # fmt: skip


def outcome(divergence: Vector, lag: Vector, odd: Vector, leaning: Vector) -> Readings:
    """Of one run, at its end: whether lag 1 is read most, whether even or odd lags have half of the attention more than
    the others, and whether the start leaned there, 1 for yes; its divergence in nats if one of them has.
    """
    last = len(odd) - 1
    even, turned = odd[last] < -0.5, odd[last] > 0.5
    told = (even and leaning[0] < 0.0) or (turned and leaning[0] > 0.0)
    return {
        "near": [1.0 if lag[last] == 1.0 else 0.0],
        "even": [1.0 if even else 0.0], "odd": [1.0 if turned else 0.0], "told": [1.0 if told else 0.0],
        "nats_even": [divergence[last] if even else nan], "nats_odd": [divergence[last] if turned else nan],
    }  # fmt: skip


def panels() -> list[Any]:
    """The balance of attention, attention by lag, right answers, divergence."""
    odd = Line("odd", "each run", idea="attention", each=True)
    right = [
        Line("accuracy", "each run", idea="fit", each=True), Line("laws.best", "from the parent", theory=True),
        Line("laws.two", "from the grandparent", theory=True, dash=(2, 2)),
    ]  # fmt: skip
    apart = Line("divergence", "each run", idea="bound", each=True)
    return [
        over_steps("Odd lags against even lags", "attention, odd − even (share)", odd, ylim=(-1.05, 1.05), height=210),
        attention_by_lag(210),
        over_steps("Right answers", "accuracy on its walks (share)", *right, ylim=(0, 1.02), height=170),
        over_steps("Divergence from the truth", "KL divergence (nats)", apart, ylim=(0, 2), height=170),
    ]


MEDIAN = "divergence"
READING = [
    [
        *waiting("a smaller start may help"),
        Say("K = {laws.K} is odd, lags have no parity: {sum.near} of {runs} runs read the parent most.",
            "laws.even == 0"),
        Say("In {laws.steps} steps {sum.even} of {runs} starts have turned to even lags, the wrong ones, and {sum.odd} "
            "to odd ones; the projection of the start told {sum.told} of these."),
    ],
    [
        Say("From the grandparent alone one is right as often as from the parent here.", "laws.gap < 0.01",
            "laws.even >= 1"),
    ],
    [Say("The middle divergence is {nats_even:2} nats for even lags, {nats_odd:2} for odd ones.", "laws.even == 1")],
]  # fmt: skip
TOUR = [
    Step("On a circle of 6 nodes every step changes the parity of the node. From a random start attention goes to odd "
         "lags or to even ones.", point="Odd lags against even lags"),
    Step(Say("The start decides. {sum.even} runs have turned to even lags, {sum.odd} to odd ones, and one projection "
             "of the start told {sum.told} of them."),
         "The start decides: one projection of it says which way.", point="Odd lags against even lags"),
    Step("Runs on even lags are not much worse: the grandparent, lag 2, alone would be right in half of the cases, as "
         "the target is often where it was.", point="Right answers"),
    Step(Say("The divergence tells the two apart.", "nats_even > nats_odd"),
         "The divergence tells more.", point="Divergence from the truth"),
    Step("On a circle of 5 nodes there is no parity.", K=5, point="Which ancestor is read"),
]  # fmt: skip
