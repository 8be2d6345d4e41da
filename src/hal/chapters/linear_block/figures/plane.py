"""Small figure `linear_block-plane`: the block and a bare step on a map of the risk, on their ways in opposite order.

Chapter `linear_block`. Source: arXiv 2402.14951, Theorem 6.3, on the three numbers that training from zero needs; the
block's way is ours, that of the first run of `linear_block-training`.
"""

from typing import Any, NamedTuple

from hal.chapters.linear_block.theory.plane import best_gain, plane_descent, plane_law, plane_map, shares
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
RIGHT = 2.2  # end of the axis of the start
HIGH = 1.2  # end of the axis of the gain
EACH = 5  # steps of the block from one point of its way to the next
PLACES = 400  # of its way, besides the first
STEPS = 700  # of the bare step
TITLE = "Start or gain: which comes first?"
HINT = "Drag the ring: the bare step begins there."
TALLEST = 440  # the plane is as high as it is wide
SLIDERS = {
    "start": Slider("Initial start", "no unit", 0.0, (0.0, RIGHT), hidden=True, log=False),
    "gain": Slider("Initial gain", "no unit", 0.0, (0.0, HIGH), hidden=True, log=False),
}


class Chosen(NamedTuple):
    """Where training of the bare step begins."""

    start: float
    gain: float


def settings(start: float, gain: float) -> Chosen:
    """The settings of this figure."""
    return Chosen(start, gain)


def scene(settings: Chosen) -> Readings:
    """The logarithm (base 10) of the risk above the best one, with the gain across the mean at its best; the best
    point.
    """
    return plane_map(plane_law(D, M, SIGMA, NORM, 1.0), SIDE, RIGHT, HIGH)


def block(settings: Chosen) -> Readings:
    """The way of the block (n + 1,), from small matrices, and its place when the mean is learned."""
    state = start(Settings(d=D, M=M, sigma=SIGMA, norm=NORM, scale=0.05, lr=LR, adam=0), 0)
    along, x, y = filled(D, 1.0), zeros(PLACES + 1), zeros(PLACES + 1)
    best, far = best_gain(state.law, along), 0
    for k in range(PLACES + 1):
        share = shares(state, along, best)
        x[k] = max(share[0] * NORM, 0.0)
        y[k] = max(share[1] * best, 0.0)
        far = k if far == 0 and x[k] > 0.99 * NORM else far
        for _ in range(EACH):
            step(state)
    return {"x": x, "y": y, "far_x": [x[far]], "far_y": [y[far]]}


def way(settings: Chosen) -> Readings:
    """Gradient descent (n + 1,) of the bare step from the chosen place; its largest gain, and its start there, or NaN
    where that is near its end.
    """
    x, gain, y, top = zeros(STEPS + 1), zeros(STEPS + 1), zeros(3), 0
    y[0] = settings.start
    y[1] = settings.gain
    steps = plane_descent(y, plane_law(D, M, SIGMA, NORM, 1.0), LR, STEPS)
    for k in range(STEPS + 1):
        x[k] = steps[k][0]
        gain[k] = steps[k][1]
        top = k if gain[k] > gain[top] else top
    turns = top > 0 and x[top] < 0.5 * NORM
    return {"x": x, "y": gain, "top": [gain[top]], "at": [x[top] if turns else nan]}


def picture() -> landscape:
    """The risk, and both ways on it."""
    return landscape(
        x="scene.x", y="scene.y", z="scene.z", levels=14, height=290, start=("start", "gain"),
        paths=[Path("way.x", "way.y", "", idea="rival"),
               Path("block.x", "block.y", "", idea="attention")],
        places=[Path("scene.mean", "scene.goal", "best step"), Path("way.at", "way.top", "bare step: first the gain"),
                Path("block.far_x", "block.far_y", "block: first the start")],
        xlabel="start along β* (no unit)", ylabel="gain along β* (no unit)",
        alt="From zero the bare step goes straight up, then right to the best step. The block goes right, then up.",
    )  # fmt: skip


def say() -> list[Say]:
    """How high the gain of the bare step gets."""
    return [Say("The gain of the bare step rises to {way.top:2} and ends at {scene.goal:2}.", "way.top > scene.goal"),
            Say("The gain of the bare step ends at {scene.goal:2}.")]  # fmt: skip


IDEA = Idea(
    "When the start is half learned, the gain of the bare step is large, and that of the block is not.",
    greater=lambda drawn: half_way(drawn, "way.x", "way.y"),
    than=lambda drawn: 0.7 + half_way(drawn, "block.x", "block.y"),
    breaks={"start": 1.0},
)


def half_way(drawn: Any, start: str, gain: str) -> float:
    """The gain when the start first is half of the mean."""
    return float(drawn[gain][(drawn[start] > 0.5 * NORM).argmax()])
