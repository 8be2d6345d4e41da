"""Small figure `linear_block-plane`: the block and a bare step on a map of the risk, on their ways in opposite order.

Chapter `linear_block`. Source: arXiv 2402.14951, Theorem 6.3, on the three numbers that training from zero needs; the
block's way is ours, that of the first run of `linear_block-training`.
"""

from typing import Any, NamedTuple

from hal.chapters.linear_block.theory.plane import (
    best_gain,
    best_gains_from,
    plane_descent,
    plane_law,
    plane_map,
    shares,
)
from hal.figure import Idea, Path, Say, Slider, landscape
from lib.models.linear_block.textbook import Settings, start, step
from lib.portable.primitives import Readings, nan, zeros
from lib.portable.vectors import filled

D = 3  # features
M = 20  # examples
SIGMA = 0.5  # standard deviation of the label noise
NORM = 1.5  # of the prior mean
LR = 0.02
SIDE = 25  # points of the map a side
END = 145.0  # of both axes, in percent of the best step
EACH = 5  # steps of the block from one point of its way to the next
PLACES = 400  # of its way, besides the first
STEPS = 700  # of the bare step
TITLE = "Which is first without a product?"
HINT = "Drag the ring: the bare step begins there."
TALLEST = 440  # the plane is as high as it is wide
SLIDERS = {
    "start": Slider("Mean at first", "%", 0.0, (0.0, END), hidden=True, log=False),
    "gain": Slider("Examples at first", "%", 0.0, (0.0, END), hidden=True, log=False),
}


class Chosen(NamedTuple):
    """Where training of the bare step begins, in percent of the best step."""

    start: float
    gain: float


def settings(start: float, gain: float) -> Chosen:
    """The settings of this figure."""
    return Chosen(start, gain)


def scene(settings: Chosen) -> Readings:
    """The logarithm (base 10) of the risk above the best one, with the gain across the mean at its best, over start and
    gain in percent of the best step; that step.
    """
    return plane_map(plane_law(D, M, SIGMA, NORM, 1.0), SIDE, END)


def block(settings: Chosen) -> Readings:
    """The way of the block (n + 1,), from small matrices, and its place when the mean is learned."""
    state = start(Settings(d=D, M=M, sigma=SIGMA, norm=NORM, scale=0.05, lr=LR, adam=0), 0)
    along, x, y = filled(D, 1.0), zeros(PLACES + 1), zeros(PLACES + 1)
    best, far = best_gain(state.law, along), 0
    for k in range(PLACES + 1):
        share = shares(state, along, best)
        x[k] = max(100.0 * share[0], 0.0)
        y[k] = max(100.0 * share[1], 0.0)
        far = k if far == 0 and x[k] > 99.0 else far
        for _ in range(EACH):
            step(state)
    return {"x": x, "y": y, "far_x": [x[far]], "far_y": [y[far]]}


def way(settings: Chosen) -> Readings:
    """Gradient descent (n + 1,) of the bare step from the chosen place, in percent of the best step; start and gain
    where the gain has its end, or NaN if the start is half learned there.
    """
    x, gain, y, at, law = zeros(STEPS + 1), zeros(STEPS + 1), zeros(3), -1, plane_law(D, M, SIGMA, NORM, 1.0)
    best = best_gains_from(NORM, law)
    y[0] = 0.01 * settings.start * NORM
    y[1] = 0.01 * settings.gain * best[0]
    steps = plane_descent(y, law, LR, STEPS)
    for k in range(STEPS + 1):
        x[k] = 100.0 * steps[k][0] / NORM
        gain[k] = 100.0 * steps[k][1] / best[0]
        at = k if at < 0 and gain[k] >= 99.0 else at
    turns = at > 0 and x[at] < 50.0
    return {
        "x": x, "y": gain, "at": [x[at] if turns else nan], "top": [gain[at] if turns else nan]
    }  # fmt: skip


def picture() -> landscape:
    """The risk, and both ways on it."""
    return landscape(
        x="scene.x", y="scene.y", z="scene.z", levels=14, height=290, start=("start", "gain"),
        paths=[Path("way.x", "way.y", "", idea="rival"),
               Path("block.x", "block.y", "", idea="attention")],
        places=[Path("scene.best", "scene.best", "both learned"),
                Path("way.at", "way.top", "no product: examples first"),
                Path("block.far_x", "block.far_y", "six matrices: mean first")],
        xlabel="mean learned (%)", ylabel="examples learned (%)",
        alt="From zero the bare step goes straight up, then right to the best step. The block goes right, then up.",
    )  # fmt: skip


def say() -> list[Say]:
    """How much of the mean is learned when the bare step has learned to use the examples."""
    return [Say("When the bare step has learned to use the examples, it has learned {way.at:0}% of the mean.",
                "way.at >= 0"),
            Say("From here the bare step goes to the same place.")]  # fmt: skip


IDEA = Idea(
    "When the start is half learned, the gain of the bare step is large, and that of the block is not.",
    greater=lambda drawn: half_way(drawn, "way.x", "way.y"),
    than=lambda drawn: 80.0 + half_way(drawn, "block.x", "block.y"),
    breaks={"start": 70.0},
)


def half_way(drawn: Any, start: str, gain: str) -> float:
    """The gain when the start first is half of the mean."""
    return float(drawn[gain][(drawn[start] > 50.0).argmax()])
