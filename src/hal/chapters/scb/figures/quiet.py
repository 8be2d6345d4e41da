"""Figure `scb-quiet`: two vessels, V and attention, fill each other; the loss does not show it.

Chapter `scb`. Source: arXiv 2410.23438, Section 3.1; the loss on the two lines is exact.
"""

from typing import Any, NamedTuple

from hal.chapters.scb.theory.portable_landscape import excess_fraction
from hal.figure import Idea, Line, Say, Slider, lines, vessels
from lib.models.scb.textbook import even_weights
from lib.portable.primitives import Readings, nan, zeros
from lib.theory.scb.portable import attention_signal, drift_number, quiet_steps, velocity

LEVEL = 0.1  # of the signal
LR = 0.02
LAST = 500  # steps
POINTS = 251
TITLE, TIME = "Each half fills the other", "flow.steps"
HINT = "Which fills first, and when does the loss see it? Play."
SLIDERS = {
    "T": Slider("Context T", "tokens", 256, (8, 5000), log=True),
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
    """The population flow from zero with Q = 2: steps, both signals (levels, two each) and what moves them in units of
    the rate (flows, two each; drip), and the loss, a fraction of that at zero; tau, where a signal is 0.1, NaN without
    a plateau, and by how many per cent the loss has fallen there.
    """
    T = settings.T
    d = drift_number(attention_signal(even_weights(2), T), float(T))
    steps, loss, drip = zeros(POINTS), zeros(POINTS), zeros(POINTS)
    signal, attention, levels, flows = zeros(POINTS), zeros(POINTS), zeros(2 * POINTS), zeros(2 * POINTS)
    tau = quiet_steps(LEVEL, LR, d) if settings.frozen == 0 else nan
    x, y, step, fallen, before = 0.0, 0.0, 0, nan, 1.0
    for i in range(POINTS):
        while step < i * LAST // (POINTS - 1):
            move_V, move_A = velocity(x, y, d)
            x += 0.0 if settings.frozen == 1 else LR * move_V
            y += 0.0 if settings.frozen == 2 else LR * move_A
            step += 1
            after = excess_fraction(x, y, d)
            if float(step) >= tau and float(step) < tau + 1.0:
                fallen = 100.0 * (1.0 - after - (float(step) - tau) * (before - after))
            before = after
        steps[i], loss[i] = float(step), before
        signal[i], attention[i] = x if x > 0.0 else nan, y if y > 0.0 else nan
        levels[2 * i], levels[2 * i + 1] = x, y
        flows[2 * i], flows[2 * i + 1] = x * (1.0 - x * y), y * (1.0 - x * y)
        drip[i] = d * (1.0 - x)
    return {
        "steps": steps, "signal": signal, "attention": attention, "loss": loss, "tau": [tau], "fallen": [fallen],
        "levels": levels, "flows": flows, "drip": drip, "frozen": [float(settings.frozen)], "end": [x],
    }  # fmt: skip


def picture() -> Any:
    """The vessels; beside them loss and signals on one logarithmic axis."""
    series = [
        Line("flow.loss", "loss", idea="loss"), Line("flow.signal", "V", idea="output"),
        Line("flow.attention", "attention", idea="attention"),
    ]  # fmt: skip
    return (
        vessels(
            levels="flow.levels", flows="flow.flows", drip="flow.drip", shut="flow.frozen", full=0.385, frames=True,
            names=("V: what to say", "attention: where"), ideas=("output", "attention"),
            pipes_are=("V teaches attention", "attention teaches V"), drip_is="chance: 1/T", height=244,
            alt="Two empty vessels, V and attention, joined by two pipes; drops fall into V.",
        ),
        lines(
            "flow.steps", series, xlabel="training time (steps)", ylabel="level, loss (log)", title="", ylog=True,
            ylim=(3e-4, 3.0), height=196,
        ),
    )  # fmt: skip


def say() -> list[Say]:
    """What the loss shows when the signal can first be seen."""
    return [
        Say("V never fills, so nothing ever flows to attention.", "flow.frozen == 1"),
        Say(
            "Attention never fills. V has its drip alone, and after 500 steps it is at {flow.end}.", "flow.frozen == 2"
        ),
        Say("When V is a tenth full, at step {flow.tau:0}, the loss has fallen by {flow.fallen}%."),
        Say("There is no plateau here: the context is too short."),
    ]


IDEA = Idea(
    "Before the loss has fallen by a twentieth, the signal is more than ten times what it is after 50 steps.",
    lambda drawn: max(drawn["flow.signal"][1:][drawn["flow.loss"][1:] > 0.95]),
    lambda drawn: 10 * drawn["flow.signal"][25],
    breaks={"T": 16},
)
