"""Figure `random_walk-escape`: how long a random start stays on the knife edge, among recorded sizes and starts.

Chapter `random_walk`. Source: ours, beyond arXiv 2511.23239, whose random initialisations have one size.
"""

from typing import Any

from hal.chapters.random_walk.figures._edge_record import recorded
from hal.chapters.random_walk.figures._shared import TABLE
from hal.chapters.random_walk.models import rounded
from hal.chapters.random_walk.models.measures import always_right
from hal.chapters.random_walk.models.rounded import Edge, moved_at
from hal.chapters.random_walk.theory.escape import between, escape_clock, escape_depth, escape_step
from hal.figure import Line, Say, Step, cloud, over_steps, sliders, waiting
from lib.models.random_walk.textbook import records
from lib.portable.numbers import exp
from lib.portable.primitives import Readings, Vector, divide, floor, nan, sqrt, zeros

M = 1000  # length of the positional vectors
RATE = 10.0  # learning rate
EPSILON = 0.1  # offset of the loss
MOST = 20000  # steps, more than any setting needs
LONGER = 1.5  # times as long as theory says that attention stays
SAME, GROWS = "Measured against theory", "Differences grow out of the start"
TITLE, RUN, COLUMNS, RUNS, PRECOMPUTED_RUNS = "The smaller the start, the longer the wait", rounded, 2, 12, 2
SLIDERS = sliders(TABLE, sigma=(1e-4, 1e-10, 1e-1), K=(6, 3, 8), r=16)
SLOW_REASON = "A small start on long walks takes thousands of steps, so the first run may take a second."


def settings(sigma: float, K: int, r: int) -> Edge:
    """The deterministic walk of r rounds from a random start, half as long again as theory says."""
    told = escape_step(K, r * K + 1, M, RATE, sigma, MOST, EPSILON)
    return Edge(K=K, N=r * K + 1, M=M, lr=RATE, steps=floor(LONGER * told) + 30, epsilon=EPSILON, sigma=sigma, unit=1)


def laws(settings: Edge) -> Readings:
    """What grows of the start by theory, at each record, as a distance; the step at which attention moves; a diagonal;
    the last step.
    """
    K, N, sigma, steps = settings.K, settings.N, settings.sigma, settings.steps
    clock, at, rho = escape_clock(K, N, M, settings.lr, steps, settings.epsilon), records(steps), 0.5 * float(M + 1)
    path, depth = zeros(len(at)), escape_depth(K, N, sigma)
    unit = 1.1 * sqrt(rho * sqrt(float(N - 1)) / float(K))  # of a nat in all, as a distance: times that of the values
    for i in range(len(at)):
        far = clock[floor(at[i] + 0.5)] - depth
        path[i] = unit * exp(far) if far <= 1.0 else nan
    told = escape_step(K, N, M, settings.lr, sigma, steps, settings.epsilon)
    return {"path": path, "told": [told], "ends": [10.0, 10000.0], "last": [float(steps)]}


def run_metrics(steps: Vector, accuracy: Vector, attention: Vector) -> Readings:
    """Of one run: the step at which attention moves, or NaN, its square, and 1 if it has; from when on it is right."""
    moved = between(steps, moved_at(steps, attention))
    there = 1.0 if moved == moved else 0.0
    return {"moved": [moved], "square": [moved * moved], "there": [there],
            "right": [between(steps, always_right(steps, accuracy))]}  # fmt: skip


def summary(sum_moved: float, sum_square: float, sum_there: float, runs: float, laws_told: float) -> Readings:
    """The mean step at which attention moves, its 95 % interval from three runs on, what it is over theory's in per
    cent; the runs in which attention has not moved.
    """
    mean, half = divide(sum_moved, sum_there), nan
    if sum_there >= 3.0:
        rest = sum_there - 1.0
        # the quantile of Student's t, within 6 % for three runs and 1 % from four on
        quantile = 1.96 + 2.4 / rest + 3.6 / (rest * rest)
        half = quantile * sqrt(max(sum_square / sum_there - mean * mean, 0.0) / rest)
    return {
        "mean": [mean], "low": [max(mean - half, 1.0)], "high": [mean + half], "over": [100.0 * mean / laws_told],
        "still": [runs - sum_there],
    }  # fmt: skip


def panels() -> list[Any]:
    """The distance from the edge over time, and the present setting among the recorded ones."""
    apart = [Line("distance", "each run", idea="output", each=True), Line("laws.path", "theory", theory=True)]
    return [
        over_steps(GROWS, "distance from the edge (no unit)", *apart, ylog=True, ylim=(1e-10, 1000), height=330),
        cloud("laws.told", "summary.mean", low="summary.low", high="summary.high", recorded=recorded(),
              curve=("laws.ends", "laws.ends", "as theory says"), label="these runs, with a 95% interval",
              recorded_label="24 recorded runs elsewhere: click to go there", idea="attention",
              xlabel="attention moves, by theory (steps)", ylabel="attention moves, measured (steps)", title=SAME,
              xlog=True, ylog=True, xlim=(10, 10000), ylim=(10, 10000), height=330),
    ]  # fmt: skip


READING = [
    [
        *waiting(),
        Say("In none of {runs} runs has attention moved after {laws.last} steps; theory says {laws.told:0}.",
            "sum.there == 0"),
        Say("Attention moves at step {summary.mean:0} ({summary.low:0} to {summary.high:0} with 95% confidence); "
            "theory says {laws.told:0}.", "sum.there >= 3"),
        Say("Attention moves at step {summary.mean:0}; theory says {laws.told:0}."),
    ],
    [Say("In {summary.still} of {runs} runs it has not moved after {laws.last} steps.", "sum.there >= 1",
         "summary.still >= 1")],
    [Say("The answers are all right from step {right:0} on, before it has moved.", "right < moved")],
]  # fmt: skip
TOUR = [
    Step("Every number starts at random, near zero. For long attention shows nothing.", point=GROWS, time=80),
    Step("But small differences grow, at the slope that theory predicts, and then attention moves.", point=GROWS),
    Step(Say("A start a thousand times smaller: theory says {laws.told:0} steps."), "A start a thousand times smaller.",
         sigma=1e-7, point="sigma"),
    Step(Say("Four rounds in place of sixteen: theory says {laws.told:0} steps."), "Four rounds in place of sixteen.",
         r=4, point="r"),
    Step("Four sizes of circle and walk, ten sizes of start: the recorded points lie near the line.", point=SAME),
]  # fmt: skip
