"""Small figure `scan_snap-water`: how fast each token gains or loses attention, at one moment of training.

Chapter `scan_snap`. Source: arXiv 2305.16380, Lemma 1.
"""

from typing import NamedTuple

from hal.chapters.scan_snap.figures._shared import TABLE
from hal.chapters.scan_snap.models.kinds import COMMON
from hal.chapters.scan_snap.models.textbook_flow import Settings, start, step
from hal.figure import Idea, Say, Slider, columns, sliders
from lib.models.scan_snap.textbook import vocabulary
from lib.portable.primitives import Readings, floored, zeros
from lib.portable.vectors import argmax, part

TOKENS = 10  # distinct ones of each class
RANKS = ("rarest", "second rarest", "third rarest", "fourth rarest", "fifth rarest", "fifth most frequent",
         "fourth most frequent", "third most frequent", "second most frequent", "most frequent")  # fmt: skip
TITLE = "Which words gain, which words lose?"
HINT = "Grey: a common word. Orange: the ten distinct words of a class."
SLIDERS = {
    "t": Slider("Time", "steps", 12.0, (1.0, 1000.0)),
    **sliders(TABLE, common=(10, 0, 10)),
}


class Chosen(NamedTuple):
    """The settings of this figure."""

    t: float  # steps
    common: int  # tokens


def settings(t: float, common: int) -> Chosen:
    """Two classes with a query each, ten distinct tokens a class, both rates 1."""
    return Chosen(t, common)


def gains(settings: Chosen) -> Readings:
    """dz/dt of a common token, 0 where there is none, and of each distinct one, rarest first, in
    thousandths of a nat a step, with three decimals; the largest change; colours; which distinct token gains most."""
    t, common = settings.t, settings.common
    state = start(Settings(M=vocabulary(2, 2, common, TOKENS), common=common, first=0.5 * t, last=t, points=2), 0)
    step(state)
    place, speeds, kinds, top = 3 * len(state.motion.f) + COMMON, zeros(1 + TOKENS), zeros(1 + TOKENS), 0.0
    for i in range(1 + TOKENS):
        speeds[i] = 1000.0 * state.slope[place + i] if i > 0 or common > 0 else 0.0
        kinds[i] = 1.0 if i > 0 else 0.0
        top = max(top, abs(speeds[i]))
    first = float(argmax(part(speeds, 1, TOKENS)) + 1)
    for i in range(1 + TOKENS):
        speeds[i] = floored(1000.0 * speeds[i] + 0.5) / 1000.0
    return {
        "speeds": speeds, "kinds": kinds, "falls": [-speeds[0]], "common": [float(common)], "first": [first],
        "top": [top],
    }  # fmt: skip


def picture() -> columns:
    """Eleven columns up and down from zero, that of a common token first, then the rarest distinct one."""
    return columns(
        heights="gains.speeds", kinds="gains.kinds", ideas=("common", "distinct"), ylim=(-9.0, 18.0), height=250,
        names=("common", "rarest", *8 * [""], "frequent"),
        ylabel="change of score per step (thousandths of a nat)",
        alt="The column of a common word hangs below the line; those of the distinct ones rise from left to right.",
    )  # fmt: skip


def say() -> list[Say]:
    """How fast a common token falls, and who gains fastest."""
    return [
        Say("Without common words nothing moves.", "gains.common == 0"),
        Say("Hardly anything moves: no score changes by more than 0.3 thousandths a step.",
            "gains.top <= 0.3"),
        *(Say(f"Each step lowers a common word’s score by {{gains.falls}} thousandths; the {name} word gains most.",
              f"gains.first == {i + 1}")
          for i, name in enumerate(RANKS)),
    ]  # fmt: skip


IDEA = Idea(
    "Every distinct token gains, and common ones lose.",
    greater=lambda drawn: min(drawn["gains.speeds"][1:]),
    than=lambda drawn: max(0.001, drawn["gains.speeds"][0] + 0.1),
    breaks={"common": 0},
)
