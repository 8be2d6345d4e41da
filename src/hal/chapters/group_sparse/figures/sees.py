"""Small figure `group_sparse-sees`: attention makes one point of an example; on the group, the two labels part.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 2; the share of errors is ours.
"""

from typing import Any, NamedTuple

from hal.chapters.group_sparse.theory.portable_mean import least_wrong, spread_of
from hal.figure import Idea, Path, Say, Slider, points
from lib.portable.primitives import Readings, Vector, zeros
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


def points_of(shares: Vector, spread: float, seed: int) -> Readings:
    """Of 90 examples of two variables a group the mean weighted by shares, x, y (90,) at spread 1; its kind, 1 for the
    label +; the true line."""
    random, g, x, y, kinds = generator(seed, 3), zeros(2), zeros(SHOWN), zeros(SHOWN), zeros(SHOWN)
    for i in range(SHOWN):
        for j in range(len(shares)):
            normals(random, g)
            x[i] += shares[j] * g[0] / spread
            y[i] += shares[j] * g[1] / spread
            if j == 1:
                kinds[i] = 1.0 if COS * g[0] + SIN * g[1] >= 0.0 else 0.0
    return {
        "x": x,
        "y": y,
        "kinds": kinds,
        "line_x": [-REACH * SIN, REACH * SIN],
        "line_y": [REACH * COS, -REACH * COS],
    }


def mean(settings: Chosen, seed: int) -> Readings:
    """The means at this attention on the second group, even over the others."""
    s, D = settings.s, settings.D
    shares = filled(D, (1.0 - s) / float(D - 1))
    shares[1] = s
    return points_of(shares, spread_of(D, s), seed)


def even(settings: Chosen, seed: int) -> Readings:
    """The means of the same examples at even attention."""
    share = 1.0 / float(settings.D)
    return points_of(filled(settings.D, share), spread_of(settings.D, share), seed)


def wrong(settings: Chosen) -> Readings:
    """How often the true line is wrong, in per cent, at this attention and at even attention."""
    D = settings.D
    return {"on": [100.0 * least_wrong(D, settings.s)], "even": [100.0 * least_wrong(D, 1.0 / float(D))]}


def picture() -> tuple[points, points]:
    """The means with the true line: at this attention, and where attention is even."""

    def cloud(of: str, where: str, alt: str) -> points:
        return points(
            x=f"{of}.x", y=f"{of}.y", kinds=f"{of}.kinds", ideas=("minus", "plus"), signs="−+",
            kind_names=("label −", "label +"), xlim=(-REACH, REACH), ylim=(-REACH, REACH), equal=True,
            lines=[Path(f"{of}.line_x", f"{of}.line_y", "best line", theory=True)], ylabel=where,
            xlabel="first variable", height=300, ends=False, xticks=[(0.0, "0")], alt=alt,
        )  # fmt: skip

    return (
        cloud(
            "mean",
            "attention as set below; second variable",
            "The weighted means of 90 examples: a line parts the two labels.",
        ),
        cloud("even", "even attention; second variable", "The same examples at even attention: the two labels mix."),
    )


def say() -> list[Say]:
    """How often the best line is wrong."""
    return [Say("The best line is wrong on {wrong.on:0}% of new examples; with even attention on {wrong.even:0}%.")]


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
