"""Figure `atlas-clock`: a slow and a fast read-out, their clocks, what both say of the tokens, and attention.

Chapter `atlas`. Source: our own; the task is that of chapter 1.
"""

from typing import Any

from hal.chapters.atlas.models import textbook
from hal.chapters.atlas.models.textbook import LEVEL, RECORDS, Settings
from hal.chapters.atlas.theory.portable import half_clock
from hal.figure import Line, Say, Slider, Step, bars, over_steps, waiting
from lib.portable.primitives import Readings, Vector
from lib.portable.vectors import filled, numbered

TITLE, RUN, RUNS, PRECOMPUTED_RUNS, COLUMNS, COLLAPSED_PANELS = "When does attention move?", textbook, 1, 1, 2, 0
SLOW_REASON = "Two models train side by side, until the attention of both is half-way."
CLOCK, VOTES, LOOKS = "The clock: what the votes add up to", "The read-out’s votes", "Attention, {} read-out"
SLIDERS = {
    "lr_V": Slider("Read-outs η_V", "no unit", 0.02, (0.01, 0.03), log=True),
    "lr_A": Slider("Attention η_A", "no unit", 0.02, (0.01, 0.04), log=True),
    "T": Slider("Context T", "tokens", 32, (16, 512), log=True),
    "N": Slider("Vocabulary N", "tokens", 3, (2, 6)),
}
PRIMARY_SLIDERS, OPENS = ("lr_V", "lr_A"), 0.1  # the votes begin to part, attention is flat


def settings(lr_V: float, lr_A: float, T: int, N: int) -> Settings:
    """Both runs of these sliders: batch 64, at most 240 steps."""
    return Settings(T, N, 64, lr_V, lr_A, 240)


def law(settings: Settings) -> Readings:
    """Tokens and places; the clock at half-way, and the same at every record."""
    half = half_clock(LEVEL, settings.lr_A)
    line = filled(RECORDS + 1, half)
    return {"tokens": numbered(settings.N), "places": numbered(settings.T), "half": [half], "line": line}


def run_metrics(half_step: Vector, half_clock: Vector) -> Readings:
    """Step and clock at half-way, of the slow run and of the fast one; how many are half-way."""
    count = 0.0
    for x in half_step:
        count += 1.0 if x == x else 0.0
    return {
        "count": [count], "slow": [half_step[0]], "fast": [half_step[1]], "slow_end": [half_clock[0]],
        "fast_end": [half_clock[1]],
    }  # fmt: skip


def pair(what: str) -> list[Line]:
    """A reading of both runs."""
    return [Line(f"fast_{what}", "fast", idea="output"), Line(f"slow_{what}", "slow", idea="rival")]


def looks(name: str, idea: str) -> Any:
    """Where one run's attention looks, and where that of a layer does which has learned the task."""
    series = [Line(f"{name}_looks", "this run", idea=idea), Line("right", "right positions, learned", theory=True)]
    return bars("law.places", series, frames=True, height=120, title=LOOKS.format(name), xlabel="position (number)",
                ylabel="attention (share)", ylim=(0, 0.65))  # fmt: skip


def panels() -> list[Any]:
    """The clocks and the votes of both runs, and the attention of each."""
    return [
        over_steps(CLOCK, "clock (no unit)", *pair("fills"), Line("law.line", "half-way", theory=True, ahead=True),
                   ylim=(0, None), height=120),
        bars("law.tokens", pair("says"), frames=True, height=120, title=VOTES, xlabel="token (number)",
             ylabel="vote for the first answer (no unit)", ylim=(0, 0.7)),
        looks("fast", "attention"), looks("slow", "rival"),
    ]  # fmt: skip


_STEPS = "With the fast read-out attention is half-way at step {fast:0}, with the slow one at step {slow:0}. "
READING = [
    [
        *waiting(),
        Say(_STEPS + "The clocks read {fast_end:1} and {slow_end:1}; theory predicts {law.half:1}.", "count == 2"),
        Say("Runs that come half-way within 240 steps: {count:0} of 2."),
    ]
]  # fmt: skip
TOUR = [
    Step("At the start the read-out votes alike for every token, and attention is even.", time=0, point=VOTES),
    Step("The fast read-out’s votes differ first. Its clock reaches the line, and its attention has moved.", time=96,
         point=CLOCK),
    Step("The slow one takes more steps, but when it is half-way its clock reads the same.", time=240, point=CLOCK),
    Step("Attention learns twice as fast: half the clock is enough, in both runs.", lr_A=0.04, time=240, point=CLOCK),
]  # fmt: skip
