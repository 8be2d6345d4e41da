"""Figure `atlas-clock`: a slow and a fast read-out: the rates of their clocks, and how far attention moves.

Chapter `atlas`. Source: our own; the task is that of chapter 1.
"""

from typing import Any

from hal.chapters.atlas.models import textbook
from hal.chapters.atlas.models.textbook import LEVEL, RECORDS, SLOW, Settings
from hal.chapters.atlas.theory.portable import half_clock
from hal.figure import Line, Say, Slider, Spot, Step, over_steps, waiting
from lib.portable.primitives import Readings, Vector
from lib.portable.vectors import filled

TITLE, RUN, RUNS, PRECOMPUTED_RUNS, COLUMNS, COLLAPSED_PANELS = "When does attention move?", textbook, 1, 1, 1, 0
RATE, WAY = (
    "How fast the clock runs; area: its reading when attention moves",
    "How far attention moves; dashed: 30%",
)
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
    """The rate of attention; the clock where it moves; where that is on its way, at every record."""
    half = half_clock(LEVEL, settings.lr_A)
    return {"rate": [settings.lr_A], "half": [half], "level": filled(RECORDS + 1, LEVEL)}


def run_metrics(half_step: Vector, half_clock: Vector, half_rate: Vector) -> Readings:
    """Step and clock where attention moves, of the slow run and of the fast one, and heights there: the rate of the
    clock, a twentieth of it, how far attention has moved; in how many runs it does.
    """
    count = 0.0
    for x in half_step:
        count += 1.0 if x == x else 0.0
    return {
        "count": [count], "slow": [half_step[0]], "fast": [half_step[1]], "slow_end": [half_clock[0]],
        "fast_end": [half_clock[1]], "slow_high": [half_rate[0]], "fast_high": [half_rate[1]],
        "slow_low": [0.05 * half_rate[0]], "fast_low": [0.05 * half_rate[1]], "level": [LEVEL],
    }  # fmt: skip


def panels() -> list[Any]:
    """The rate of each clock, filled up to where attention moves, and how far attention has moved."""
    runs = [("slow", "rival"), ("fast", "attention")]
    areas = [Line(f"{run}_area", "", x=f"{run}_steps", idea=idea, fill=True) for run, idea in runs]
    rates, ways = ([Line(f"{run}_{what}", run, idea=idea) for run, idea in runs] for what in ("rate", "signal"))
    insides = [Spot(run, f"{run}_low", [Say(f"area {{{run}_end:1}}")], late=True) for run, _ in runs]
    spots = [Spot(run, f"{run}_high", [Say(f"{run}: step {{{run}:0}}")], idea, late=True) for run, idea in runs]
    moved = [Spot(run, "level", [Say(f"{run} moves")], idea, drop=True, late=True) for run, idea in runs]
    predicted = Spot("", "", [Say("predicted area: 0.3/{law.rate} = {law.half:1}")])
    return [
        over_steps(RATE, "spread × error (no unit)", *areas, *rates, ylim=(0, None), height=230,
                   spots=[predicted, *insides, *spots]),
        over_steps(WAY, "way to ideal weights (fraction)", *ways,
                   Line("law.level", "has moved", theory=True, ahead=True), ylim=(0, 1.1), height=150, spots=moved),
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
    Step("At the start the read-out says the same about every token, so both clocks stand still and attention is "
         "uniform.", time=0, point=RATE),
    Step("The fast read-out tells the tokens apart first, so its clock runs faster. Its attention has moved.",
         time=96, point=RATE),
    Step("The slow clock needs more steps, but the area is the same when its attention moves.", time=186, point=RATE),
    Step("Once attention has moved the error falls, and the clocks slow down.", time=300, point=RATE),
]  # fmt: skip
