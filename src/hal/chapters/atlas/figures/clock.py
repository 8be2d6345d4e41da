"""Figure `atlas-clock`: a slow and a fast read-out: their clocks, the error that is left, and attention.

Chapter `atlas`. Source: our own; the task is that of chapter 1.
"""

from typing import Any

from hal.chapters.atlas.models import textbook
from hal.chapters.atlas.models.textbook import LEVEL, RECORDS, SLOW, Settings
from hal.chapters.atlas.theory.portable import half_clock
from hal.figure import Line, Mark, Say, Slider, Spot, Step, bars, over_steps, waiting
from lib.portable.primitives import Readings, Vector
from lib.portable.vectors import filled, numbered

TITLE, RUN, RUNS, PRECOMPUTED_RUNS, COLUMNS, COLLAPSED_PANELS = "When does attention move?", textbook, 1, 1, 2, 0
CLOCK, ERROR = "The clock, until attention moves", "The error, and when attention moves"
LOOKS = "Where attention looks (no softmax)"
SLIDERS = {
    "lr_V": Slider("Learning rate of the slow read-out, η_V", "no unit", 0.01, (0.005, 0.015), log=True),
    "lr_A": Slider("Learning rate of attention, η_A", "no unit", 0.02, (0.01, 0.04), log=True),
    "T": Slider("Context T", "tokens", 32, (16, 512), log=True),
    "N": Slider("Vocabulary N", "tokens", 3, (2, 6)),
}
PRIMARY_SLIDERS, OPENS = ("lr_V", "lr_A"), 0.0


def settings(lr_V: float, lr_A: float, T: int, N: int) -> Settings:
    """Both runs of these sliders: batch 64, 300 steps."""
    return Settings(T, N, 64, lr_V / SLOW, lr_A, 300)


def law(settings: Settings) -> Readings:
    """Places; the rate of attention; the clock where it moves, and the same at every record."""
    half = half_clock(LEVEL, settings.lr_A)
    line = filled(RECORDS + 1, half)
    return {"places": numbered(settings.T), "rate": [settings.lr_A], "half": [half], "line": line, "zero": [0.0]}


def run_metrics(half_step: Vector, half_clock: Vector) -> Readings:
    """Step and clock where attention moves, of the slow run and of the fast one; in how many it does."""
    count = 0.0
    for x in half_step:
        count += 1.0 if x == x else 0.0
    return {
        "count": [count], "slow": [half_step[0]], "fast": [half_step[1]], "slow_end": [half_clock[0]],
        "fast_end": [half_clock[1]],
    }  # fmt: skip


def pair(what: str) -> list[Line]:
    """A reading of both runs."""
    return [Line(f"fast_{what}", "fast", idea="attention"), Line(f"slow_{what}", "slow", idea="rival")]


def clocks() -> Any:
    """The clocks, each up to a dot where attention moves, and the reading that theory predicts."""
    runs = [("fast", "attention"), ("slow", "rival")]
    curves = [Line(f"{run}_fills", run, x=f"{run}_steps", idea=idea) for run, idea in runs]
    spots = [Spot("law.zero", "law.half", [Say("predicted 0.3/{law.rate} = {law.half:1}")])] + [
        Spot(run, f"{run}_end", [Say(f"{run}: step {{{run}:0}}, clock {{{run}_end:1}}")], idea, drop=True)
        for run, idea in runs
    ]
    return over_steps(CLOCK, "clock (no unit)", *curves, Line("law.line", "predicted", theory=True, ahead=True),
                      ylim=(0, None), height=190, wide=True, spots=spots)  # fmt: skip


def panels() -> list[Any]:
    """The clocks, the error, and attention beside that of a layer which has learned the task."""
    return [
        clocks(),
        over_steps(ERROR, "error left (share)", *pair("left"), ylim=(0, 1.5), height=130,
                   marks=[Mark("fast", "fast moves"), Mark("slow", "slow moves")]),
        bars("law.places", [*pair("looks"), Line("right", "once learned", theory=True)], frames=True, height=130,
             title=LOOKS, xlabel="position (number)", ylabel="attention (share)", ylim=(0, 0.9)),
    ]  # fmt: skip


_STEPS = "Attention moves at step {fast:0} with the fast read-out and at step {slow:0} with the slow one. "
READING = [
    [
        *waiting(),
        Say(_STEPS + "The clocks then read {fast_end:1} and {slow_end:1}; theory predicts 0.3/{law.rate} = "
            "{law.half:1}.", "count == 2"),
        Say("Runs whose attention moves within 300 steps: {count:0} of 2."),
    ]
]  # fmt: skip
TOUR = [
    Step("At the start the read-out says the same about every token, so the clocks stand still and attention is "
         "uniform.", time=0, point=CLOCK),
    Step("The fast read-out tells the tokens apart first. Its clock reaches the line, and its attention has moved.",
         time=96, point=CLOCK),
    Step("The slow one takes more steps, but its clock reads the same when its attention moves.", time=186,
         point=CLOCK),
    Step("Once attention has moved the error falls, and both layers look at the right positions.", time=300,
         point=LOOKS),
]  # fmt: skip
