"""Figure `atlas-clock`: attention of one task at five learning rates of the read-out, on steps and on the clock.

Chapter `atlas`. Source: our own; the task is that of chapter 1.
"""

from typing import Any

from hal.chapters.atlas.models import textbook
from hal.chapters.atlas.models.textbook import LEVEL, Settings
from hal.chapters.atlas.theory.portable import attention_by_clock, half_clock
from hal.figure import Line, Mark, Say, Slider, Step, lines, waiting
from lib.portable.primitives import Readings, Vector, nan

TITLE, RUN, RUNS, PRECOMPUTED_RUNS, TIME = "When does attention move?", textbook, 1, 1, None
SLOW_REASON = "Five models train side by side, until the slowest has moved its attention."
ATTENTION = "Attention behind five read-outs"
PRIMARY_SLIDERS = ("watch", "optimiser", "lr_A")
OPTIMISERS = {0: "gradient descent", 1: "momentum", 2: "Adam", 3: "sign descent"}
SLIDERS = {
    "watch": Slider("Horizontal axis", default=0, names={0: "steps", 1: "the clock"}, axis=True),
    "optimiser": Slider("Optimiser", default=0, names=OPTIMISERS),
    "lr_V": Slider("Read-out η_V", "no unit", 0.02, (0.005, 0.04), log=True),
    "lr_A": Slider("Attention η_A", "no unit", 0.02, (0.01, 0.04), log=True),
    "T": Slider("Context T", "tokens", 64, (16, 512), log=True),
    "N": Slider("Vocabulary N", "tokens", 3, (2, 6)),
}
NAMES = ("slowest read-out, × ¼", "× ½", "usual, × 1", "× 2", "fastest, × 4")
SHADES = ("#f2a477", "#e67f45", "#d55e00", "#a94a00", "#7d3700")


def settings(watch: int, optimiser: int, lr_V: float, lr_A: float, T: int, N: int) -> Settings:
    """The five runs of these sliders: batch 64, at most 450 steps."""
    return Settings(T, N, 64, optimiser, lr_V, lr_A, 450, watch)


def law(settings: Settings) -> Readings:
    """1 where time is told by the clock, 0 by the step; by the clock attention, and the reading at half-way, NaN for
    Adam and sign descent.
    """
    shown = settings.watch == 1
    heard = shown and settings.optimiser <= 1
    end = half_clock(0.45, settings.lr_A) if shown else nan
    return {
        "watch": [float(settings.watch)], "clock": [0.0 if shown else nan, end],
        "attention": attention_by_clock([0.0, end], settings.lr_A),
        "half": [half_clock(LEVEL, settings.lr_A) if heard else nan],
    }  # fmt: skip


def run_metrics(half_step: Vector, half_clock: Vector) -> Readings:
    """How many runs are half-way; last step of it over the first; smallest and largest clock, and their ratio."""
    count, first, last, low, high = 0.0, nan, nan, nan, nan
    for i in range(5):
        if half_step[i] == half_step[i]:
            count += 1.0
            first = half_step[i] if not half_step[i] >= first else first
            last = half_step[i] if not half_step[i] <= last else last
            low = half_clock[i] if not half_clock[i] >= low else low
            high = half_clock[i] if not half_clock[i] <= high else high
    return {
        "count": [count], "low": [low], "high": [high], "fan": [last / first],
        "open": [high / low if low > 0.0 else nan],
    }  # fmt: skip


def panels() -> list[Any]:
    """Five curves, over the steps or over the clock with its law."""
    curves = [
        Line(f"attention{i + 1}", name, x=f"at{{law.watch}}_{i + 1}", idea=SHADES[i]) for i, name in enumerate(NAMES)
    ]
    theory = Line("law.attention", "theory on the clock, no fit", x="law.clock", theory=True)
    return [
        lines("at{law.watch}_3", [*curves, theory], ylabel="signal of attention α_A (no unit)",
              xlabel="steps or clock τ, as chosen (no unit)", ylim=(-0.02, 0.55), height=320,
              title=ATTENTION, marks=[Mark("law.half", "half-way")]),
    ]  # fmt: skip


READING = [
    [
        *waiting(),
        Say("By the clock, attention is half-way between {low:1} and {high:1}; theory predicts {law.half:1}.",
            "count == 5", "law.watch == 1"),
        Say("By the clock, the largest reading at half-way is {open:1} times the smallest.", "count == 5",
            "law.watch == 1"),
        Say("In steps, the last of the five runs reaches half-way {fan:1} times as late as the first.", "count == 5"),
        Say("Runs that reach half-way within 450 steps: {count:0} of 5."),
    ]
]  # fmt: skip
TOUR = [
    Step("Five learning rates of the read-out, sixteen times between slowest and fastest. Attention follows late or "
         "early: a fan.", point=ATTENTION),
    Step("The same runs against the clock, the accumulated read-out: one curve.", watch=1, point="watch"),
    Step("Theory predicts where: at the half-way level divided by the learning rate of attention.", watch=1,
         point=ATTENTION),
    Step("With Adam the fan opens on the clock and closes in steps: they have one size, whatever the gradient.",
         watch=1, optimiser=2, point=ATTENTION),
]  # fmt: skip
