"""Figure `atlas-clock`: attention of one task at five learning rates of the read-out, on steps and on the clock.

Chapter `atlas`. Source: our own; the task is that of chapter 1.
"""

from typing import Any

from hal.chapters.atlas.models import textbook
from hal.chapters.atlas.models.textbook import LEVEL, Settings
from hal.chapters.atlas.theory.portable import attention_by_clock, half_clock
from hal.figure import Line, Mark, Say, Slider, Step, lines, waiting
from lib.portable.primitives import Readings, Vector, nan

TITLE, RUN, RUNS, PRECOMPUTED_RUNS, OPENS = "Five read-outs, one clock", textbook, 1, 1, 0.0
SLOW_REASON = "Five models train side by side, until the slowest has moved its attention."
STEPS, CLOCK = "By the step", "By the clock"
OPTIMISERS = {0: "gradient descent", 1: "momentum", 2: "Adam", 3: "sign descent"}
SLIDERS = {
    "optimiser": Slider("Optimiser", default=0, names=OPTIMISERS),
    "lr_V": Slider("Read-out η_V", "no unit", 0.02, (0.005, 0.04), log=True),
    "lr_A": Slider("Attention η_A", "no unit", 0.02, (0.01, 0.04), log=True),
    "T": Slider("Context T", "tokens", 64, (16, 512), log=True),
    "N": Slider("Vocabulary N", "tokens", 3, (2, 6)),
}
NAMES = ("a quarter", "half", "once", "twice", "four times")
SHADES = ("#f2a477", "#e67f45", "#d55e00", "#a94a00", "#7d3700")


def settings(optimiser: int, lr_V: float, lr_A: float, T: int, N: int) -> Settings:
    """The five runs of these sliders: batch 64, at most 450 steps."""
    return Settings(T, N, 64, optimiser, lr_V, lr_A, 450)


def law(settings: Settings) -> Readings:
    """Attention by the clock, and the reading at half-way; NaN for Adam and sign descent."""
    heard = settings.optimiser <= 1
    end = half_clock(0.45, settings.lr_A)
    return {
        "clock": [0.0, end], "attention": attention_by_clock([0.0, end], settings.lr_A),
        "half": [half_clock(LEVEL, settings.lr_A) if heard else nan],
    }  # fmt: skip


def run_metrics(half_step: Vector, half_clock: Vector) -> Readings:
    """How many runs are half-way; the first and last step of it, the smallest and largest clock, and their ratios."""
    count, first, last, low, high = 0.0, nan, nan, nan, nan
    for i in range(5):
        if half_step[i] == half_step[i]:
            count += 1.0
            first = half_step[i] if not half_step[i] >= first else first
            last = half_step[i] if not half_step[i] <= last else last
            low = half_clock[i] if not half_clock[i] >= low else low
            high = half_clock[i] if not half_clock[i] <= high else high
    return {
        "count": [count], "first": [first], "last": [last], "low": [low], "high": [high], "fan": [last / first],
        "open": [high / low if low > 0.0 else nan],
    }  # fmt: skip


def panels() -> list[Any]:
    """The same five curves twice: over the steps, and over the clock with its law."""
    common: dict[str, Any] = dict(ylabel="attention α_A (no unit)", ylim=(-0.05, 0.5), height=300)
    by_step = [
        Line(f"attention{i + 1}", name, x=f"at{i + 1}", idea=SHADES[i]) for i, name in enumerate(NAMES)
    ]  # fmt: skip
    by_clock = [
        Line(f"attention{i + 1}", name, x=f"clock{i + 1}", idea=SHADES[i]) for i, name in enumerate(NAMES)
    ]  # fmt: skip
    theory = Line("law.attention", "theory, no fit", x="law.clock", theory=True)
    return [
        lines("steps", by_step, xlabel="training time (steps)", title=STEPS, **common),
        lines("clock3", [*by_clock, theory], xlabel="clock τ (steps times read-out)", title=CLOCK,
              marks=[Mark("law.half", "half-way")], **common),
    ]  # fmt: skip


STEPWISE = "Attention is half-way between step {first:0} and step {last:0}, a factor of {fan:2}"
READING = [
    [
        *waiting(),
        Say(STEPWISE + "; on the clock between {low:1} and {high:1}, where theory has {law.half:1}.",
            "count == 5"),
        Say(STEPWISE + "; on the clock the last is {open:1} times the first.", "count == 5"),
        Say(STEPWISE + ".", "count == 5"),
        Say("Of five runs {count:0} are half-way within 450 steps."),
    ]
]  # fmt: skip
TOUR = [
    Step("Five learning rates of the read-out, sixteen times between slowest and fastest. Attention follows late or "
         "early: a fan.", point=STEPS),
    Step("The same curves, read on the clock of what attention has heard: one curve.", point=CLOCK),
    Step("Theory knows where: half-way is the level over the learning rate of attention.", point=CLOCK),
    Step("With Adam the fan opens on the clock and closes on the steps: its steps have one size, whatever is heard.",
         optimiser=2, point=CLOCK),
]  # fmt: skip
