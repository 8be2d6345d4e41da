"""Small figure `scan_snap-joshua`: where a query looks in a verse, before training and by the decoder's speed.

Chapter `scan_snap`. Source: ours; the model of arXiv 2305.16380, Section 3, on text. Recorded logits of 16 runs
and the steps that they took.
"""

from typing import NamedTuple

from hal.figure import Idea, Say, Slider, ink
from lib.portable.numbers import exp
from lib.portable.primitives import Matrix, Readings, Vector, Wholes, nan, recorded, zeros
from lib.portable.vectors import scale, total

#: A test holds these to hal/results/scan_snap/adam_text.json. Which of 22 words in alphabetical order each of the 31
#: before “the son” is, up to Joshua 1:1; -1 for one that is not among the 400 most frequent.
PLACES = recorded(Wholes, "hal/chapters/scan_snap/recorded.json", "joshua.places")
#: 0 for the twenty most frequent words of the text, 1 for the others.
TELLS = recorded(Vector, "hal/chapters/scan_snap/recorded.json", "joshua.tells")
#: Attention logits of the 22 words in nats, the largest 0, means of sixteen runs where the held-out loss has fallen by
#: a fifth: of Adam at rate 0.1 in both layers, and of Adam in attention with gradient descent in the decoder.
LOGITS = recorded(Matrix, "hal/chapters/scan_snap/recorded.json", "joshua.logits")
FIRST = 9  # of these words in the book of Joshua; those before end Deuteronomy
VERSE = "now after the death of moses the servant of the lord it came to pass , that the lord spake unto joshua"
SHOWN = [*VERSE.split(), "the … ?"]
TITLE = "Which words does “the” look at?"
HINT = "Choose a faster decoder below, and watch joshua shrink."
SLIDERS = {"who": Slider("The layer", default=2, names={0: "untrained", 1: "fast decoder", 2: "slow decoder"})}


class Chosen(NamedTuple):
    """The settings of this figure."""

    who: int


def settings(who: int) -> Chosen:
    """Whether the layer is trained, and how fast its decoder learns."""
    return Chosen(who)


def verse(settings: Chosen) -> Readings:
    """Attention on each of the 22 words before “the”, and NaN for that; which these are, and whether they are among the
    twenty most frequent ones; the attention on “joshua” in percent."""
    z = LOGITS[max(0, settings.who - 1)]
    n = len(PLACES) - FIRST
    weights, kinds, tells = zeros(n + 1), zeros(n + 1), zeros(n + 1)
    for i in range(n):
        weights[i] = exp(z[PLACES[FIRST + i]]) if settings.who > 0 else 1.0
        kinds[i] = float(i)
        tells[i] = TELLS[FIRST + i]
    scale(weights, 1.0 / total(weights))
    joshua = weights[n - 1]
    weights[n] = nan
    kinds[n] = float(n)
    tells[n] = 1.0
    return {
        "weights": weights, "kinds": kinds, "tells": tells, "joshua": [100.0 * joshua],
        "who": [float(settings.who)],
    }  # fmt: skip


def picture() -> ink:
    """The 22 words in ink, and the one that looks."""
    return ink(
        weights="verse.weights", tokens="verse.kinds", words=SHOWN, groups="verse.tells", ideas=("common", "distinct"),
        group_names=("the 20 most frequent words", "others"), asks=True, height=200,
        alt="The, framed, after 22 words, of which joshua is by far the largest and darkest.",
    )  # fmt: skip


def say() -> list[Say]:
    """Who has the attention, where all have learned as much."""
    ends = "“joshua” has {verse.joshua}% of the attention."
    return [
        Say(f"Before training all words have the same attention: {ends}", "verse.who == 0"),
        Say(f"Trained with a fast decoder, {ends}", "verse.who == 1"),
        Say(f"Trained with a slow decoder, {ends}", "verse.who == 2"),
    ]


IDEA = Idea(
    "“joshua” has more than twice the attention of any other word.",
    greater=lambda drawn: drawn["verse.weights"][21] / 2,
    than=lambda drawn: max(drawn["verse.weights"][:21]),
    breaks={"who": 1},
)
