"""Small figure `scan_snap-verse`: attention gets sparse on real text, and on the same words in random order.

Chapter `scan_snap`. Source: arXiv 2305.16380, Figures 7 and 10, on other texts; entropies of recorded runs.
"""

from typing import Any, NamedTuple

from hal.figure import Idea, Line, Say, Slider, lines
from lib.portable.numbers import exp
from lib.portable.primitives import Matrix, Readings, Vector, recorded, zeros

#: A test holds these to hal/results/scan_snap/text.json: mean entropy of attention (8, 17) in nats, by record; of the
#: King James Bible at each of four rates, and of its words in random order.
ENTROPY = recorded(Matrix, "hal/chapters/scan_snap/recorded.json", "verse.entropy")
MANY = 4  # rates
EVERY = 150.0  # steps between records
TITLE = "Is attention sparse on shuffled text?"
HINT = "Lower the learning rate: which text is first?"
SLIDERS = {"rate": Slider("Learning rate", default=3, names={0: "0.5", 1: "1", 2: "2", 3: "5"})}


class Chosen(NamedTuple):
    """The settings of this figure."""

    rate: int  # which of the recorded ones


def settings(rate: int) -> Chosen:
    """The runs at this rate."""
    return Chosen(rate)


def sharing(entropy: Vector) -> Vector:
    """How many equally attended words have these entropies in nats."""
    words = zeros(len(entropy))
    for k in range(len(words)):
        words[k] = exp(entropy[k])
    return words


def texts(settings: Chosen) -> Readings:
    """Steps (17,), and how many words share the attention on both texts; the last of each."""
    steps = zeros(len(ENTROPY[0]))
    for k in range(len(steps)):
        steps[k] = EVERY * float(k)
    real, shuffled = sharing(ENTROPY[settings.rate]), sharing(ENTROPY[MANY + settings.rate])
    last = len(steps) - 1
    return {"t": steps, "real": real, "shuffled": shuffled, "ends": [real[last]], "shuffled_ends": [shuffled[last]]}


def picture() -> Any:
    """How many words share the attention on both texts, over training."""
    return lines(
        "texts.t", [Line("texts.real", "the Bible", idea="attention"),
                    Line("texts.shuffled", "random order", idea="rival")],
        xlabel="training time (steps)", title="", ylim=(0.0, 15.0), height=240,
        ylabel="how many words share the attention (words)",
    )  # fmt: skip


def say() -> list[Say]:
    """Where both end."""
    return [Say("In the end {texts.ends:1} words share the attention on the Bible, {texts.shuffled_ends:1} on "
                "shuffled text.")]  # fmt: skip


IDEA = Idea(
    "At the largest rate shuffled text turns sparser.",
    greater=lambda drawn: drawn["texts.real"][-1],
    than=lambda drawn: drawn["texts.shuffled"][-1] + 0.5,
    breaks={"rate": 1},
)
