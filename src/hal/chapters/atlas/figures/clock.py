"""Figure `atlas-clock`: a slow and a fast read-out, the clock as an area that fills, and attention.

Chapter `atlas`. Source: our own; the task is that of chapter 1.
"""

from typing import Any

from hal.chapters.atlas.models import textbook
from hal.chapters.atlas.models.textbook import LEVEL, Settings
from hal.chapters.atlas.theory.portable import half_clock
from hal.figure import Line, Say, Slider, Step, bars, waiting
from lib.portable.primitives import Readings, Vector
from lib.portable.vectors import numbered

TITLE, RUN, RUNS, PRECOMPUTED_RUNS, COLUMNS, COLLAPSED_PANELS = "When does attention move?", textbook, 1, 1, 3, 0
SLOW_REASON = "Two models train side by side, until the attention of both is half-way."
SAYS, AREA, LOOKS = "{} read-out", "{} clock: an area", "Attention, {}"
SLIDERS = {
    "lr_V": Slider("Read-outs η_V", "no unit", 0.02, (0.01, 0.03), log=True),
    "lr_A": Slider("Attention η_A", "no unit", 0.02, (0.01, 0.04), log=True),
    "T": Slider("Context T", "tokens", 32, (16, 512), log=True),
    "N": Slider("Vocabulary N", "tokens", 3, (2, 6)),
}
PRIMARY_SLIDERS, OPENS = ("lr_V", "lr_A"), 0.15  # the bars begin to part, the areas to fill


def settings(lr_V: float, lr_A: float, T: int, N: int) -> Settings:
    """Both runs of these sliders: batch 64, at most 240 steps."""
    return Settings(T, N, 64, lr_V, lr_A, 240)


def law(settings: Settings) -> Readings:
    """Tokens and places, and the clock at half-way."""
    return {
        "tokens": numbered(settings.N), "places": numbered(settings.T), "half": [half_clock(LEVEL, settings.lr_A)],
    }  # fmt: skip


def run_metrics(half_step: Vector, half_clock: Vector) -> Readings:
    """Step and clock at half-way, of the slow run and of the fast one; how many are half-way."""
    count = 0.0
    for x in half_step:
        count += 1.0 if x == x else 0.0
    return {
        "count": [count], "slow": [half_step[0]], "fast": [half_step[1]], "slow_area": [half_clock[0]],
        "fast_area": [half_clock[1]],
    }  # fmt: skip


def row(name: str) -> list[Any]:
    """One run: the clock, what the read-out says, where attention looks; a phone opens on the first four of six."""
    says, area, looks = SAYS.format(name.capitalize()), AREA.format(name.capitalize()), LOOKS.format(name)
    return [
        bars("steps", [Line(f"{name}_area", "what the votes add", idea="output")], frames=True, height=120, title=area,
             xlabel="steps (steps)", ylabel="strength × error left (no unit)", ylim=(0, 0.5)),
        bars("law.tokens", [Line(f"{name}_says", "what it says of each token", idea="output")], frames=True, height=120,
             title=says, xlabel="token (number)", ylabel="vote for the first answer (no unit)", ylim=(0, 0.7)),
        bars("law.places", [Line(f"{name}_looks", "where it looks", idea="attention")], frames=True, height=120,
             title=looks, xlabel="position (number)", ylabel="attention (share)", ylim=(0, 0.25)),
    ]  # fmt: skip


def panels() -> list[Any]:
    """A row for each run."""
    return [*row("fast"), *row("slow")]


_STEPS = "Attention is half-way at step {fast:0} behind the fast read-out, at step {slow:0} behind the slow one. "
READING = [
    [
        *waiting(),
        Say(_STEPS + "The areas: {fast_area:1} and {slow_area:1}; theory predicts {law.half:1}.", "count == 2"),
        Say("Runs that come half-way within 240 steps: {count:0} of 2."),
    ]
]  # fmt: skip
TOUR = [
    Step("At the start the bars are equal: the read-out votes alike for every token, and attention is even.", time=0,
         point=SAYS.format("Fast")),
    Step("The votes of the fast read-out differ first. Its area fills, and its attention moves.", time=96,
         point=AREA.format("Fast")),
    Step("The slow one needs more steps. When its attention is half-way, its area is as large.", time=240,
         point=AREA.format("Slow")),
    Step("Attention learns twice as fast: half the area is enough, in both rows.", lr_A=0.04, time=240,
         point=AREA.format("Fast")),
]  # fmt: skip
