"""Small figure `one_nn-three`: two near ties can outweigh the nearest example, one cannot.

Chapter `one_nn`, beyond the paper (arXiv 2411.10830): why wrong signs are rarer than losses.
"""

from typing import NamedTuple

from hal.explorer import Idea, Say, Slider, points
from lib.portable.numbers import exp
from lib.portable.primitives import Readings, zeros

FAR = 0.5  # largest gap
SIDE = 41  # places of the ground a side
TITLE = "Two cannot lie, three can"
HINT = "Drag the ring: how near must both be?"
SLIDERS = {
    "xi1": Slider("Inverse temperature ξ₁", "no unit", 10.0, (1.0, 60.0), log=True),
    "second": Slider("Gap of the one", "no unit", 0.04, (0.0, FAR), log=False, hidden=True),
    "third": Slider("Gap of the other", "no unit", 0.06, (0.0, FAR), log=False, hidden=True),
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
    ground (41 41,) by how much the nearest weighs more than both.
    """
    ground = zeros(SIDE * SIDE)
    for i in range(SIDE):
        for j in range(SIDE):
            second, third = FAR * float(j) / float(SIDE - 1), FAR * float(i) / float(SIDE - 1)
            both = exp(-settings.xi1 * second) + exp(-settings.xi1 * third)
            ground[i * SIDE + j] = 1.0 - both
    weigh = exp(-settings.xi1 * settings.second) + exp(-settings.xi1 * settings.third)
    return {"x": [settings.second], "y": [settings.third], "weigh": [weigh], "ground": ground}


def picture() -> points:
    """The plane of both gaps, tinted where the two others outweigh the nearest."""
    return points(
        x="gaps.x", y="gaps.y", ideas=("attention", "output"), at_x="gaps.x", at_y="gaps.y",
        query=("second", "third"), query_is="the two others", ground="gaps.ground", across=SIDE, deep=SIDE,
        xlim=(0.0, FAR), ylim=(0.0, FAR), equal=True, height=260, xlabel="gap of the one", ylabel="gap of the other",
        alt="The plane of the gaps of two examples behind the nearest; a small corner near zero is tinted: there both "
            "together weigh more than the nearest.",
    )  # fmt: skip


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
