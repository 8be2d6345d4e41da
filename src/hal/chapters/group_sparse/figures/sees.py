"""Small figure `group_sparse-sees`: attention makes one point of an example; on the group, the two labels part.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 2; the share of errors is ours.
"""

from typing import NamedTuple

from hal.chapters.group_sparse.theory.portable_mean import least_wrong, spread_of
from hal.figure import Idea, Path, Say, Slider, points
from lib.portable.primitives import Readings, zeros
from lib.portable.random_numbers import generator, normals

SHOWN = 90  # examples
REACH = 3.4  # half of the picture, in deviations
LONG = 4.1  # half of the line
COS = 0.8  # v* is (COS, SIN)
SIN = 0.6
APART = 7.4  # between the middles of the two pictures
TITLE = "Can a line separate the labels?"
TALLEST = 514  # two planes, square
HINT = "Drag the attention on group 2. How much of it is enough?"
SLIDERS = {
    "s": Slider("Attention on group 2", "no unit", 0.8, (0.01, 0.99), log=False),
    "D": Slider("Groups D", "groups", 6, (2, 16)),
}


class Chosen(NamedTuple):
    """The settings of this figure."""

    s: float
    D: int


def settings(s: float, D: int) -> Chosen:
    """Attention on the second group, even over the others, and the number of groups."""
    return Chosen(s, D)


def mean(settings: Chosen, seed: int) -> Readings:
    """Of 90 examples of two variables a group the mean at even attention, and then that at this attention on the second
    group, x, y (180,) at spread 1; kinds, 1 for the label +, 2 more on the wrong side; the true lines, and the frames.
    """
    s, D, random, g = settings.s, settings.D, generator(seed, 3), zeros(2)
    x, y, kinds = zeros(2 * SHOWN), zeros(2 * SHOWN), zeros(2 * SHOWN)
    for i in range(SHOWN):
        for j in range(D):
            normals(random, g)
            for side in range(2):
                share = 1.0 / float(D) if side == 0 else s if j == 1 else (1.0 - s) / float(D - 1)
                spread = spread_of(D, 1.0 / float(D) if side == 0 else s)
                x[side * SHOWN + i] += share * g[0] / spread
                y[side * SHOWN + i] += share * g[1] / spread
                if j == 1:
                    kinds[side * SHOWN + i] = 1.0 if COS * g[0] + SIN * g[1] >= 0.0 else 0.0
        for k in range(i, 2 * SHOWN, SHOWN):
            right = kinds[k] if COS * x[k] + SIN * y[k] >= 0.0 else 1.0 - kinds[k]
            kinds[k] += 2.0 - 2.0 * right
        x[SHOWN + i] += APART
    slope_x, frame, beside = LONG * SIN, zeros(5), zeros(5)
    for k in range(5):  # from the top right corner round to it
        frame[k] = REACH if k == 0 or k > 2 else -REACH
        beside[k] = APART + frame[k]
    return {
        "x": x, "y": y, "kinds": kinds, "even_x": [-slope_x, slope_x], "line_x": [APART - slope_x, APART + slope_x],
        "line_y": [LONG * COS, -LONG * COS], "frame_x": frame, "beside_x": beside,
        "frame_y": [REACH, REACH, -REACH, -REACH, REACH],
    }  # fmt: skip


def wrong(settings: Chosen) -> Readings:
    """This attention, and how often the true line is wrong at it and at even attention, in per cent."""
    s, even = settings.s, 1.0 / float(settings.D)
    on, blurred = least_wrong(settings.D, s), least_wrong(settings.D, even)
    return {"on": [100.0 * on], "even": [100.0 * blurred], "share": [100.0 * s]}


def picture() -> points:
    """The means with the true line: where attention is even, and at this attention."""
    grey = "#9aa3ad"
    return points(
        x="mean.x", y="mean.y", kinds="mean.kinds", ideas=("minus", "plus") * 2, signs=("", "", "−", "+"),
        kind_names=("label −", "label +", "label −, on the wrong side", "label +, on the wrong side"),
        xlim=(-REACH - 0.1, APART + REACH + 0.1), ylim=(-REACH - 0.1, REACH + 0.8), equal=True, pale=(0, 1),
        lines=[Path("mean.even_x", "mean.line_y", "best line", theory=True),
               Path("mean.line_x", "mean.line_y", "best line", theory=True),
               Path("mean.frame_x", "mean.frame_y", "even attention: {wrong.even:0}% wrong", idea=grey),
               Path("mean.beside_x", "mean.frame_y", "{wrong.share:0}% on group 2: {wrong.on:0}% wrong", idea=grey)],
        height=350, ends=False,
        alt="Weighted means of 90 examples: mixed at even attention; beside it a line parts the two labels.",
    )  # fmt: skip


def say() -> list[Say]:
    """How often the best line is wrong."""
    return [Say("On the wrong side, drawn as discs: {wrong.even:0}% with even attention, {wrong.on:0}% on the right.")]


IDEA = Idea(
    "On the group, at most one example in seven is on the wrong side of the line.",
    greater=lambda drawn: 1 / 7,
    than=lambda drawn: (drawn["mean.kinds"][SHOWN:] >= 2).mean(),
    breaks={"s": 1 / 6},
)
