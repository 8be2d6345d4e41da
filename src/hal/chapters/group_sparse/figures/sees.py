"""Small figure `group_sparse-sees`: attention makes one point of an example; on the group, the two labels part.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 2; the share of errors is ours.
"""

from typing import Any, NamedTuple

from hal.chapters.group_sparse.theory.portable_mean import least_wrong, spread_of
from hal.figure import Idea, Path, Say, Slider, columns, points
from lib.portable.primitives import Readings, zeros
from lib.portable.random_numbers import generator, normals
from lib.portable.vectors import filled

SHOWN = 90  # examples
REACH = 3.4  # half of the picture, in deviations
COS = 0.8  # v* is (COS, SIN)
SIN = 0.6
TALLEST = 440  # a square picture
TITLE = "What the value vector sees"
HINT = "Lower the attention: the two labels mix."
SLIDERS = {
    "s": Slider("Attention on group 2", "fraction", 0.8, (0.01, 0.99), log=False),
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
    """Of 90 examples of D groups of two variables the mean weighted by attention, x, y (90,) at spread 1; its kind, 1
    for the label +; attention (D,); the true line; in per cent, how often it is wrong.
    """
    s, D = settings.s, settings.D
    spread, shares = spread_of(D, s), filled(D, (1.0 - s) / float(D - 1))
    shares[1] = s
    random, g, x, y, kinds = generator(seed, 3), zeros(2), zeros(SHOWN), zeros(SHOWN), zeros(SHOWN)
    for i in range(SHOWN):
        for j in range(D):
            normals(random, g)
            x[i] += shares[j] * g[0] / spread
            y[i] += shares[j] * g[1] / spread
            if j == 1:
                kinds[i] = 1.0 if COS * g[0] + SIN * g[1] >= 0.0 else 0.0
    return {
        "x": x, "y": y, "kinds": kinds, "shares": shares, "line_x": [-REACH * SIN, REACH * SIN],
        "line_y": [REACH * COS, -REACH * COS], "percent": [100.0 * least_wrong(D, s)], "on": [100.0 * s],
    }  # fmt: skip


def picture() -> tuple[points, columns]:
    """The means with the true line, and the attention."""
    return (
        points(
            x="mean.x", y="mean.y", kinds="mean.kinds", ideas=("minus", "plus"), signs="−+",
            kind_names=("label −", "label +"), xlim=(-REACH, REACH), ylim=(-REACH, REACH), equal=True,
            lines=[Path("mean.line_x", "mean.line_y", "best line", theory=True)], ylabel="second variable",
            xlabel="first variable",
            height=320, ends=False, xticks=[(-2.0, "−2"), (0.0, "0")],
            alt="The weighted means of 90 examples: a line through the middle parts the two labels, but for a few.",
        ),
        columns(heights="mean.shares", ideas=("attention",), ylabel="attention on each group", ylim=(0.0, 1.0),
                height=190, alt="Attention on each of the groups: nearly all of it on the second."),
    )  # fmt: skip


def say() -> list[Say]:
    """How often the best line is wrong."""
    return [Say("With {mean.on}% of the attention on group 2, the best line through 0 is wrong on "
                "{mean.percent}% of test examples.")]  # fmt: skip


IDEA = Idea(
    "On the group, at most one example in seven is on the wrong side of the line.",
    greater=lambda drawn: 1 / 7,
    than=lambda drawn: wrong_side(drawn),
    breaks={"s": 1 / 6},
)


def wrong_side(drawn: Any) -> float:
    """The share of the drawn means that the line has on the wrong side."""
    above = SIN * drawn["mean.y"] + COS * drawn["mean.x"] > 0
    return float((above != (drawn["mean.kinds"] > 0)).mean())
