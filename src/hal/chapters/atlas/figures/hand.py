"""Small figure `atlas-hand`: attention to drag, over tokens whose answers are equal or lie apart.

Chapter `atlas`. Source: our own; Lemma 1.
"""

from typing import NamedTuple

from hal.figure import Idea, Line, Say, Slider, Weights, bars
from hal.figure.charts import Bars
from lib.portable.primitives import Readings, Vector
from lib.portable.vectors import dot, filled, numbered

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
    """The tokens, attention, the answers, and their weighted mean beside each (5,)."""
    answers = [0.5 + settings.spread * x for x in APART]
    output = dot(settings.attention, answers)
    return {
        "tokens": numbered(5), "attention": settings.attention, "answers": answers, "level": filled(5, output),
        "output": [output], "spread": [settings.spread],
    }  # fmt: skip


def panel(title: str, ylabel: str, *series: Line, drag: str | None = None) -> Bars:
    """A bar for each token."""
    return bars("layer.tokens", series, xlabel="token (number)", ylabel=ylabel, title=title, ylim=(0, 1), height=150,
                drag=drag)  # fmt: skip


def picture() -> tuple[Bars, Bars]:
    """Attention, and what it averages."""
    output = Line("layer.level", "output, the weighted mean", theory=True)
    return (
        panel("Attention: drag a bar", "attention (share)", Line("layer.attention", "attention", idea="attention"),
              drag="attention"),
        panel("The read-out’s answers, and the output", "answer (no unit)",
              Line("layer.answers", "answer", idea="output"), output),
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
    than=lambda drawn: abs(drawn["layer.level"][0] - drawn["layer.answers"].mean()),
    breaks={"spread": 1.0},
)
