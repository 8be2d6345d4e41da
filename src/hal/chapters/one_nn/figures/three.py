"""Small figure `one_nn-three`: two near ties can outweigh the nearest example, one cannot.

Chapter `one_nn`, beyond the paper (arXiv 2411.10830): why wrong signs are rarer than losses.
"""

from typing import Any, NamedTuple

from hal.explorer import Idea, Path, Say, Slider, columns, points
from lib.portable.numbers import exp
from lib.portable.primitives import Readings, zeros

FAR = 0.5  # largest gap
SIDE = 41  # places of the ground a side
TITLE = "Two cannot lie, three can"
HINT = "Drag the ring: how near must both be?"
SLIDERS = {
    "xi1": Slider("Inverse temperature ξ₁", "no unit", 10.0, (1.0, 60.0), log=True),
    "second": Slider("Gap to the second", "no unit", 0.04, (0.0, FAR), log=False, hidden=True),
    "third": Slider("Gap to the third", "no unit", 0.06, (0.0, FAR), log=False, hidden=True),
}


class Settings(NamedTuple):
    """What is chosen."""

    xi1: float
    second: float
    third: float


def settings(xi1: float, second: float, third: float) -> Settings:
    """How far two examples stand behind the nearest."""
    return Settings(xi1, second, third)


def gaps(settings: Settings) -> Readings:
    """Where the two others stand behind the nearest, and how much they weigh together, the nearest being 1; on the
    ground (41 41,) by how much the nearest weighs more than both; the weights of the bars (4,); where names stand.
    """
    ground = zeros(SIDE * SIDE)
    for i in range(SIDE):
        for j in range(SIDE):
            second, third = FAR * float(j) / float(SIDE - 1), FAR * float(i) / float(SIDE - 1)
            both = exp(-settings.xi1 * second) + exp(-settings.xi1 * third)
            ground[i * SIDE + j] = 1.0 - both
    one, other = exp(-settings.xi1 * settings.second), exp(-settings.xi1 * settings.third)
    low = min(0.1 * FAR, 0.1 / settings.xi1)  # in the corner
    return {
        "x": [settings.second], "y": [settings.third], "weigh": [one + other], "ground": ground, "line": [1.0],
        "whose": [0.0, 1.0, 1.0, 1.0], "bars": [1.0, one, other, one + other], "right": [0.95 * FAR, 0.95 * FAR],
        "up": [0.8 * FAR, 0.8 * FAR], "left": [FAR, FAR], "down": [low, low],
    }  # fmt: skip


def picture() -> Any:
    """The plane of both gaps, tinted where the two others outweigh the nearest, and the weights as bars."""
    plane = points(
        x="gaps.x", y="gaps.y", ideas=("attention", "output"), at_x="gaps.x", at_y="gaps.y",
        query=("second", "third"), query_is="", ground="gaps.ground", across=SIDE, deep=SIDE,
        lines=[Path("gaps.right", "gaps.up", "the nearest wins", theory=True),
               Path("gaps.left", "gaps.down", "in the corner the two others win", theory=True)],
        xlim=(0.0, FAR), ylim=(0.0, FAR), height=168, xlabel="gap to the second", ylabel="gap to the third",
        alt="The plane of the gaps of two examples behind the nearest; a small corner near zero is tinted: there both "
            "together weigh more than the nearest.",
    )  # fmt: skip
    bars = columns(
        heights="gaps.bars", names=("nearest", "2nd", "3rd", "both"), ideas=("output", "attention"),
        kinds="gaps.whose", level="gaps.line", line_is="", ylabel="weight", ylim=(0.0, 2.0), height=162,
        alt="Four bars: the weight of the nearest, 1; of the second, of the third, and of these two together.",
    )  # fmt: skip
    return plane, bars


def say() -> list[Say]:
    """Whether both together outweigh the nearest."""
    return [
        Say("Together the two others weigh {gaps.weigh:2} of the nearest: if both have the other label, the sign is "
            "wrong.", "gaps.weigh > 1"),
        Say("Together the two others weigh {gaps.weigh:2} of the nearest: the sign is correct, whatever their labels."),
    ]  # fmt: skip


IDEA = Idea(
    "Where the sign can be wrong is a small corner of the gaps.",
    lambda drawn: (drawn["gaps.ground"] > 0).sum(),
    lambda drawn: 4 * (drawn["gaps.ground"] < 0).sum(),
    breaks={"xi1": 1.0},
)
