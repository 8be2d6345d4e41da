"""Small figure `scan_snap-arrows`: what classes share makes them look alike, looking away from it pulls them apart.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 3.2 and the definition of E before Lemma 3.
"""

from typing import NamedTuple

from hal.chapters.scan_snap.figures._shared import TABLE, WORDS
from hal.chapters.scan_snap.models.kinds import COMMON, inputs, overlap, token_kinds
from hal.chapters.scan_snap.runs.sentence import two_sequences
from hal.chapters.scan_snap.theory.portable_beyond import class_angle
from hal.figure import Idea, Say, Slider, arrows, ink, sliders
from lib.models.scan_snap.textbook import base_classes
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, zeros

TOKENS = 10  # distinct ones of each class
LONG = 29  # words of each sequence of the chapter's hero
FIRST = 14  # that are skipped
LENGTH = 12  # that are printed
NOTHING = -700.0  # a logit that leaves none of a token
TITLE = "Common words make classes look alike"
HINT = "Take attention away from the common words: the arrows part."
SLIDERS = {
    "away": Slider("Attention taken from each common word", "percent", 0.0, (0.0, 100.0), log=False),
    **sliders(TABLE, common=10),
}


class Chosen(NamedTuple):
    """The settings of this figure."""

    away: float  # 1 - e^z of the common tokens
    common: int  # tokens


def settings(away: float, common: int) -> Chosen:
    """Two classes with ten distinct tokens each."""
    return Chosen(0.01 * away, common)


def classes(settings: Chosen) -> Readings:
    """The two decoder inputs as directions in degrees, even about the diagonal; the right angle; for the sentence the
    angle, the overlap rho, and the attention on all common tokens in percent."""
    common = settings.common
    kinds = token_kinds(common, 1.0, TOKENS, 0.1)
    z = zeros(len(kinds.law))
    z[COMMON] = log(1.0 - settings.away) if settings.away < 1.0 else NOTHING
    f = zeros(len(z))
    inputs(kinds, z, 0, f)
    rho = overlap(kinds, f)
    angle, own, others = class_angle(rho), 0.0, 0.0
    for i in range(len(z)):
        share = kinds.many[i] * kinds.law[i] * exp(z[i])
        own += share if i != COMMON else 0.0
        others += share if i == COMMON else 0.0
    return {
        "angles": [45.0 + 0.5 * angle, 45.0 - 0.5 * angle], "right": [0.0, 90.0], "angle": [angle], "rho": [rho],
        "percent": [100.0 * others / (own + others)], "common": [float(common)], "away": [settings.away],
    }  # fmt: skip


def words(settings: Chosen) -> Readings:
    """Twelve words of each class: which; 0 for common, 1 and 2 for distinct of A and of B; attention to each."""
    task = base_classes(2, 2, settings.common, TOKENS, 2, zeros(0))
    drawn, n = two_sequences(task, LONG), 2 * LENGTH
    shown, groups, weights = zeros(n), zeros(n), zeros(n)
    for i in range(n):
        at = FIRST + (i if i < LENGTH else LONG + i - LENGTH)
        shown[i] = drawn[0][at]
        groups[i] = 0.0 if drawn[1][at] == 0.0 else 1.0 if i < LENGTH else 2.0
        weights[i] = 1.0 if groups[i] > 0.0 else 1.0 - settings.away
    return {"shown": shown, "groups": groups, "weights": weights}


def picture() -> tuple[arrows, ink]:
    """Two arrows of length one in a quarter circle, and a sequence of each class in ink."""
    return arrows(
        angles="classes.angles", expected="classes.right", span=(0.0, 90.0),
        expected_is=("B without common words", "A without common words"),
        names=("class A", "class B"), ideas=("distinct", "other class"), height=264,
        alt="Two unit arrows, less than half a right angle apart.",
    ), ink(
        weights="words.weights", tokens="words.shown", groups="words.groups", words=WORDS, rows=2,
        row_names=("A", "B"), ideas=("common", "distinct", "other class"), height=200,
        group_names=("common", "only in A", "only in B"),
        alt="Two sequences of words. Most words of both are common ones.",
    )  # fmt: skip


def say() -> list[Say]:
    """Angle and overlap, and what attention has to do with them."""
    return [
        Say("The classes have no word in common: they are at right angles, and nothing pushes attention.",
            "classes.common == 0"),
        Say("No attention is left on common words: the classes are at right angles.", "classes.away == 1"),
        Say("With {classes.percent}% of attention on common words the classes are {classes.angle:0}° apart, "
            "an overlap of {classes.rho:2}."),
    ]  # fmt: skip


IDEA = Idea(
    "The classes are closer to each other than to a right angle.",
    greater=lambda drawn: 45.0,
    than=lambda drawn: drawn["classes.angles"][0] - drawn["classes.angles"][1],
    breaks={"away": 70.0},
)
