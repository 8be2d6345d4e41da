"""Small figure `group_sparse-area`: a linear rule learns a rectangle of numbers, the layer a column and a row.

Chapter `group_sparse`. Source: the orders d D and d + D are arXiv 2504.08638's, Section 4.
"""

from typing import NamedTuple

from hal.figure import Idea, Path, Say, Slider, points
from lib.models.group_sparse.textbook import STAR
from lib.portable.primitives import Readings, zeros

TITLE = "Every dot: a number to learn"
HINT = "Drag the corner: groups to the right, variables upwards."
SLIDERS = {
    "D": Slider("Groups D", "groups", 6, (2, 16), hidden=True),
    "d": Slider("Variables d", "variables", 6, (1, 16), hidden=True),
}


class Chosen(NamedTuple):
    """Groups, and variables in each."""

    D: int
    d: int


def settings(D: int, d: int) -> Chosen:
    """The settings of this figure."""
    return Chosen(D, d)


def shape(settings: Chosen) -> Readings:
    """A dot for every number that is learned: kind 1 of the layer, a column and under it one for each positional
    encoding, kind 0 of logistic regression only. The corner, and the lines under the two names."""
    D, d = settings.D, settings.d
    x, y, kinds = zeros(D * d + D), zeros(D * d + D), zeros(D * d + D)
    for j in range(D):
        for a in range(d + 1):
            i = j * (d + 1) + a
            x[i] = float(j + 1)
            y[i] = float(a)
            kinds[i] = 1.0 if a == 0 or j == STAR else 0.0
    top = float(d)
    return {
        "x": x, "y": y, "kinds": kinds, "D": [float(D)], "d": [top], "name_x": [17.0, 25.8],
        "all": [float(D * d)], "own": [float(D + d)], "row_y": zeros(2), "top_y": [top, top],
    }  # fmt: skip


def picture() -> points:
    """What is learned, a dot a number."""
    return points(
        x="shape.x", y="shape.y", kinds="shape.kinds", ideas=("rival", "output"),
        kind_names=("logistic regression", "the layer"), at_x="shape.D",
        at_y="shape.d", query=("D", "d"), query_is="", xlim=(0.0, 26.0), ylim=(0.0, 17.0),
        xlabel="groups D", ylabel="variables d", height=270,
        ends=False, xticks=[(1.0, "1"), (8.0, "8"), (16.0, "16")],
        lines=[Path("shape.name_x", "shape.top_y", "regression: the rectangle", idea="rival"),
               Path("shape.name_x", "shape.row_y", "layer: the blue dots", idea="output")],
        alt="D times d dots, those of one column in another colour, and a row of D below them.",
    )  # fmt: skip


def say() -> list[Say]:
    """How many numbers each learns."""
    return [Say("Logistic regression learns {shape.all:0} numbers, the layer {shape.own:0}: {shape.d:0} for group 2, "
                "and {shape.D:0} for the positional encodings.")]  # fmt: skip


IDEA = Idea(
    "Logistic regression has more than twice as many numbers as the layer.",
    greater=lambda drawn: float((drawn["shape.y"] > 0).sum()),
    than=lambda drawn: 2 * float(drawn["shape.kinds"].sum()),
    breaks={"D": 2, "d": 2},
)
