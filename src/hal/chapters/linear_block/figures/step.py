"""Small figure `linear_block-step`: one step in the bowl of a prompt, with one gain for all bowls.

Chapter `linear_block`. Source: arXiv 2402.14951, equation 5.1 and Theorem 5.2, with one feature, H = Psi = 1.
"""

from typing import Any, NamedTuple

from hal.chapters.linear_block.runs.bowls import HIGH, LOW, MOST, TOP, bowl_of
from hal.figure import Idea, Path, Say, Slider, points
from lib.portable.primitives import Readings

TITLE, AGAIN = "One gain for every bowl", "Next prompt"
HINT = "Drag the ringed example far out, then to the middle: how steep is the bowl?"
SLIDERS = {
    "M": Slider("Examples M", "examples", 4, (1, MOST)),
    "x": Slider("Feature of the example", "no unit", 1.5, (-3.0, 3.0), hidden=True, log=False),
    "y": Slider("Label of the example", "labels", 7.0, (-8.0, 8.0), hidden=True, log=False),
}


class Chosen(NamedTuple):
    """The settings of this figure; x and y are those of the example in the reader's hand."""

    M: int
    x: float
    y: float


def settings(M: int, x: float, y: float) -> Chosen:
    """A prompt of M examples, the last of them given."""
    return Chosen(M, x, y)


def bowl(settings: Chosen, seed: int) -> Readings:
    """The prompt, its bowl and the step on it, see `bowl_of`; where the reader's example is."""
    return bowl_of(seed, settings.M, settings.x, settings.y)


def picture() -> tuple[points, points]:
    """The prompt with three lines, and its bowl with the step."""
    lines = (("from", "start", "data", False), ("to", "block", "step", False), ("best", "Bayes", "theory", True))
    return (
        points(
            x="bowl.x", y="bowl.y", ideas=("least squares",), at_x="bowl.hand_x", at_y="bowl.hand_y", query=("x", "y"),
            query_is="yours", xlim=(-3.2, 4.8), ylim=(-12, 12), xlabel="feature",
            ylabel="label", height=144,
            lines=[Path("bowl.ends", f"bowl.{name}", label, idea, dashed) for name, label, idea, dashed in lines],
            alt="Four examples and three lines through zero: the start, the line after one step, and Bayes between.",
        ),
        points(
            x="bowl.at", y="bowl.high", kinds="bowl.kinds", ideas=("theory", "step", "bayes"), signs="sbB",
            kind_names=("start", "lands", "Bayes predictor"), xlim=(LOW, HIGH), ylim=(-0.4, TOP),
            xlabel="slope", ylabel="error on the examples, less the least", height=144,
            lines=[Path("bowl.slopes", "bowl.errors", "bowl", idea="loss"),
                   Path("bowl.way", "bowl.down", "", idea="step")],
            alt="The error on these examples is a parabola of the slope. One step leads from the start towards its "
                "bottom and stops before it.",
        ),
    )  # fmt: skip


def say() -> list[Say]:
    """How much of the way the step goes."""
    why = "The gain {bowl.gain:2} is the same for all prompts, the steepness {bowl.S:2} is not."
    return [
        Say(
            "This bowl is flat: the answer is the start. The gain {bowl.gain:2} is the same for all prompts.",
            "bowl.S < 0.005",
        ),
        Say("One step goes {bowl.percent:0}% of the way to the bottom, and so beyond it. " + why, "bowl.percent > 100"),
        Say("One step goes {bowl.percent:0}% of the way to the bottom. " + why),
    ]


IDEA = Idea(
    "The step ends nearer to the bottom of the bowl than it began.",
    greater=lambda drawn: away_of(drawn, 0),
    than=lambda drawn: away_of(drawn, 1),
    breaks={"M": 1, "x": 3.0, "y": 3.0},
)


def away_of(drawn: Any, which: int) -> float:
    """How far above the bottom a mark stands."""
    return float(drawn["bowl.high"][which])
