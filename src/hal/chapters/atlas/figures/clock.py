"""Figure `atlas-clock`: a slow and a fast read-out: the rates of their clocks, up to where attention moves.

Chapter `atlas`. Source: our own; the task is that of chapter 1.
"""

from typing import Any

from hal.chapters.atlas.models import textbook
from hal.chapters.atlas.models.textbook import LEVEL, SLOW, Settings
from hal.chapters.atlas.theory.portable import half_clock
from hal.figure import Line, Say, Slider, Spot, over_steps, waiting
from lib.portable.primitives import Readings, Vector

TITLE, RUN, RUNS, PRECOMPUTED_RUNS, COLUMNS, COLLAPSED_PANELS = "When does attention move?", textbook, 1, 1, 1, 0
ORDER, AREA = "Fast run: what moves first?", "Both runs: the area is the clock"
SLIDERS = {
    "lr_V": Slider("Learning rate of the slow read-out, η_V", "no unit", 0.01, (0.005, 0.015), log=True),
    "lr_A": Slider("Learning rate of attention, η_A", "no unit", 0.02, (0.01, 0.04), log=True),
    "T": Slider("Context T", "tokens", 32, (16, 512), log=True),
    "N": Slider("Vocabulary N", "tokens", 3, (2, 6)),
}
PRIMARY_SLIDERS, OPENS = ("lr_V", "lr_A"), 0.34


def settings(lr_V: float, lr_A: float, T: int, N: int) -> Settings:
    """Both runs of these sliders: batch 64, 300 steps."""
    return Settings(T, N, 64, lr_V / SLOW, lr_A, 300)


def law(settings: Settings) -> Readings:
    """The rate of attention; how far it has gone and the clock where it moves."""
    return {"rate": [settings.lr_A], "level": [LEVEL], "foot": [0.0], "half": [half_clock(LEVEL, settings.lr_A)]}


def run_metrics(half_step: Vector, half_clock: Vector, half_rate: Vector, half_left: Vector) -> Readings:
    """Step and clock where attention moves, of the slow run and of the fast one, and heights there: the rate of the
    clock, the error left of the fast run, and where words stand below both; in how many runs it does.
    """
    count = 0.0
    for x in half_step:
        count += 1.0 if x == x else 0.0
    return {
        "count": [count], "slow": [half_step[0]], "fast": [half_step[1]], "slow_end": [half_clock[0]],
        "fast_end": [half_clock[1]], "slow_high": [half_rate[0]], "fast_high": [half_rate[1]],
        "slow_low": [0.1 * half_rate[0]], "fast_low": [0.3 * half_rate[1]],
        "left_low": [0.78 * half_left[0]],
    }  # fmt: skip


def panels() -> list[Any]:
    """What moves first in the fast run; the rate of each clock, filled up to where attention moves."""
    kinds = (
        ("fast_spread", "half_spread", "half_spread", "spread", "output"),
        ("fast_signal", "law.level", "law.foot", "attention", "attention"),
        ("fast_left", "half_left", "left_low", "error left", "loss"),
    )
    order = [Line(name, f"{words} ({idea})", idea=idea) for name, _, _, words, idea in kinds]
    names = [Spot("fast", y, [], idea, late=True) for _, y, _, _, idea in kinds]
    names += [Spot("fast", y, [Say(words)], late=True) for _, _, y, words, _ in kinds]
    runs = [("slow", "second"), ("fast", "first")]
    areas = [Line(f"{run}_area", "", x=f"{run}_steps", idea=idea, fill=True) for run, idea in runs]
    insides = [Spot(run, f"{run}_low", [Say(f"area {{{run}_end:1}}")], late=True) for run, _ in runs]
    spots = [Spot(run, f"{run}_high", [Say(f"{run}: step {{{run}:0}}")], idea, late=True) for run, idea in runs]
    return [
        over_steps(ORDER, "fraction (no unit)", *order, ylim=(0, 1.25), height=220, spots=names),
        over_steps(AREA, "spread × error (no unit)", *areas, ylim=(0, 0.7), height=270,
                   spots=[*insides, *spots]),
    ]  # fmt: skip


READING = [
    [
        *waiting(),
        Say("When attention moves, the areas are {fast_end:1} and {slow_end:1}; theory predicts 0.3/{law.rate} = "
            "{law.half:1}.", "count == 2"),
        Say("Runs whose attention moves within 300 steps: {count:0} of 2."),
    ]
]  # fmt: skip
