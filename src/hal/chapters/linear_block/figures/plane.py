"""Small figure `linear_block-plane`: a start and a step on a map of the risk; the way down has a corner.

Chapter `linear_block`. Source: arXiv 2402.14951, Theorem 6.3, on the three numbers that training from zero needs.
"""

from typing import Any, NamedTuple

from hal.chapters.linear_block.theory.plane import plane_descent, plane_flow, plane_law, plane_map
from hal.figure import Idea, Path, Say, Slider, landscape
from lib.portable.primitives import Readings, nan, zeros

D = 5  # features
M = 20  # examples
SIGMA = 0.7  # standard deviation of the label noise
SIDE = 25  # points of the map a side
RIGHT = 7.0  # end of the axis of the start
HIGH = 1.4  # end of the axis of the gain
POINTS = 121  # of the flow
END = 60.0
STEPS = 400  # of gradient descent
TITLE = "First the gain, then the start"
HINT = "Drag the ring: where does the way turn?"
TALLEST = 440  # the plane is as high as it is wide
SLIDERS = {
    "norm": Slider("Prior mean ‖β*‖", "no unit", 4.0, (0.0, 6.0), log=False),
    "lr": Slider("Learning rate η", "no unit", 0.02, (0.005, 0.2)),
    "start": Slider("Initial start", "no unit", 0.0, (0.0, 7.0), hidden=True, log=False),
    "gain": Slider("Initial gain", "no unit", 0.0, (0.0, 1.4), hidden=True, log=False),
}


class Chosen(NamedTuple):
    """The prior mean, the learning rate, and where training begins."""

    norm: float
    lr: float
    start: float
    gain: float


def settings(norm: float, lr: float, start: float, gain: float) -> Chosen:
    """The settings of this figure."""
    return Chosen(norm, lr, start, gain)


def scene(settings: Chosen) -> Readings:
    """The logarithm (base 10) of the risk above the best one, with the gain across the mean at its best; the best gain
    for each start (25,); the best point.
    """
    return plane_map(plane_law(D, M, SIGMA, settings.norm), SIDE, RIGHT, HIGH)


def way(settings: Chosen) -> Readings:
    """Gradient flow (121,) and descent (401,) from the chosen place, as far as the picture goes; the flow at times 0.25
    and 5; its largest gain, and how much that is above both ends; the step after which descent is lost, or NaN.
    """
    law, y, top, lost = plane_law(D, M, SIGMA, settings.norm), zeros(3), settings.gain, nan
    x, gain, steps_x, steps_y = zeros(POINTS), zeros(POINTS), zeros(STEPS + 1), zeros(STEPS + 1)
    y[0] = settings.start
    y[1] = settings.gain
    flow, steps = plane_flow(y, law, END, POINTS), plane_descent(y, law, settings.lr, STEPS)
    for k in range(POINTS):
        x[k] = flow[k][0]
        gain[k] = flow[k][1]
        top = max(top, gain[k])
    for k in range(STEPS + 1):
        inside = steps[k][0] >= 0.0 and steps[k][0] <= RIGHT and steps[k][1] >= 0.0 and steps[k][1] <= HIGH
        steps_x[k] = steps[k][0] if inside else nan
        steps_y[k] = steps[k][1] if inside else nan
        if not lost >= 0.0 and steps[k][0] != steps[k][0]:
            lost = float(k)
    ends = max(settings.gain, gain[POINTS - 1])
    return {
        "x": x, "y": gain, "steps_x": steps_x, "steps_y": steps_y, "top": [top], "over": [top - ends], "lost": [lost],
        "soon_x": [x[45]], "soon_y": [gain[45]], "late_x": [x[86]], "late_y": [gain[86]],
    }  # fmt: skip


def picture() -> landscape:
    """The risk with its valley, the flow, and descent."""
    return landscape(
        x="scene.x", y="scene.y", z="scene.z", levels=14, height=270, start=("start", "gain"),
        paths=[Path("way.x", "way.y", "", idea="attention"),
               Path("way.steps_x", "way.steps_y", "descent", idea="rival"),
               Path("scene.x", "scene.valley", "best gain", theory=True)],
        places=[Path("scene.mean", "scene.goal", "best step"), Path("way.soon_x", "way.soon_y", "t ≈ 0.25"),
                Path("way.late_x", "way.late_y", "t ≈ 5")],
        xlabel="start of the step along β* (no unit)", ylabel="gain along β* (no unit)",
        alt="Bands of the risk. From zero the way goes straight up to a bent valley, then along it to the best step.",
    )  # fmt: skip


def say() -> list[Say]:
    """The corner, or what became of descent."""
    return [
        Say("At this learning rate gradient descent leaps across the valley, and is lost after {way.lost} steps.",
            "way.lost >= 0"),
        Say("The gain rises to {way.top:2}, more than the {scene.goal:2} that is best in the end; then the start comes "
            "along the valley.", "way.over > 0.02"),
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
    return float(drawn["way.x"][drawn["way.y"].argmax()] / drawn["scene.mean"][0])
