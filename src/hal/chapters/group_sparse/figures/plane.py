"""Small figure `group_sparse-plane`: value first, attention second.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638: the population's flow of two scalars from any start.
"""

from typing import Any, NamedTuple

from hal.figure import Idea, Path, Say, Slider, landscape
from lib.portable.explicit import flow_from, flow_to
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, nan, zeros
from lib.portable.vectors import filled
from lib.theory.group_sparse.portable import law_of, leak_of, loss_at, push, rough_law_of

SIDE = 21  # points of the landscape a side
LEFT = -0.5  # ends of the axis of the value's strength
RIGHT = 1.9
POINTS = 121  # of the way
SOON = 0.05  # its first time, learning rate times steps
END = 200.0
HIGH = 0.9  # of the attention
D = 6  # groups of the picture
TITLE = "Which grows first, reading or attention?"
HINT = "Right: reading is learned. Up: attention rises. Darker: smaller loss. Drag the ring, the start."
SLIDERS = {
    "alpha": Slider("Initial α", "no unit", 0.0, (-0.5, 1.9), hidden=True),
    "s": Slider("Initial s", "fraction", 0.1667, (0.02, 0.85), hidden=True, log=False),
}


class Chosen(NamedTuple):
    """A start."""

    alpha: float
    s: float


def settings(alpha: float, s: float) -> Chosen:
    """The settings of this figure."""
    return Chosen(alpha, s)


def place_of(alpha: float, s: float, D: int) -> Vector:
    """(alpha, b) of the flow, with the logit gap b that has this attention."""
    place = zeros(2)
    place[0] = alpha
    place[1] = log(float(D - 1) * s / (1.0 - s))
    return place


def scene(settings: Chosen) -> Readings:
    """The logarithm (base 10) of the population's loss over strength and attention, and where attention is even."""
    law, x, y, z = rough_law_of(D, 1.0), zeros(SIDE), zeros(SIDE), zeros(SIDE * SIDE)
    for i in range(SIDE):
        share = float(i) / float(SIDE - 1)
        x[i] = LEFT + (RIGHT - LEFT) * share
        y[i] = 0.01 + 0.98 * share
    for j in range(SIDE):
        for i in range(SIDE):
            z[j * SIDE + i] = log(loss_at(place_of(x[i], y[j], D), law)) / log(10.0)
    return {"x": x, "y": y, "z": z, "even_x": [LEFT, RIGHT, nan], "even_y": filled(3, 1.0 / float(D))}


def way(settings: Chosen) -> Readings:
    """The flow from the start: x, y (121,), x as far as the picture goes, and its places at three times; when attention
    is 0.9, NaN after 200; its lowest value, and how far that is below the start."""
    law, flow = law_of(D, 1.0), flow_from(0.0, place_of(settings.alpha, settings.s, D))
    x, y, marks_x, marks_y = zeros(POINTS), zeros(POINTS), zeros(3), zeros(3)
    marked = [1.0, 5.0, 25.0]
    before, last, low, reached, k = 0.0, settings.s, settings.s, nan, 0
    for i in range(POINTS):
        time = 0.0 if i == 0 else SOON * exp(log(END / SOON) * float(i - 1) / float(POINTS - 2))
        while k < 3 and time >= marked[k]:
            flow_to(marked[k], flow, push, law, 1e-5)
            marks_x[k] = flow.y[0] if flow.y[0] <= RIGHT else nan
            marks_y[k] = 1.0 - leak_of(float(D), flow.y[1])
            k += 1
        flow_to(time, flow, push, law, 1e-5)
        s = 1.0 - leak_of(float(D), flow.y[1])
        if s >= HIGH and not reached > 0.0:
            reached = before + (time - before) * (HIGH - last) / (s - last)
        x[i] = flow.y[0] if flow.y[0] <= RIGHT else nan
        y[i] = s
        low = min(low, s)
        before, last = time, s
    return {
        "x": x, "y": y, "one_x": [marks_x[0]], "one_y": [marks_y[0]], "five_x": [marks_x[1]], "five_y": [marks_y[1]],
        "late_x": [marks_x[2]], "late_y": [marks_y[2]], "reached": [reached], "low": [low], "fall": [settings.s - low],
    }  # fmt: skip


def picture() -> landscape:
    """The loss, the way, and its places at three times."""
    times = [Path("way.one_x", "way.one_y", "ηt = 1"), Path("way.five_x", "way.five_y", "ηt = 5"),
             Path("way.late_x", "way.late_y", "ηt = 25")]  # fmt: skip
    return landscape(
        x="scene.x", y="scene.y", z="scene.z", levels=14, height=300, start=("alpha", "s"),
        paths=[Path("way.x", "way.y", "", idea="attention"),
               Path("scene.even_x", "scene.even_y", "", theory=True)],
        places=times, xlabel="strength of the value vector α (no unit)", ylabel="attention on group 2 (no unit)",
        alt="Bands of the loss. From even attention the way leaves to the right, then climbs to the group.",
    )  # fmt: skip


def say() -> list[Say]:
    """When attention has found the group, and whether it fell on the way."""
    found = "From the ring attention reaches 0.9 at ηt = {way.reached}"
    never = "From the ring attention does not reach 0.9 before ηt = 200"
    return [
        Say(found + "; first it falls to {way.low}.", "way.fall > 0.002"), Say(found + "."),
        Say(never + "; on the way it falls to {way.low}.", "way.fall > 0.002"), Say(never + "."),
    ]  # fmt: skip


IDEA = Idea(
    "The value has two fifths of what it has at an attention of one half before attention has gone a tenth of its way.",
    greater=lambda drawn: strength_at(drawn, 0.1),
    than=lambda drawn: 0.4 * strength_at(drawn, 0.4),
    breaks={"alpha": 1.0},
)


def strength_at(drawn: Any, part: float) -> float:
    """How much the value has grown when attention has gone this part of the way from its start to 1."""
    x, y = drawn["way.x"], drawn["way.y"]
    return float(x[y >= y[0] + part * (1 - y[0])][0] - x[0])
