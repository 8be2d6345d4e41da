"""Small figure `linear_block-plane`: a start and a step on a map of the risk; the way down has a corner.

Chapter `linear_block`. Source: arXiv 2402.14951, Theorem 6.3, on the three numbers that training from zero needs.
"""

from typing import Any, NamedTuple

from hal.chapters.linear_block.theory.plane import plane_descent, plane_law, plane_map
from hal.figure import Idea, Path, Say, Slider, landscape
from lib.portable.primitives import Readings, Vector, nan, zeros

D = 5  # features
M = 20  # examples
SIGMA = 0.7  # standard deviation of the label noise
SIDE = 25  # points of the map a side
RIGHT = 7.0  # end of the axis of the start
HIGH = 1.4  # end of the axis of the gain
LONG = 14.0  # training time at the slower learning rate: there every path has arrived
TITLE = "Start or gain: which moves first?"
HINT = "Drag the ring: where does the path turn?"
TALLEST = 440  # the plane is as high as it is wide
SLIDERS = {
    "start_lr": Slider("Learning rate of the start", "no unit", 0.02, (0.005, 0.2), linked="gain_lr"),
    "gain_lr": Slider("Learning rate of the gain", "no unit", 0.02, (0.005, 0.2)),
    "norm": Slider("Prior mean ‖β*‖", "no unit", 4.0, (0.0, 6.0), hidden=True, log=False),
    "start": Slider("Initial start", "no unit", 0.0, (0.0, 7.0), hidden=True, log=False),
    "gain": Slider("Initial gain", "no unit", 0.0, (0.0, 1.4), hidden=True, log=False),
}


class Chosen(NamedTuple):
    """The learning rates of start and gain, the prior mean, and where training begins."""

    start_lr: float
    gain_lr: float
    norm: float
    start: float
    gain: float


def settings(start_lr: float, gain_lr: float, norm: float, start: float, gain: float) -> Chosen:
    """The settings of this figure."""
    return Chosen(start_lr, gain_lr, norm, start, gain)


def scene(settings: Chosen) -> Readings:
    """The logarithm (base 10) of the risk above the best one, with the gain across the mean at its best; the best gain
    for each start (25,); the best point.
    """
    return plane_map(plane_law(D, M, SIGMA, settings.norm, 1.0), SIDE, RIGHT, HIGH)


def edge_of(x: float, y: float, to_x: float, to_y: float) -> Vector:
    """(2,) where a step from a place in the picture to one outside leaves it."""
    share = 1.0
    if to_x > RIGHT or to_x < 0.0:
        share = min(share, ((RIGHT if to_x > RIGHT else 0.0) - x) / (to_x - x))
    if to_y > HIGH or to_y < 0.0:
        share = min(share, ((HIGH if to_y > HIGH else 0.0) - y) / (to_y - y))
    return [x + share * (to_x - x), y + share * (to_y - y)]


def way(settings: Chosen) -> Readings:
    """Gradient descent (n + 1,) from the chosen place, as far as the picture goes, for longer if it is slow; its
    largest gain, how much it is above both ends, and its place where the start has most of its way to go then; a place
    halfway from there; the step after which descent is lost, or NaN.
    """
    law, y = plane_law(D, M, SIGMA, settings.norm, settings.start_lr / settings.gain_lr), zeros(3)
    top, at, lost, was, n = settings.gain, 0, nan, False, int(LONG / min(settings.start_lr, settings.gain_lr, 0.03))
    x, gain = zeros(n + 1), zeros(n + 1)
    y[0] = settings.start
    y[1] = settings.gain
    steps = plane_descent(y, law, settings.gain_lr, n)
    for k in range(n + 1):
        now = steps[k]
        inside = now[0] >= 0.0 and now[0] <= RIGHT and now[1] >= 0.0 and now[1] <= HIGH
        x[k] = now[0] if inside else nan
        gain[k] = now[1] if inside else nan
        if was and not inside and now[0] == now[0]:
            edge = edge_of(steps[k - 1][0], steps[k - 1][1], now[0], now[1])
            x[k] = edge[0]
            gain[k] = edge[1]
        was = inside
        if now[1] > top:
            top = now[1]
            at = k
        if not lost >= 0.0 and now[0] != now[0]:
            lost = float(k)
    over = top - max(settings.gain, steps[n][1])
    left, mid = abs(x[at] - settings.norm), at  # how far the start has still to go when the gain turns
    turns = over > 0.02 and top <= HIGH and left > max(1.5, 0.5 * abs(settings.start - settings.norm))
    while mid < n and abs(x[mid] - settings.norm) > 0.5 * left:
        mid += 1
    return {
        "x": x, "y": gain, "top": [top], "over": [over], "lost": [lost], "turns": [1.0 if turns else 0.0],
        "turn_x": [x[at] if turns else nan], "turn_y": [top if turns else nan],
        "mid_x": [x[mid] if turns else nan], "mid_y": [gain[mid] if turns else nan],
    }  # fmt: skip


def picture() -> landscape:
    """The risk with its valley, and training on it."""
    return landscape(
        x="scene.x", y="scene.y", z="scene.z", levels=14, height=265, start=("start", "gain"),
        paths=[Path("way.x", "way.y", "", idea="output"), Path("scene.x", "scene.valley", "best gain", theory=True),
               Path("way.x", "way.y", "", idea="output")],
        places=[Path("scene.mean", "scene.goal", "best step"), Path("way.turn_x", "way.turn_y", "first the gain"),
                Path("way.mid_x", "way.mid_y", "then the start")],
        xlabel="start along β* (no unit)", ylabel="gain along β* (no unit)",
        alt="Bands of the risk. From zero the path goes straight up to a bent valley, then along it to the best step.",
    )  # fmt: skip


def say() -> list[Say]:
    """The corner, or what became of descent."""
    return [
        Say("At this learning rate gradient descent diverges after {way.lost} steps.",
            "way.lost >= 0"),
        Say("The gain rises to {way.top:2}, more than the {scene.goal:2} that is best in the end; then the start moves "
            "along the dashed line.", "way.turns == 1"),
        Say("The gain rises to {way.top:2}; {scene.goal:2} is best in the end.", "way.over > 0.02"),
        Say("From here the gain does not overshoot: {scene.goal:2} is best in the end."),
    ]  # fmt: skip


IDEA = Idea(
    "The gain has reached its height before the start has gone a tenth of its way.",
    greater=lambda drawn: 0.1,
    than=lambda drawn: gone(drawn),
    breaks={"norm": 0.3},
)


def gone(drawn: Any) -> float:
    """What part of the way to the mean the start has gone when the gain is highest."""
    return float(drawn["way.turn_x"][0] / drawn["scene.mean"][0])
