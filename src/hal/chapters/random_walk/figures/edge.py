"""Figure `random_walk-edge`: on the deterministic walk any difference, were it the last digit, grows tenfold a step.

Chapter `random_walk`. Source: arXiv 2511.23239, theorem on p = 0 and 1; that its state is unstable is ours.
"""

from typing import Any

from hal.chapters.random_walk.figures._shared import TABLE
from hal.chapters.random_walk.models import rounded
from hal.chapters.random_walk.models.measures import always_right
from hal.chapters.random_walk.models.rounded import Edge, moved_at
from hal.chapters.random_walk.theory.edge import edge_begin, edge_law, first_above, mean_growth
from hal.figure import Lift, Line, Mark, Say, Spot, Step, bars, over_steps, sliders, waiting
from lib.portable.primitives import Readings, Vector, nan, remainder
from lib.portable.vectors import filled, largest, numbered
from lib.theory.random_walk.portable import on_ridge

M = 1000  # length of the positional vectors
STEPS = 28
SAMPLE = 100  # walks, where their sums are to be rounded
ROUNDING = 1  # what pushes a run
PUSH = 3
LOW = 1e-13  # from here on growth is measured
HIGH = 0.1  # and up to here
SPOTS = [
    Spot("laws.half", "laws.halfway", [Say("× {laws.grows:0} a step")], late=True),
    Spot("laws.start", "laws.digit", [Say("rounding error, about 10⁻¹⁵", "seen > 0.5", "seen < 2"),
                                      Say("no rounding error", "exact == 1"), Say("rounding error")]),
    Spot("laws.start", "laws.begin", [Say("← drag to push harder")]),
]  # fmt: skip
EDGE, STRIP = "How far apart the positions are (dashed: theory)", "How much the layer looks at each position"
TITLE, RUN, COLUMNS, RUNS, PRECOMPUTED_RUNS = "Does a rounding error matter?", rounded, 1, 1, 1
OPENS, PRIMARY_SLIDERS = 0.5, ("push",)  # the difference has grown, attention has not moved
SLIDERS = sliders(TABLE, push=1, size=1e-9, places=(96, 8, 144), K=(6, 3, 12), lr=(1.0, 0.3, 3.0))


def settings(push: int, size: float, places: int, K: int, lr: float) -> Edge:
    """Clockwise walks from zero: all K, or a sample whose sums begin elsewhere for each place."""
    mixed, size = 1 if push == ROUNDING else 0, size if push == PUSH else 0.0
    return Edge(K=K, N=places + 1, M=M, n=SAMPLE * mixed, mixed=mixed, lr=lr, steps=STEPS, push=size)


def laws(settings: Edge) -> Readings:
    """Places; the distance by theory, that at which attention moves, and when; cases and sizes."""
    K, N, lr, steps = settings.K, settings.N, settings.lr, settings.steps
    ridge, still = on_ridge(K, N), settings.n == 0 and settings.push <= 0.0
    path = filled(steps + 1, nan)
    begin, unit, level = edge_begin(K, N, M, settings.push, settings.n > 0)
    if ridge and not still:
        path = edge_law(K, N, M, lr, steps, settings.epsilon, settings.push)
    return {
        "places": numbered(N - 1), "path": path, "level": filled(steps + 1, level), "begin": [begin], "unit": [unit],
        "start": [3.0], "digit": [3e-17 if ridge and settings.n > 0 else nan], "half": [first_above(path, 1e-8)],
        "halfway": [1e-6 if settings.push < 1e-9 else nan], 
        "zero": filled(steps + 1, begin if still else nan), "ridge": [1.0 if ridge else 0.0], "K": [float(K)],
        "still": [1.0 if still else 0.0], "rest": [float(remainder(N - 1, K))], "r": [float((N - 1) // K)],
        "last": [float(steps)], "moved": [first_above(path, level)], "grows": [mean_growth(path, LOW, HIGH)],
    }  # fmt: skip


def run_metrics(steps: Vector, accuracy: Vector, distance: Vector, attention: Vector) -> Readings:
    """Of one run: the steps from which on it is always right, and at which attention moves, or NaN; growth a step while
    the distance is small; right answers in per cent; the distance after the
    third step, in 10⁻¹⁵.
    """
    right = always_right(steps, accuracy)
    return {
        "first": [right], "never": [1.0 if right != right else 0.0], "moved": [moved_at(steps, attention)],
        "grows": [mean_growth(distance, LOW, HIGH)],
        "right": [100.0 * accuracy[len(steps) - 1]],
        "exact": [1.0 if largest(distance) <= 0.0 else 0.0], "seen": [1e15 * distance[3]],
    }  # fmt: skip


def panels() -> list[Any]:
    """The distance over time, and attention on all places."""
    apart = [
        Line("distance", "the layer", idea="output"), Line("laws.path", "theory", theory=True),
        Line("laws.zero", "zero, below this scale", theory=True, dash=(1, 0)),
    ]  # fmt: skip
    return [
        over_steps(EDGE, "difference (no unit)", *apart, ylog=True, ylim=(1e-17, 1e4),
                   marks=[Mark("moved", "attention moves")], height=220, wide=True, spots=SPOTS,
                   lift=Lift("size", "laws.begin", "laws.unit", {"push": PUSH})),
        bars("laws.places", [Line("attention", "attention", idea="attention")], frames=True, title=STRIP, height=110,
             xlabel="position, the parent last (positions)", ylabel="attention (share)", ylim=(0, None), wide=True),
    ]  # fmt: skip


ON = "laws.ridge == 1"
READING = [
    [Say("{laws.r} rounds of {laws.K} nodes and {laws.rest} over: some nodes come once more, so there is no edge.",
         "laws.ridge == 0")],
    [
        *waiting(),
        Say("The answers are all right from step {first:0} on.", "laws.ridge == 0", "never == 0"),
        Say("After {laws.last} steps {right:0}% of the answers are right.", "laws.ridge == 0"),
        Say("Equal numbers stay exactly equal: 1 answer in {laws.K} is right.", "laws.still == 1"),
        Say("Here no sum depends on its order: nothing moves.", "exact == 1"),
        Say("The difference grows {grows:1}-fold per step (theory: {laws.grows:1})."),
    ],
    [Say("Attention moves at step {moved:0} (theory: {laws.moved:0}).", ON),
     Say("Attention moves at step {moved:0}.", ON),
     Say("Attention has not moved after {laws.last} steps.", ON, "exact == 0")],
    [Say("All answers are right from step {first:0} on, before it moves.", ON, "first < moved")],
    [Say("Some answers are still wrong.", ON, "laws.still == 0", "never == 1")],
]  # fmt: skip
TOUR = [
    Step("Nothing pushes: all numbers stay exactly equal, and nothing is learned.", push=0, point=EDGE),
    Step("Now the sum over a hundred walks begins at another walk for each position. The last digits differ, but "
         "attention does not visibly change.", time=8, point=STRIP),
    Step(Say("But the difference grows {grows:0}-fold per step, at the slope that theory predicts."),
         "But the difference grows, at the slope that theory predicts.", time=14, point=EDGE),
    Step("Within two steps all attention goes to one position in six, none of them special.", time=18, point=STRIP),
]  # fmt: skip
