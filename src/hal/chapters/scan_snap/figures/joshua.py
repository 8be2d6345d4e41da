"""Small figure `scan_snap-joshua`: where a query looks in a verse, before training and by the decoder's speed.

Chapter `scan_snap`. Source: ours; the model of arXiv 2305.16380, Section 3, on text. Recorded logits of 16 runs
and the steps that they took.
"""

from typing import NamedTuple

from hal.figure import Idea, Say, Slider, ink
from lib.portable.numbers import exp
from lib.portable.primitives import Matrix, Readings, Vector, Wholes, floored, nan, recorded, zeros
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
HINT = "Press “untrained” to see the start."
SLIDERS = {"who": Slider("The layer", default=1, names={0: "untrained", 1: "trained"})}


class Chosen(NamedTuple):
    """The settings of this figure."""

    who: int


def settings(who: int) -> Chosen:
    """Whether the layer is trained."""
    return Chosen(who)


def attended(z: Vector, trained: bool) -> Vector:
    """Attention on each of the 22 words before “the”, and NaN for that."""
    n = len(PLACES) - FIRST
    weights = zeros(n + 1)
    for i in range(n):
        weights[i] = exp(z[PLACES[FIRST + i]]) if trained else 1.0
    scale(weights, 1.0 / total(weights))
    weights[n] = nan
    return weights


def verse(settings: Chosen) -> Readings:
    """Attention with a slow and with a fast decoder; which words these are, and whether they are among the twenty most
    frequent ones; both attentions on “joshua” in whole percent."""
    n = len(PLACES) - FIRST
    slow, fast = attended(LOGITS[1], settings.who > 0), attended(LOGITS[0], settings.who > 0)
    kinds, tells = zeros(n + 1), zeros(n + 1)
    for i in range(n + 1):
        kinds[i] = float(i)
        tells[i] = TELLS[FIRST + i] if i < n else 1.0
    return {
        "slow": slow, "fast": fast, "kinds": kinds, "tells": tells, "who": [float(settings.who)],
        "joshua": [floored(100.0 * slow[n - 1] + 0.5)], "less": [floored(100.0 * fast[n - 1] + 0.5)],
    }  # fmt: skip


def picture() -> tuple[ink, ...]:
    """The 22 words and the one that looks, with each decoder."""
    return tuple(
        ink(weights=f"verse.{name}", tokens="verse.kinds", words=SHOWN, groups="verse.tells", asks=True, percent=0.07,
            full=0.6, ideas=("common", "distinct"), group_names=("20 most frequent words", "others"), height=250,
            title=pace, alt=f"The, framed, after 22 words, of which joshua {size}.")
        for name, pace, size in (("slow", "Slow decoder (964 steps)", "is by far the largest"),
                                 ("fast", "Fast decoder (20 steps)", "is smaller than moses"))
    )  # fmt: skip


def say() -> list[Say]:
    """Who has the attention, where all have learned as much."""
    return [
        Say("Before training all words have the same attention: “joshua” has {verse.joshua}%.", "verse.who == 0"),
        Say("“joshua” has {verse.joshua}% of the attention if the decoder learns slowly, {verse.less}% if fast."),
    ]


IDEA = Idea(
    "With a slow decoder “joshua” has more than twice the attention of any other word, with a fast one it has not.",
    greater=lambda drawn: drawn["verse.slow"][21] / 2,
    than=lambda drawn: max(*drawn["verse.slow"][:21], drawn["verse.fast"][21]),
    breaks={"who": 0},
)
