"""Small figure `group_sparse-sees`: attention makes one point of an example; on the group, the two labels part.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 2; the share of errors is ours.
"""

from typing import NamedTuple

from hal.chapters.group_sparse.theory.portable_mean import least_wrong, spread_of
from hal.figure import Idea, Path, Say, Slider, points
from hal.figure.objects import Points
from lib.portable.primitives import Readings, zeros
from lib.portable.random_numbers import generator, normals

SHOWN = 90  # examples
REACH = 3.4  # half of a picture, in deviations
MIDDLE = 3.7  # where the right one stands; the left one opposite
LONG = 4.1  # half of the line
COS = 0.8  # v* is (COS, SIN)
SIN = 0.6
TITLE = "Can a line separate the labels?"
HINT = "Drag the attention on group 2: the dots on the wrong side are drawn strongly."
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
    """Of 90 examples of two variables a group the mean at even attention, then that at this attention on the second
    group, x, y and kinds (180,) at spread 1, 1 for the label +, 2 more on the wrong side; the best lines; the frames.
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
            fits = kinds[k] if COS * x[k] + SIN * y[k] >= 0.0 else 1.0 - kinds[k]
            kinds[k] += 2.0 - 2.0 * fits
        x[i] -= MIDDLE
        x[SHOWN + i] += MIDDLE
    left, right = zeros(7), zeros(7)  # of the lines' two ends, then of the frames' five corners
    for k in range(7):
        way = (1.0 - 2.0 * float(k)) * LONG * -SIN if k < 2 else -REACH if k == 3 or k == 4 else REACH
        left[k], right[k] = way - MIDDLE, way + MIDDLE
    return {
        "x": x, "y": y, "kinds": kinds, "even_line_x": left[:2], "line_x": right[:2], "even_frame_x": left[2:],
        "frame_x": right[2:], "line_y": [LONG * COS, -LONG * COS], "frame_y": [REACH, REACH, -REACH, -REACH, REACH],
    }  # fmt: skip


def wrong(settings: Chosen) -> Readings:
    """This attention, and how often the true line is wrong at it and at even attention, in per cent."""
    s, even = settings.s, 1.0 / float(settings.D)
    on, blurred = least_wrong(settings.D, s), least_wrong(settings.D, even)
    return {"on": [100.0 * on], "even": [100.0 * blurred], "share": [100.0 * s]}


def picture() -> Points:
    """The means with the best line: where attention is even, and at this attention."""
    grey, lines = "#9aa3ad", []
    for name, words in (
        ("even_", "even attention: {wrong.even:0}% wrong"),
        ("", "{wrong.share:0}% on group 2: {wrong.on:0}% wrong"),
    ):
        lines.append(Path(f"mean.{name}line_x", "mean.line_y", "" if name else "best line", theory=True))
        lines.append(Path(f"mean.{name}frame_x", "mean.frame_y", words, idea=grey))
    return points(
        x="mean.x", y="mean.y", kinds="mean.kinds", ideas=("minus", "plus") * 2, pale=(0, 1), ends=False, height=284,
        kind_names=("label −", "label +", "label −, on the wrong side", "label +, on the wrong side"), lines=lines,
        xlim=(-MIDDLE - REACH - 0.1, MIDDLE + REACH + 0.1), ylim=(-REACH - 0.1, REACH + 0.8), large=True,
        alt="Means of 90 examples: at even attention the labels are mixed, on group 2 a line parts them.",
    )  # fmt: skip


def say() -> list[Say]:
    """How often the best line is wrong."""
    now = "{wrong.even:0}% with even attention, {wrong.on:0}% in the right picture."
    return [Say(f"On the wrong side, drawn strongly: {now}")]


IDEA = Idea(
    "On the group, at most one example in seven is on the wrong side of the line.",
    greater=lambda drawn: 1 / 7,
    than=lambda drawn: (drawn["mean.kinds"][SHOWN:] >= 2).mean(),
    breaks={"s": 1 / 6},
)
