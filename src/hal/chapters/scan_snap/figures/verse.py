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
TITLE = "Sparse attention on real text only?"
HINT = "Choose the smaller learning rate."
SLIDERS = {"rate": Slider("Smaller learning rate", default=1, names={0: "0.5", 1: "1", 2: "2"})}


class Chosen(NamedTuple):
    """The settings of this figure."""

    rate: int  # which of the recorded ones


def settings(rate: int) -> Chosen:
    """The runs at this rate, besides those at 5."""
    return Chosen(rate)


def texts(settings: Chosen) -> Readings:
    """Steps and entropies (17,) of both texts, at learning rate 5 and at the chosen one; the last of each."""
    rate, steps = settings.rate, zeros(len(ENTROPY[0]))
    last = len(steps) - 1
    for k in range(len(steps)):
        steps[k] = EVERY * float(k)
    return {
        "t": steps, "real": ENTROPY[3], "shuffled": ENTROPY[MANY + 3],
        "slow": ENTROPY[rate], "slow_shuffled": ENTROPY[MANY + rate],
        "ends": [ENTROPY[rate][last]], "shuffled_ends": [ENTROPY[MANY + rate][last]],
    }  # fmt: skip


def picture() -> tuple[Any, ...]:
    """Both entropies over training, at a large and at a smaller rate."""
    return tuple(
        lines("texts.t", [Line(f"texts.{real}", "the Bible", idea="first"),
                          Line(f"texts.{start}shuffled", "shuffled", idea="rival")],
              xlabel="training time (steps)", title=title, ylim=(0.0, 2.8), height=230,
              ylabel="entropy of the map: lower is sparser (nats)")
        for start, real, title in (("", "real", "Rate 5: shuffled text ends sparser"),
                                   ("slow_", "slow", "Smaller rate: the Bible first"))
    )  # fmt: skip


def say() -> list[Say]:
    """Where both end."""
    return [Say("At the smaller rate the Bible ends at {texts.ends:2} nats, shuffled text at {texts.shuffled_ends:2}.")]


IDEA = Idea(
    "At the smaller rate only the Bible turns sparse, at the larger one shuffled text turns sparser.",
    greater=lambda drawn: drawn["texts.slow_shuffled"][-1] - 0.2,
    than=lambda drawn: max(drawn["texts.slow"][-1], drawn["texts.shuffled"][-1] + 0.2),
    breaks={"rate": 2},
)
