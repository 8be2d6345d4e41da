"""Small figure `scan_snap-verse`: in real text attention first goes to what is frequent, and then to what tells.

Chapter `scan_snap`. Source: arXiv 2305.16380, Figures 7 and 10, on other texts; three recorded snapshots of one run.
"""

from typing import NamedTuple

from hal.chapters.scan_snap.runs.text import text_runs
from hal.figure import Idea, Say, Slider, ink
from lib.portable.primitives import Matrix, Readings, Vector, nan, recorded, zeros
from lib.portable.vectors import largest

LENGTH = 33  # words that the last one sees
#: A test holds these to hal/results/scan_snap/text.json: attention on the words before at steps 0, 600 and 2,400.
SHARES = recorded(Matrix, "hal/chapters/scan_snap/recorded.json", "verse.shares")
#: Which of them have letters; the others are commas.
LETTERED = recorded(Vector, "hal/chapters/scan_snap/recorded.json", "verse.lettered")
SHOWN = ["“,”" if word == "," else word for word in text_runs()["map"]["words"][: LENGTH + 1]]
TITLE = "Where the word “blessed” looks"
HINT = "Step through training: who gains ink?"
SLIDERS = {
    "stop": Slider("Training", default=2, names={0: "before", 1: "step 600", 2: "step 2,400"}),
    "word": Slider("Word", "words", 29, (1, 33), log=False, hidden=True),
}


class Chosen(NamedTuple):
    """The settings of this figure."""

    stop: int  # snapshot
    word: int  # from 1


def settings(stop: int, word: int) -> Chosen:
    """A snapshot of a recorded run."""
    return Chosen(stop, word)


def verse(settings: Chosen) -> Readings:
    """Attention on each of the 33 words before “blessed”, and NaN for that; which these are, whether they are words;
    the largest and that of the chosen word, in percent."""
    looked, weights, kinds, lettered = SHARES[settings.stop], zeros(LENGTH + 1), zeros(LENGTH + 1), zeros(LENGTH + 1)
    for i in range(LENGTH + 1):
        weights[i] = looked[i] if i < LENGTH else nan
        kinds[i] = float(i)
        lettered[i] = LETTERED[i] if i < LENGTH else 1.0
    return {
        "weights": weights, "kinds": kinds, "lettered": lettered,
        "percent": [100.0 * largest(looked)], "chosen": [100.0 * looked[settings.word - 1]],
        "stop": [float(settings.stop)],
    }  # fmt: skip


def picture() -> ink:
    """The 33 words in ink, and the one that looks."""
    return ink(
        weights="verse.weights", tokens="verse.kinds", words=SHOWN, groups="verse.lettered",
        ideas=("common", "distinct"), group_names=("commas", "words"), pick="word", asks=True, height=215,
        alt="Blessed, framed, after 33 words: you, said, ye and it are large and dark, the commas small and pale.",
    )  # fmt: skip


def say() -> list[Say]:
    """At what it looks most, as recorded."""
    most, own = (
        "“blessed” looks most at",
        "{verse.percent}% of its attention. The underlined word has {verse.chosen}%.",
    )
    return [
        Say("Before training “blessed” looks at every word equally, with {verse.chosen}% each.", "verse.stop == 0"),
        Say(f"At step 600 {most} the four commas, each with {own}", "verse.stop == 1"),
        Say(f"At step 2,400 {most} “you”, with {own}", "verse.stop == 2"),
    ]


IDEA = Idea(
    "The word that it looks at most has over twice the attention of any comma.",
    greater=lambda drawn: max(drawn["verse.weights"][:LENGTH]),
    than=lambda drawn: 2 * max(drawn["verse.weights"][drawn["verse.lettered"] == 0]),
    breaks={"stop": 1},
)
