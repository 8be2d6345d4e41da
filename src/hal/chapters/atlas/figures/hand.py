"""Small figure `atlas-hand`: attention to drag, over tokens whose answers are equal or lie apart.

Chapter `atlas`. Source: our own; Lemma 1.
"""

from typing import Any, NamedTuple

from hal.figure import Idea, Line, Say, Slider, Weights, bars, columns
from lib.portable.primitives import Readings, Vector
from lib.portable.vectors import dot, numbered

TITLE, HINT = "Does it matter where attention looks?", "Drag the orange bars. Then move the answers apart."
SLIDERS = {
    "attention": Weights("Attention", 5, (0.1, 0.5, 0.2, 0.1, 0.1)),
    "spread": Slider("Spread of the answers", "no unit", 0.0, (0, 1)),
}
APART = [0.1, 0.4, -0.2, 0.1, -0.4]  # what each answer adds to 0.5 at spread 1


class Layer(NamedTuple):
    """Attention over five tokens, and how far their answers lie apart."""

    attention: Vector
    spread: float


def settings(attention: Vector, spread: float) -> Layer:
    """The layer of these bars."""
    return Layer(attention, spread)


def layer(settings: Layer) -> Readings:
    """The tokens, attention, the answers, and their weighted mean."""
    answers = [0.5 + settings.spread * x for x in APART]
    output = dot(settings.attention, answers)
    return {
        "tokens": numbered(5), "attention": settings.attention, "answers": answers, "output": [output],
        "spread": [settings.spread],
    }  # fmt: skip


def picture() -> tuple[Any, Any]:
    """The answers with their mean, and attention, by which it is weighted."""
    return (
        columns(
            heights="layer.answers", widths="layer.attention", level="layer.output", ylim=(0, 1), thick=True,
            ylabel="answer of each token, as wide as its attention",
            line_is="output", height=230, alt="Five answers, as wide as their attention, and across them their mean.",
        ),
        bars("layer.tokens", [Line("layer.attention", "attention", idea="attention")], xlabel="token (number)",
             ylabel="attention (fraction)", title="Attention: drag a bar", ylim=(0, 1), height=190, drag="attention"),
    )  # fmt: skip


def say() -> list[Say]:
    """Whether attention moves the output."""
    return [
        Say("All answers are equal, so the output is {layer.output:2} wherever attention looks.", "layer.spread == 0"),
        Say("The answers differ, so the output depends on attention: it is {layer.output:2}, and 0.5 if attention is "
            "uniform."),
    ]  # fmt: skip


IDEA = Idea(
    "While the answers are equal the output is that of uniform attention.",
    greater=lambda drawn: 1e-9,
    than=lambda drawn: abs(drawn["layer.output"][0] - drawn["layer.answers"].mean()),
    breaks={"spread": 1.0},
)
