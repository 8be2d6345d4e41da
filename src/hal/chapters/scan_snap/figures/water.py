"""Small figure `scan_snap-water`: a token gains if it helps more per share of attention than the average token.

Chapter `scan_snap`. Source: arXiv 2305.16380, Lemma 1.
"""

from typing import NamedTuple

from hal.chapters.scan_snap.figures._shared import TABLE
from hal.chapters.scan_snap.models.textbook_flow import Settings
from hal.chapters.scan_snap.runs.water import water_level
from hal.explorer import Idea, Say, Slider, columns, sliders
from lib.models.scan_snap.textbook_classes import vocabulary
from lib.portable.primitives import Readings, zeros
from lib.portable.vectors import argmax, part

TOKENS = 10  # distinct ones of each class
RANKS = ("rarest", "second rarest", "third rarest", "fourth rarest", "fifth rarest", "fifth most frequent",
         "fourth most frequent", "third most frequent", "second most frequent", "most frequent")  # fmt: skip
TITLE = "Above the water it gains"
HINT = "Drag time: who stands above the line, and how wide?"
SLIDERS = {
    "t": Slider("Time", "steps", 37.0, (0.3, 100_000.0)),
    **sliders(TABLE, common=(10, 0, 30)),
}


class Chosen(NamedTuple):
    """What is chosen."""

    t: float  # steps
    common: int  # tokens


def settings(t: float, common: int) -> Chosen:
    """Two classes with a query each, ten distinct tokens a class, 34 outputs, both rates 1."""
    return Chosen(t, common)


def water(settings: Chosen) -> Readings:
    """Widths and heights of the columns, as `water_level` has them; the line; colours; what the sentence needs: how far
    common tokens are below the line, in percent, which distinct token gains fastest, and the speed."""
    t, common = settings.t, settings.common
    M = vocabulary(2, 2, common, TOKENS)
    found = water_level(Settings(2, 1, M, common, 1.0, TOKENS, 0.1, 0.0, 1.0, 1.0, 1.0, 0.5 * t, t, 2))
    widths, heights, gains, kinds = found[0], found[1], found[2], zeros(1 + TOKENS)
    for i in range(TOKENS):
        kinds[1 + i] = 1.0
    under = 100.0 * (1.0 - heights[0])
    return {
        "widths": widths, "heights": heights, "kinds": kinds, "line": [1.0], "speed": found[3], "under": [under],
        "first": [float(argmax(part(gains, 1, TOKENS)) + 1)], "common": [float(common)],
    }  # fmt: skip


def picture() -> columns:
    """Eleven columns with areas above and below the line, the common tokens as one, then the rarest."""
    return columns(
        heights="water.heights", widths="water.widths", kinds="water.kinds", ideas=("common", "distinct"),
        names=("all common tokens", "rarest", "2", "3", "4", "5", "6", "7", "8", "9", "leader"),
        level="water.line", line_is="water line: the mean", parted=True,
        ylabel="benefit per unit, over the mean",
        ylim=(0.4, 1.8), height=250,
        alt="One wide column, all common tokens, stands below the line; ten narrower ones, the distinct tokens, above.",
    )  # fmt: skip


def say() -> list[Say]:
    """How far the common tokens are below, who gains fastest, and how fast all move."""
    below, speed = "Common tokens are {water.under}% under water;", "All together move by {water.speed} nats per step."
    return [
        Say("All columns are level with the water: nothing moves.", "water.common == 0"),
        *(Say(f"{below} the {name} distinct token gains fastest. {speed}", f"water.first == {i + 1}")
          for i, name in enumerate(RANKS)),
    ]  # fmt: skip


IDEA = Idea(
    "Every distinct token stands above the line, and the common ones below it.",
    greater=lambda drawn: min(drawn["water.heights"][1:]),
    than=lambda drawn: max(1.001, drawn["water.heights"][0] + 0.1),
    breaks={"common": 0},
)
