"""Small figure `scan_snap-verse`: attention gets sparse on real text, and on the same words in random order.

Chapter `scan_snap`. Source: arXiv 2305.16380, Figures 7 and 10, on other texts; entropies of recorded runs.
"""

from typing import Any, NamedTuple

from hal.figure import Idea, Line, Say, Slider, lines
from lib.portable.primitives import Matrix, Readings, recorded, zeros

#: A test holds these to hal/results/scan_snap/text.json: mean entropy of attention (8, 17) in nats, by record; of the
#: King James Bible at each of four rates, and of its words in random order.
ENTROPY = recorded(Matrix, "hal/chapters/scan_snap/recorded.json", "verse.entropy")
MANY = 4  # rates
EVERY = 150.0  # steps between records
TITLE = "Does only real text turn sparse?"
HINT = "Lower the learning rate: which text turns sparse first?"
SLIDERS = {"rate": Slider("Learning rate η", default=3, names={0: "0.5", 1: "1", 2: "2", 3: "5"})}


class Chosen(NamedTuple):
    """The settings of this figure."""

    rate: int  # which of the recorded ones


def settings(rate: int) -> Chosen:
    """The runs at a rate."""
    return Chosen(rate)


def texts(settings: Chosen) -> Readings:
    """Steps and both entropies (17,); the last of each."""
    real, shuffled = ENTROPY[settings.rate], ENTROPY[MANY + settings.rate]
    steps = zeros(len(real))
    for k in range(len(steps)):
        steps[k] = EVERY * float(k)
    last = len(steps) - 1
    return {
        "t": steps, "real": real, "shuffled": shuffled,
        "ends": [real[last]], "shuffled_ends": [shuffled[last]],
    }  # fmt: skip


def picture() -> Any:
    """Both entropies over training."""
    series = [
        Line("texts.real", "the Bible", idea="attention"),
        Line("texts.shuffled", "its words, shuffled", idea="rival"),
    ]
    return lines("texts.t", series, xlabel="training time (steps)", title="", ylim=(0.0, 2.8), height=230,
                 ylabel="entropy of attention: less is sparser (nats)")  # fmt: skip


def say() -> list[Say]:
    """Where both end."""
    return [Say("The Bible ends at {texts.ends:2} nats, its shuffled words end at {texts.shuffled_ends:2}.")]


IDEA = Idea(
    "Shuffled text ends sparser than real text.",
    greater=lambda drawn: drawn["texts.real"][-1],
    than=lambda drawn: drawn["texts.shuffled"][-1],
    breaks={"rate": 2},
)
