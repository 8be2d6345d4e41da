"""Small figure `atlas-hand`: attention to drag, over equal answers and over answers that differ.

Chapter `atlas`. Source: our own; Lemma 1.
"""

from typing import Any, NamedTuple

from hal.figure import Idea, Line, Say, Weights, bars, columns
from lib.portable.primitives import Readings, Vector
from lib.portable.vectors import dot, filled, numbered

TITLE, HINT = "Which output can you move?", "Drag the orange bars."
TALLEST = 520  # attention over both of its outputs
SLIDERS = {"attention": Weights("Attention", 5, (0.1, 0.5, 0.2, 0.1, 0.1))}
ANSWERS = [0.4, 0.9, 0.3, 0.6, 0.3]  # of mean 0.5


class Layer(NamedTuple):
    """Attention over five tokens."""

    attention: Vector


def settings(attention: Vector) -> Layer:
    """The layer of these bars."""
    return Layer(attention)


def layer(settings: Layer) -> Readings:
    """The tokens, attention, both sets of answers, and their weighted means."""
    equal, answers = filled(5, 0.5), [x for x in ANSWERS]
    return {
        "tokens": numbered(5), "attention": settings.attention, "equal": equal, "answers": answers,
        "still": [dot(settings.attention, equal)], "output": [dot(settings.attention, answers)],
    }  # fmt: skip


def picture() -> tuple[Any, Any, Any]:
    """Attention, and the answers that it weights: equal ones, and others."""
    kinds = (
        ("equal answers; bar width is attention", "equal", "still"),
        ("answers that differ; bar width is attention", "answers", "output"),
    )
    equal, differ = (
        columns(
            heights=f"layer.{heights}", widths="layer.attention", level=f"layer.{level}", ylim=(0, 1), thick=True,
            ylabel=words, line_is="output", height=130, wide=True, alt=f"Five {words}, and their mean.",
        )
        for words, heights, level in kinds
    )  # fmt: skip
    attention = bars(
        "layer.tokens", [Line("layer.attention", "attention", idea="attention")], xlabel="token (number)",
        ylabel="attention (fraction)", title="Attention: drag a bar", ylim=(0, 1), height=125, drag="attention",
    )  # fmt: skip
    return attention, equal, differ


def say() -> list[Say]:
    """What attention does to both outputs."""
    return [Say("Equal answers give {layer.still:2} wherever attention looks; the others now give {layer.output:2}.")]


IDEA = Idea(
    "Attention moves the output of answers that differ, and not that of equal ones.",
    greater=lambda drawn: abs(drawn["layer.output"][0] - 0.5),
    than=lambda drawn: abs(drawn["layer.still"][0] - 0.5) + 0.1,
    breaks={"attention": (0.2, 0.2, 0.2, 0.2, 0.2)},
)
