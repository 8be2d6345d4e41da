"""Small figure `linear_block-step`: one step in the bowl of a prompt, with one gain for all bowls.

Chapter `linear_block`. Source: arXiv 2402.14951, equation 5.1 and Theorem 5.2, with one feature, H = Psi = 1.
"""

from typing import Any, NamedTuple

from hal.chapters.linear_block.runs.bowls import FOOT, HIGH, LOW, MOST, TOP, bowl_with, prompt_of, start_and_gain
from hal.figure import Idea, Path, Say, Slider, points
from lib.portable.primitives import Readings, Vector, divide
from lib.portable.vectors import dot

TITLE, AGAIN = "One gain for all bowls", "Next prompt"
HINT = "Drag the ringed example far out, then to the middle: how steep is the bowl?"
SLIDERS = {
    "block": Slider("Block", default=0, names={0: "with MLP", 1: "no MLP", 2: "trap", 3: "sum"}, hidden=True),
    "M": Slider("Examples M", "examples", 4, (1, MOST)),
    "x": Slider("Feature of the example", "no unit", 1.5, (-3.0, 3.0), hidden=True, log=False),
    "y": Slider("Label of the example", "labels", 7.0, (-8.0, 8.0), hidden=True, log=False),
}


class Chosen(NamedTuple):
    """The settings of this figure; x and y are those of the example in the reader's hand."""

    block: int
    M: int
    x: float
    y: float


def settings(block: int, M: int, x: float, y: float) -> Chosen:
    """A prompt of M examples, the last of them given."""
    return Chosen(block, M, x, y)


def slopes_of(settings: Chosen, x: Vector, y: Vector) -> Vector:
    """(3,) where the step starts and lands, and the bottom of the bowl, least squares; NaN where the bowl is flat."""
    M, xx, xy, way = float(settings.M), dot(x, x), dot(x, y), start_and_gain(settings.block, settings.M)
    lands = way[0] + way[1] * (xy / M - xx / M * way[0])
    return [way[0], lands, divide(xy, xx)]


def bowl(settings: Chosen, seed: int) -> Readings:
    """The bowl of the prompt, with the start, the landing and the bottom."""
    prompt = prompt_of(seed, settings.M, settings.x, settings.y)
    x, y = prompt[0], prompt[1]
    return bowl_with(divide(dot(x, y), dot(x, x)), dot(x, x) / float(settings.M), slopes_of(settings, x, y))


def prompt(settings: Chosen, seed: int) -> Readings:
    """Examples x, y (M,), the one in the reader's hand; ends, to (2,), the line after the step; the gain, steepness S,
    the percent of the way to the bottom, the block, the examples.
    """
    drawn = prompt_of(seed, settings.M, settings.x, settings.y)
    x, y, way = drawn[0], drawn[1], start_and_gain(settings.block, settings.M)
    at, S = slopes_of(settings, x, y), dot(x, x) / float(settings.M)
    return {
        "x": x, "y": y, "hand_x": [settings.x], "hand_y": [settings.y], "ends": [-3.0, 3.0],
        "to": [-3.0 * at[1], 3.0 * at[1]], "gain": [way[1]], "S": [S],
        "percent": [100.0 * way[1] * S], "block": [float(settings.block)], "M": [float(settings.M)],
    }  # fmt: skip


def picture() -> tuple[points, points]:
    """The bowl of the prompt with the step, and the prompt with the line after it."""
    return (
        points(
            x="bowl.at", y="bowl.high", kinds="bowl.kinds", kind_names=("start", "one step", "least squares"),
            ideas=("data", "step", "least squares"), xlim=(LOW, HIGH), ylim=(FOOT, TOP), xlabel="slope",
            ylabel="error above least squares", height=212, ends=False, xticks=[(0.0, "0"), (2.0, "2"), (4.0, "4")],
            lines=[Path("bowl.slopes", "bowl.errors", "bowl", idea="loss"),
                   Path("bowl.start_x", "bowl.start_y", "start", "data"),
                   Path("bowl.other_x", "bowl.other_y", "least squares", "least squares"),
                   Path("bowl.to_x", "bowl.to_y", "one step", "step")],
            alt="The error on these examples is a parabola of the slope. One step leads from the start towards its "
            "bottom and stops before it.",
        ),
        points(
            x="prompt.x", y="prompt.y", ideas=("data",), at_x="prompt.hand_x", at_y="prompt.hand_y", query=("x", "y"),
            query_is="", xlim=(-3.2, 3.2), ylim=(-12, 12), xlabel="feature", ylabel="label", height=208,
            lines=[Path("prompt.ends", "prompt.to", "one step", "step")],
            alt="Four examples and the line through zero after one step.",
        ),
    )  # fmt: skip


def say() -> list[Say]:
    """How much of the way the step goes."""
    why = "The gain is {prompt.gain:2}."
    goes = "One step goes {prompt.percent:0}% of the way to the bottom"
    return [
        Say("The trap steps along one direction only. This bowl belongs to another: the answer is the start.",
            "prompt.block == 2"),
        Say(f"Made for 8 examples, attention that sums gets {{prompt.M:0}}. {goes}.", "prompt.block == 3"),
        Say(f"This bowl is flat: the answer is the start. {why}", "prompt.S < 0.005"),
        Say(f"{goes}, and so beyond it. {why}", "prompt.percent > 100", "prompt.block == 0"),
        Say(f"{goes}. {why}", "prompt.block == 0"),
        Say(f"Without the MLP the step starts at zero. {goes}, and so beyond it.", "prompt.percent > 100"),
        Say(f"Without the MLP the step starts at zero. {goes}."),
    ]  # fmt: skip


IDEA = Idea(
    "The step ends nearer to the bottom of the bowl than it began.",
    greater=lambda drawn: away_of(drawn, 0),
    than=lambda drawn: away_of(drawn, 1),
    breaks={"M": 1, "x": 3.0, "y": 3.0},
)


def away_of(drawn: Any, which: int) -> float:
    """How far above the bottom a mark stands."""
    return float(drawn["bowl.high"][which])
