"""Small figure `scan_snap-verse`: attention gets sparse on real text, and on the same words in random order.

Chapter `scan_snap`. Source: arXiv 2305.16380, Figures 7 and 10, on other texts; three recorded snapshots of one run,
and the entropy of all attention while it trains.
"""

from typing import NamedTuple

from hal.chapters.scan_snap.runs.text import text_runs
from hal.figure import Idea, Path, Say, Slider, ink, points
from lib.portable.primitives import Matrix, Readings, Vector, nan, recorded, zeros
from lib.portable.vectors import largest

LENGTH = 33  # words that the last one sees
#: A test holds these to hal/results/scan_snap/text.json: attention on the words before at steps 0, 600 and 2,400.
SHARES = recorded(Matrix, "hal/chapters/scan_snap/recorded.json", "verse.shares")
#: Entropy in nats, by record: of this text, and of its words in random order.
ENTROPY = recorded(Matrix, "hal/chapters/scan_snap/recorded.json", "verse.entropy")
#: Which of the words have letters; the others are commas.
LETTERED = recorded(Vector, "hal/chapters/scan_snap/recorded.json", "verse.lettered")
SHOWN = ["“,”" if word == "," else word for word in text_runs()["map"]["words"][: LENGTH + 1]]
EVERY = 150.0  # steps between records
RECORDS = [0, 4, 16]  # of the snapshots
TITLE = "Shuffled text ends almost as sparse"
HINT = "Step through training: who gains ink?"
SLIDERS = {"stop": Slider("Training", default=0, names={0: "before", 1: "step 600", 2: "step 2,400"})}


class Chosen(NamedTuple):
    """The settings of this figure."""

    stop: int  # snapshot


def settings(stop: int) -> Chosen:
    """A snapshot of a recorded run."""
    return Chosen(stop)


def verse(settings: Chosen) -> Readings:
    """Attention on each of the 33 words before “blessed”, and NaN for that; which these are, whether they are words;
    the largest, in percent; steps and entropies, and those of the snapshot."""
    looked, weights, kinds, lettered = SHARES[settings.stop], zeros(LENGTH + 1), zeros(LENGTH + 1), zeros(LENGTH + 1)
    for i in range(LENGTH + 1):
        weights[i] = looked[i] if i < LENGTH else nan
        kinds[i] = float(i)
        lettered[i] = LETTERED[i] if i < LENGTH else 1.0
    steps, at = zeros(len(ENTROPY[0])), RECORDS[settings.stop]
    for k in range(len(steps)):
        steps[k] = EVERY * float(k)
    return {
        "weights": weights, "kinds": kinds, "lettered": lettered, "percent": [100.0 * largest(looked)],
        "stop": [float(settings.stop)], "steps": steps, "real": ENTROPY[0], "shuffled": ENTROPY[1],
        "here": [steps[at], steps[at]], "now": [ENTROPY[0][at], ENTROPY[1][at]], "which": [0.0, 1.0],
    }  # fmt: skip


def picture() -> tuple[ink, points]:
    """The 33 words in ink, and the one that looks; the entropy of attention, beside that on shuffled words."""
    return ink(
        weights="verse.weights", tokens="verse.kinds", words=SHOWN, groups="verse.lettered",
        ideas=("common", "distinct"), group_names=("commas", "words"), asks=True, height=215,
        title="Where “blessed” looks in real text", alt="Blessed, framed, after 33 words that all have the same ink.",
    ), points(
        x="verse.here", y="verse.now", kinds="verse.which", ideas=("attention", "reference"),
        kind_names=("the Bible", "its words, shuffled"), xlim=(0.0, 3000.0), ylim=(1.7, 2.7),
        xlabel="training time (steps)", ylabel="entropy of attention (nats): less is sparser", height=190,
        lines=[Path("verse.steps", "verse.real", "the Bible", idea="attention"),
               Path("verse.steps", "verse.shuffled", "shuffled", idea="reference")],
        alt="Two curves fall from one height, that of the Bible early, that of its shuffled words late and as far.",
    )  # fmt: skip


def say() -> list[Say]:
    """At what it looks most, as recorded."""
    most = "“blessed” looks most at"
    return [
        Say("Before training “blessed” looks at every word equally.", "verse.stop == 0"),
        Say(f"At step 600 {most} the four commas, each with {{verse.percent}}% of its attention.", "verse.stop == 1"),
        Say(f"At step 2,400 {most} “you”, with {{verse.percent}}% of its attention.", "verse.stop == 2"),
    ]


IDEA = Idea(
    "No word has more attention than another.",
    greater=lambda drawn: 1.01 * min(drawn["verse.weights"][:LENGTH]),
    than=lambda drawn: max(drawn["verse.weights"][:LENGTH]),
    breaks={"stop": 2},
)
