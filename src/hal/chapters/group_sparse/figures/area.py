"""Small figure `group_sparse-area`: a linear rule learns a rectangle of numbers, the layer a column and half a row.

Chapter `group_sparse`. Source: the orders d D and d + D are arXiv 2504.08638's, Section 4; the laws of the examples are
ours (`portable_downstream`). Learning rates: 3.2 over the squared norm of what is read, d D or d + (D + 1)/2.
"""

from typing import Any, NamedTuple

from hal.chapters.group_sparse.theory.portable_downstream import examples_until, layer_of, regression_of
from hal.figure import Idea, Line, Mark, Path, Say, Slider, lines, points
from lib.portable.primitives import Readings, floor, zeros

LEVEL = 0.05  # of fresh examples wrong
GAMMA = 0.2
S = 0.9  # attention on the group
RATE = 3.2  # over the squared norm
EACH = 9  # examples for each unit of it, at most
SIZES = 7  # of the linear rule's curve: 4, 8, ... 256 variables
TITLE = "An area against half a perimeter"
HINT = "Drag the corner: groups to the right, variables upwards."
SLIDERS = {
    "D": Slider("Groups D", "groups", 6, (2, 16), hidden=True),
    "d": Slider("Variables d", "variables", 8, (1, 16), hidden=True),
}


class Chosen(NamedTuple):
    """Groups, and variables in each."""

    D: int
    d: int


def settings(D: int, d: int) -> Chosen:
    """The settings of this figure."""
    return Chosen(D, d)


def length_of(D: int, d: int) -> float:
    """The squared norm of what the layer reads with full attention: d, and (D + 1)/2 of a positional encoding."""
    return float(d) + 0.5 * float(D + 1)


def by_layer(D: int, d: int) -> float:
    """How many examples the layer needs, its attention frozen."""
    length = length_of(D, d)
    return examples_until(layer_of(D, d, S, RATE / length), GAMMA, LEVEL, 40 + floor(EACH * length))


def by_linear(variables: int) -> float:
    """How many examples logistic regression needs."""
    return examples_until(regression_of(variables, RATE / float(variables)), GAMMA, LEVEL, 40 + EACH * variables)


def shape(settings: Chosen) -> Readings:
    """Outlines that end at their names: the rectangle, the column of the group, half a row for positional encodings."""
    D, d = float(settings.D), float(settings.d)
    return {
        "x": [D, D, 0.0, 0.0, D], "y": [d, 0.0, 0.0, d, d], "column_x": [1.0, 1.0, 2.0, 2.0, 1.0, 1.0, 2.0],
        "column_y": [d, 0.0, 0.0, d, d, d, d], "row_x": [D, D, 0.0, 0.0, D], "row_y": [0.5, 0.0, 0.0, 0.5, 0.5],
        "D": [D], "d": [d],
    }  # fmt: skip


def cost(settings: Chosen) -> Readings:
    """Examples until 5% are wrong, of the layer and of the linear rule, over the squared norms; both at this size."""
    x, linear, layer_x, layer = zeros(SIZES), zeros(SIZES), zeros(SIZES), zeros(SIZES)
    variables = 4
    for i in range(SIZES):
        x[i] = float(variables)
        linear[i] = by_linear(variables)
        variables *= 2
        size = 2 + 2 * i + (2 if i == SIZES - 1 else 0)
        layer_x[i] = length_of(size, settings.d)
        layer[i] = by_layer(size, settings.d)
    own, other = by_layer(settings.D, settings.d), by_linear(settings.D * settings.d)
    return {
        "x": x, "linear": linear, "layer_x": layer_x, "layer": layer, "area": [float(settings.D * settings.d)],
        "half": [length_of(settings.D, settings.d)], "own": [own], "other": [other], "times": [other / own],
    }  # fmt: skip


def picture() -> tuple[points, Any]:
    """The rectangle with its corner, and the examples that it costs."""
    outlines = [
        Path("shape.x", "shape.y", "D · d", idea="rival"), Path("shape.column_x", "shape.column_y", "d", idea="output"),
        Path("shape.row_x", "shape.row_y", "(D + 1)/2", idea="output"),
    ]  # fmt: skip
    needed = [
        Line("cost.linear", "logistic regression, at dD", idea="rival"),
        Line("cost.layer", "the layer, at d + (D + 1)/2", idea="output", x="cost.layer_x"),
    ]
    return (
        points(
            x="shape.D", y="shape.d", at_x="shape.D", at_y="shape.d", query=("D", "d"), query_is="", lines=outlines,
            ideas=("rival",), xlim=(0.0, 18.0), ylim=(0.0, 18.0), xlabel="groups D", ylabel="variables d", height=198,
            alt="A rectangle of D times d numbers; in it one column, and at its bottom half a row.",
        ),
        lines("cost.x", needed, marks=[Mark("cost.half", "layer"), Mark("cost.area", "regression")], xlog=True,
              ylog=True, xlim=(2.0, 300.0), ylim=(6.0, 2000.0), xlabel="squared norm of what is read (no unit)",
              ylabel="examples to 5% wrong (examples)", title="What it costs", height=158),
    )  # fmt: skip


def say() -> list[Say]:
    """How many examples each needs."""
    return [
        Say("The layer needs {cost.own:0} examples, logistic regression {cost.other:0}: {cost.times} times as many.",
            "cost.times > 1"),
        Say("The layer needs {cost.own:0} examples, logistic regression {cost.other:0}: knowing the group is worth "
            "nothing here."),
    ]  # fmt: skip


IDEA = Idea(
    "The rectangle has more than four times what the layer reads.",
    greater=lambda drawn: float(drawn["shape.x"].max() * drawn["shape.y"].max()),
    than=lambda drawn: 4 * float(drawn["cost.half"][0]),
    breaks={"D": 2, "d": 2},
)
