"""Figure `scb-quiet`: two vessels, V and attention, fill each other; the first steps, magnified a hundred times.

Chapter `scb`. Source: arXiv 2410.23438, Section 3.1.
"""

from typing import Any, NamedTuple

from hal.figure import Idea, Say, Slider, vessels
from lib.models.scb.textbook import even_weights
from lib.portable.primitives import Readings, zeros
from lib.theory.scb.portable import attention_signal, drift_number, velocity

LR = 0.02
LAST = 50  # steps: V has come nearly a hundredth of its way
TITLE, TIME, OPENS = "Which tank fills first?", "flow.steps", 0.4
TALLEST = 480  # two tanks that are seen to fill
HINT = "A full tank means 1% learned."
SLIDERS = {
    "T": Slider("Length T", "tokens", 256, (256, 4096), log=True),
    "frozen": Slider("Freeze", default=0, names={0: "none", 1: "V", 2: "attention"}),
}


class Halves(NamedTuple):
    """The settings of this figure."""

    T: int
    frozen: int


def settings(T: int, frozen: int) -> Halves:
    """The context, and which half takes no step: 1, V; 2, attention; 0, none."""
    return Halves(T, frozen)


def flow(settings: Halves) -> Readings:
    """The population flow from zero with Q = 2, step by step: both signals in per cent of the way (signal, attention;
    levels, two each), what moves them in units of a hundredth of the rate (flows, two each), the drip in units of the
    rate; both at the end.
    """
    d = drift_number(attention_signal(even_weights(2), settings.T), float(settings.T))
    steps, signal, attention, drip = zeros(LAST + 1), zeros(LAST + 1), zeros(LAST + 1), zeros(LAST + 1)
    levels, flows, x, y = zeros(2 * LAST + 2), zeros(2 * LAST + 2), 0.0, 0.0
    for i in range(LAST + 1):
        steps[i], signal[i], attention[i], drip[i] = float(i), 100.0 * x, 100.0 * y, d * (1.0 - x)
        levels[2 * i], levels[2 * i + 1] = 100.0 * x, 100.0 * y
        flows[2 * i + 1] = 100.0 * y * (1.0 - x * y)
        flows[2 * i] = 0.0 if settings.frozen == 2 else 100.0 * x * (1.0 - x * y)
        move_V, move_A = velocity(x, y, d)
        if i < LAST:
            x += 0.0 if settings.frozen == 1 else LR * move_V
            y += 0.0 if settings.frozen == 2 else LR * move_A
    return {
        "steps": steps, "signal": signal, "attention": attention, "levels": levels, "flows": flows, "drip": drip,
        "frozen": [float(settings.frozen)], "end_V": [100.0 * x], "end_A": [100.0 * y],
    }  # fmt: skip


def picture() -> Any:
    """The vessels."""
    return vessels(
        levels="flow.levels", flows="flow.flows", drip="flow.drip", shut="flow.frozen", full=1.0, frames=True,
        names=("V: what to say, %", "attention: where, %"), ideas=("output", "attention"),
        pipes_are=("V teaches attention", "attention teaches V"), drip_is="the drip: only V has one",
        height=290, alt="Two empty vessels, V and attention, joined by two pipes; drops fall into V.",
    )  # fmt: skip


def say() -> list[Say]:
    """How far both are."""
    return [
        Say("V stays empty, so nothing ever flows to attention.", "flow.frozen == 1"),
        Say("Attention stays empty. The drip alone fills V to {flow.end_V}% of what there is to learn.",
            "flow.frozen == 2"),
        Say("After 50 steps V has learned {flow.end_V}% and attention {flow.end_A}%."),
    ]  # fmt: skip


IDEA = Idea(
    "In the end V is well ahead of attention.",
    lambda drawn: drawn["flow.levels"][-2],
    lambda drawn: 1.5 * drawn["flow.levels"][-1] + 0.01,
    breaks={"frozen": 1},
)
