"""Small figure `group_sparse-counted`: examples that streams of a new task need against those that theory predicts.

Chapter `group_sparse`. Source: the orders d D and d + D are arXiv 2504.08638's, Section 4; laws, streams and the
recorded sweep (`runs.cost`) are ours. Learning rates: 3.2 over the squared norm of what is read. The layer's attention
stands; its value alone learns.
"""

from typing import NamedTuple

from hal.chapters.group_sparse.figures._recorded import costs
from hal.explorer import Idea, Path, Say, Slider, cloud, points
from lib.portable.primitives import Readings, floor
from lib.portable.random_numbers import generator
from lib.theory.group_sparse.portable_downstream import Learner, examples_until, layer_of, regression_of
from lib.theory.group_sparse.portable_streams import counted

LEVEL = 0.05  # of fresh examples wrong
RATE = 3.2  # over the squared norm
EACH = 40  # examples for each unit of it, at most
OURS = 24  # streams of the layer
THEIRS = 6  # of logistic regression
TALLEST = 520  # a rectangle to drag, and two panels with three lines of legend each
TITLE, AGAIN = "Examples predicted, examples counted", "Other streams"
HINT = "Click a faint point, or drag the corner of the rectangle."
SLIDERS = {
    "D": Slider("Groups D", "groups", 8, (4, 16), hidden=True),
    "d": Slider("Variables d", "variables", 8, (2, 16), hidden=True),
    "gamma": Slider("Margin γ", "no unit", 0.2, (0.05, 0.4), log=True),
    "attention": Slider("Attention of the layer s", "fraction", 0.9, (0.85, 0.98)),
}


class Chosen(NamedTuple):
    """Groups, variables in each, margin, attention on the group."""

    D: int
    d: int
    gamma: float
    attention: float


def settings(D: int, d: int, gamma: float, attention: float) -> Chosen:
    """What is chosen."""
    return Chosen(D, d, gamma, attention)


def layer(settings: Chosen) -> Learner:
    """The layer, at 3.2 over the squared norm of what it reads."""
    length = float(settings.d) + 0.5 * float(settings.D + 1)
    return layer_of(settings.D, settings.d, settings.attention, RATE / length)


def regression(settings: Chosen) -> Learner:
    """Logistic regression on all variables, likewise."""
    return regression_of(settings.D * settings.d, RATE / float(settings.D * settings.d))


def law(settings: Chosen) -> Readings:
    """Outline of the rectangle, that ends at its name, x and y (5,); the corner; examples by theory; two equal ends."""
    D, d = float(settings.D), float(settings.d)
    by_layer = examples_until(layer(settings), settings.gamma, LEVEL, 40 + floor(EACH * (d + 0.5 * (D + 1.0))))
    by_linear = examples_until(regression(settings), settings.gamma, LEVEL, 40 + floor(EACH * D * d))
    return {
        "x": [D, D, 0.0, 0.0, D], "y": [d, 0.0, 0.0, d, d], "D": [D], "d": [d],
        "layer": [by_layer], "linear": [by_linear], "equal": [8.0, 5000.0],
    }  # fmt: skip


def streams(settings: Chosen, seed: int) -> Readings:
    """Examples until 5% are wrong in the mean of the streams, with a 95% interval; how many times as many."""
    random = generator(seed, 3)
    ours = counted(layer(settings), settings.gamma, LEVEL, OURS, random)
    theirs = counted(regression(settings), settings.gamma, LEVEL, THEIRS, random)
    return {
        "layer": [ours[0]], "layer_low": [ours[1]], "layer_high": [ours[2]],
        "linear": [theirs[0]], "linear_low": [theirs[1]], "linear_high": [theirs[2]], "times": [theirs[0] / ours[0]],
    }  # fmt: skip


def picture() -> tuple[points, cloud, cloud]:
    """The rectangle with its corner; examples counted against predicted, of the layer and of logistic regression."""
    outline, ends = [Path("law.x", "law.y", "D · d", idea="rival")], (8.0, 5000.0)
    both = [
        cloud(f"law.{name}", f"streams.{name}", low=f"streams.{name}_low", high=f"streams.{name}_high",
              recorded=costs(name), curve=("law.equal", "law.equal", "as predicted"), label="live",
              recorded_label="recorded", idea=idea, xlog=True, ylog=True, xlim=ends, ylim=ends,
              xlabel="predicted (examples)", ylabel="counted (examples)", title=title, height=88)
        for name, title, idea in (("layer", "The layer", "output"), ("linear", "Logistic regression", "rival"))
    ]  # fmt: skip
    return (
        points(
            x="law.D", y="law.d", at_x="law.D", at_y="law.d", query=("D", "d"), query_is="", lines=outline,
            ideas=("rival",), xlim=(0.0, 18.0), ylim=(0.0, 18.0), xlabel="groups D", ylabel="variables d", height=104,
            alt="A rectangle of D times d variables, with a corner to drag.",
        ),
        both[0],
        both[1],
    )  # fmt: skip


def say() -> list[Say]:
    """How many examples each needs."""
    return [
        Say("The layer needs {streams.layer:0} examples, theory says {law.layer:0}; logistic regression "
            "{streams.times} times as many."),
    ]  # fmt: skip


IDEA = Idea(
    "Logistic regression needs more than twice the examples of the layer.",
    greater=lambda drawn: float(drawn["streams.linear"][0]),
    than=lambda drawn: 2 * float(drawn["streams.layer"][0]),
    breaks={"D": 4, "d": 2},
)
