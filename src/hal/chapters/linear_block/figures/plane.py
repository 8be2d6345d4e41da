"""Small figure `linear_block-plane`: a start and a step on a map of the risk; the way down has a corner.

Chapter `linear_block`. Source: arXiv 2402.14951, Theorem 6.3, on the three numbers that training from zero needs.
"""

from typing import Any, NamedTuple

from hal.chapters.linear_block.theory.plane import plane_descent, plane_flow, plane_law, plane_map
from hal.figure import Idea, Path, Say, Slider, grid, landscape
from lib.portable.primitives import Readings, Vector, nan, zeros

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


def cells_of(y: Vector) -> Vector:
    """((d + 1) d,) start and matrix of three numbers, for a mean of equal entries: beta, then Gamma row by row."""
    cells, beside = zeros((D + 1) * D), (y[1] - y[2]) / float(D)
    for i in range(D):
        cells[i] = y[0] / 2.23606797749979
        for j in range(D):
            cells[D + D * i + j] = beside + (y[2] if i == j else 0.0)
    return cells


def way(settings: Chosen) -> Readings:
    """Gradient flow (121,) and descent (401,) from the chosen place, as far as the picture goes; the flow at time
    0.25; its largest gain, and how much that is above both ends; the step after which descent is lost, or NaN; beta and
    Gamma, cell by cell, where the gain is largest and at the end.
    """
    law, y = plane_law(D, M, SIGMA, settings.norm, settings.start_lr / settings.gain_lr), zeros(3)
    top, lost, corner = settings.gain, nan, 0
    x, gain, steps_x, steps_y = zeros(POINTS), zeros(POINTS), zeros(STEPS + 1), zeros(STEPS + 1)
    y[0] = settings.start
    y[1] = settings.gain
    flow, steps = plane_flow(y, law, END, POINTS), plane_descent(y, law, settings.gain_lr, STEPS)
    for k in range(POINTS):
        x[k] = flow[k][0]
        gain[k] = flow[k][1]
        if gain[k] > top:
            top = gain[k]
            corner = k
    for k in range(STEPS + 1):
        inside = steps[k][0] >= 0.0 and steps[k][0] <= RIGHT and steps[k][1] >= 0.0 and steps[k][1] <= HIGH
        steps_x[k] = steps[k][0] if inside else nan
        steps_y[k] = steps[k][1] if inside else nan
        if not lost >= 0.0 and steps[k][0] != steps[k][0]:
            lost = float(k)
    ends = max(settings.gain, gain[POINTS - 1])
    return {
        "x": x, "y": gain, "steps_x": steps_x, "steps_y": steps_y, "top": [top], "over": [top - ends], "lost": [lost],
        "soon_x": [x[45]], "soon_y": [gain[45]],
        "corner": cells_of(flow[corner]), "end": cells_of(flow[POINTS - 1]),
    }  # fmt: skip


def picture() -> tuple[landscape, grid, grid]:
    """The risk with its valley, the flow, and descent; start and gain, cell by cell, at the corner and at the end."""

    def cells(name: str, are: str, alt: str) -> grid:
        return grid(cells=name, rows=D + 1, columns=D, row_names=("β", *["Γ"] * D), largest=2.0, digits=1,
                    idea="output", columns_are=are, alt=alt, height=118)  # fmt: skip

    plane = landscape(
        x="scene.x", y="scene.y", z="scene.z", levels=14, height=265, start=("start", "gain"),
        paths=[Path("way.x", "way.y", "", idea="output"), Path("way.steps_x", "way.steps_y", "descent", idea="rival"),
               Path("scene.x", "scene.valley", "best gain", theory=True)],
        places=[Path("scene.mean", "scene.goal", "best step"), Path("way.soon_x", "way.soon_y", "t ≈ 0.25")],
        xlabel="start of the step along β* (no unit)", ylabel="gain along β* (no unit)",
        alt="Bands of the risk. From zero the way goes straight up to a bent valley, then along it to the best step.",
    )  # fmt: skip
    return (
        plane,
        cells("way.corner", "at the corner", "A pale row β over a square Γ in which no cell is empty."),
        cells("way.end", "at the end", "A dark row β over a square Γ with a diagonal and little beside it."),
    )


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
