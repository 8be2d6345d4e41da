"""Small figure `group_sparse-area`: a linear rule learns a rectangle of numbers, the layer a column and a row.

Chapter `group_sparse`. Source: the orders d D and d + D are arXiv 2504.08638's, Section 4; the laws of the examples are
ours (`portable_downstream`). Learning rates: 3.2 over the squared norm of what is read, d D or d + (D + 1)/2.
"""

from typing import NamedTuple

from hal.chapters.group_sparse.theory.portable_downstream import examples_until, layer_of, regression_of
from hal.figure import Idea, Path, Say, Slider, columns, points
from lib.models.group_sparse.textbook import STAR
from lib.portable.primitives import Readings, floor, zeros

LEVEL = 0.05  # of fresh examples wrong
GAMMA = 0.2
S = 0.9  # attention on the group
RATE = 3.2  # over the squared norm
EACH = 9  # examples for each unit of it, at most
TITLE = "A rectangle against a column"
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
    """A dot for every number that is learned: kind 1 of the layer, a column and below it one for each positional
    encoding, kind 0 of logistic regression only. The corner, and the lines under the two names."""
    D, d = settings.D, settings.d
    x, y, kinds = zeros(D * d + D), zeros(D * d + D), zeros(D * d + D)
    for j in range(D):
        for a in range(d + 1):
            i = j * (d + 1) + a
            x[i] = float(j + 1)
            y[i] = float(a)
            kinds[i] = 1.0 if a == 0 or j == STAR else 0.0
    end, top = float(D) + 0.4, float(d)
    return {
        "x": x, "y": y, "kinds": kinds, "D": [float(D)], "d": [top], "name_x": [end, end + 7.5],
        "row_y": zeros(2), "top_y": [top, top],
    }  # fmt: skip


def cost(settings: Chosen) -> Readings:
    """Examples until 5% are wrong, of the layer and of logistic regression, and their quotient."""
    own, other = by_layer(settings.D, settings.d), by_linear(settings.D * settings.d)
    return {"both": [own, other], "kinds": [0.0, 1.0], "own": [own], "other": [other], "times": [other / own]}


def picture() -> tuple[points, columns]:
    """What is learned, a dot a number, and the examples that it costs."""
    return (
        points(
            x="shape.x", y="shape.y", kinds="shape.kinds", ideas=("rival", "output"),
            kind_names=("logistic regression", "the layer"), at_x="shape.D",
            at_y="shape.d", query=("D", "d"), query_is="", xlim=(0.0, 24.0), ylim=(-0.7, 17.0),
            xlabel="groups D", ylabel="variables d", height=260,
            ends=False, xticks=[(1.0, "1"), (8.0, "8"), (16.0, "16")],
            lines=[Path("shape.name_x", "shape.top_y", "regression: dD", idea="rival"),
                   Path("shape.name_x", "shape.row_y", "layer: d + D", idea="output")],
            alt="D times d dots, those of one column in another colour, and a row of D below them.",
        ),
        columns(heights="cost.both", kinds="cost.kinds", ideas=("output", "rival"), names=("the layer", "regression"),
                ylabel="examples needed for 5% error", ylim=(0.0, None), height=210,
                alt="Two bars: the layer needs far fewer examples than logistic regression."),
    )  # fmt: skip


def say() -> list[Say]:
    """How many examples each needs."""
    return [
        Say("The layer needs {cost.own:0} examples, logistic regression {cost.other:0}: {cost.times} times as many at "
            "D = {shape.D:0}, d = {shape.d:0}.",
            "cost.times > 1"),
        Say("The layer needs {cost.own:0} examples, logistic regression {cost.other:0}: knowing the group is worth "
            "nothing here."),
    ]  # fmt: skip


IDEA = Idea(
    "Logistic regression needs more than four times the examples of the layer.",
    greater=lambda drawn: float(drawn["cost.both"][1]),
    than=lambda drawn: 4 * float(drawn["cost.both"][0]),
    breaks={"D": 2, "d": 2},
)
