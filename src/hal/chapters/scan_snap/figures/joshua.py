"""Small figure `scan_snap-joshua`: where a query looks in a verse, by whom Adam trains and at which learning rate.

Chapter `scan_snap`. Source: ours; the model of arXiv 2305.16380, Section 3, on text. Recorded logits of 16 runs.
"""

from typing import NamedTuple

from hal.chapters.scan_snap.figures._shared import adam_sliders
from hal.chapters.scan_snap.runs.joshua import PLACES, RATES, TELLS, logits
from hal.explorer import Idea, Say, ink
from lib.portable.numbers import exp
from lib.portable.primitives import Readings, nan, zeros
from lib.portable.vectors import total

VERSE = (  # the “…” is no word of the 400
    "moses … in the sight of all israel . now after the death of moses the servant of the lord it came to pass , "
    "that the lord spake unto joshua"
)
SHOWN = [*(("“,”" if word == "," else "“.”" if word == "." else word) for word in VERSE.split()), "the"]
TITLE = "Where “the” looks, before “son”"
HINT = "Adam in attention alone: who gains?"
SLIDERS = adam_sliders(RATES, who=3, rate=6)


class Chosen(NamedTuple):
    """What is chosen."""

    who: int
    rate: int  # which of the recorded ones


def settings(who: int, rate: int) -> Chosen:
    """A layer that Adam trains, and its learning rate."""
    return Chosen(who, rate)


def verse(settings: Chosen) -> Readings:
    """Attention on each of the 31 words before “the”, and NaN for that; which these are, and whether they are among the
    twenty most frequent ones; the attention on “joshua” and on all frequent ones, in percent."""
    z, n = logits(settings.who, settings.rate), len(PLACES)
    weights, kinds, tells = zeros(n + 1), zeros(n + 1), zeros(n + 1)
    for i in range(n):
        weights[i] = exp(z[PLACES[i]]) if PLACES[i] >= 0 else 0.0
        kinds[i] = float(i)
        tells[i] = TELLS[i]
    every = total(weights)
    frequent = 0.0
    for i in range(n):
        weights[i] /= every
        frequent += (1.0 - TELLS[i]) * weights[i]
    joshua = weights[n - 1]
    weights[n] = nan
    kinds[n] = float(n)
    tells[n] = 1.0
    return {
        "weights": weights, "kinds": kinds, "tells": tells, "joshua": [100.0 * joshua],
        "frequent": [100.0 * frequent], "who": [float(settings.who)],
    }  # fmt: skip


def picture() -> ink:
    """The 31 words in ink, and the one that looks."""
    return ink(
        weights="verse.weights", tokens="verse.kinds", words=SHOWN, groups="verse.tells", ideas=("theory", "signal"),
        group_names=("the 20 most frequent words", "others"), asks=True, height=215,
        alt="The, framed, after 31 words: joshua is the largest and darkest, then moses; frequent words are pale.",
    )  # fmt: skip


def say() -> list[Say]:
    """Who has the attention, where all have learned as much."""
    ends = "“joshua” has {verse.joshua}% of the attention, the frequent words together {verse.frequent}%."
    return [
        Say(f"With gradient descent in both layers {ends}", "verse.who == 0"),
        Say(f"With Adam in both layers {ends}", "verse.who == 1"),
        Say(f"With Adam in the decoder alone {ends}", "verse.who == 2"),
        Say(f"With Adam in attention alone {ends}", "verse.who == 3"),
    ]


IDEA = Idea(
    "“joshua”, which tells what follows, has five times the attention of a word of the verse.",
    greater=lambda drawn: drawn["verse.weights"][30],
    than=lambda drawn: 5 / 31,
    breaks={"who": 0},
)
