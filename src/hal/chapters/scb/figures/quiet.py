"""Figure `scb-quiet`: the signal grows for the whole plateau, and the loss does not show it.

Chapter `scb`. Source: arXiv 2410.23438, Section 3.1; the loss on the two lines is exact.
"""

from typing import Any

from hal.chapters.scb.theory.portable_landscape import excess_fraction
from hal.figure import Idea, Line, Mark, Say, Slider, lines
from lib.models.scb.textbook import Settings, even_weights
from lib.portable.primitives import Readings, floor, nan, zeros
from lib.portable.vectors import filled
from lib.theory.scb.portable import attention_signal, drift_number, quiet_steps, velocity

LEVEL = 0.1  # of the signal
POINTS = 241
TITLE, TIME = "The loss is blind", "flow.steps"
HINT = "Does the loss show what both signals do, without noise? Play."
OPENS = 0.33  # the signals have climbed, and the loss has not moved
SLIDERS = {
    "T": Slider("Context T", "tokens", 256, (8, 5000), log=True),
    "lr": Slider("Learning rate η", "no unit", 0.02, (0.005, 0.1), log=True),
}


def settings(T: int, lr: float) -> Settings:
    """The population flow of a task with Q = 2, from zero, for 10 / lr steps."""
    return Settings(T=T, mu=filled(4, 0.25), lr=lr, stage1=floor(10.0 / lr + 0.5))


def flow(settings: Settings) -> Readings:
    """steps, both signals and the loss (a fraction of that at zero), each (241,); tau, where the signal is 0.1, NaN
    without a plateau, and by how many per cent the loss has fallen there.
    """
    d = drift_number(attention_signal(even_weights(settings.Q), settings.T), float(settings.T))
    steps, signal, attention, loss = zeros(POINTS), zeros(POINTS), zeros(POINTS), zeros(POINTS)
    tau = quiet_steps(LEVEL, settings.lr, d)
    x, y, step, fallen, before = 0.0, 0.0, 0, nan, 1.0
    for i in range(POINTS):
        due = i * settings.stage1 // (POINTS - 1)
        while step < due:
            move_V, move_A = velocity(x, y, d)
            x += settings.lr * move_V
            y += settings.lr * move_A
            step += 1
            after = excess_fraction(x, y, d)
            if float(step) >= tau and float(step) < tau + 1.0:
                fallen = 100.0 * (1.0 - after - (float(step) - tau) * (before - after))
            before = after
        steps[i] = float(step)
        signal[i] = x if step > 0 else nan
        attention[i] = y if step > 1 else nan
        loss[i] = before
    return {
        "steps": steps, "signal": signal, "attention": attention, "loss": loss, "tau": [tau], "fallen": [fallen],
    }  # fmt: skip


def picture() -> Any:
    """Loss and signals on one logarithmic axis."""
    series = [
        Line("flow.loss", "loss above the best", idea="loss"), Line("flow.signal", "α_V, what", idea="output"),
        Line("flow.attention", "α_A, where", idea="attention"),
    ]  # fmt: skip
    return lines(
        "flow.steps", series, xlabel="training time (steps)",
        ylabel="loss, signal (fraction)",
        title="", ylog=True, ylim=(3e-4, 20.0), marks=[Mark("flow.tau", "α_V = 0.1")], height=220,
    )  # fmt: skip


def say() -> list[Say]:
    """What the loss shows when the signal can first be seen."""
    return [
        Say("When the signal of V reaches 0.1, at step {flow.tau:0}, the loss has fallen by {flow.fallen}%."),
        Say("There is no plateau here: the context is too short."),
    ]


IDEA = Idea(
    "Before the loss has fallen by a twentieth, the signal is more than ten times the drift of its first 1 / lr steps.",
    lambda drawn: max(drawn["flow.signal"][1:][drawn["flow.loss"][1:] > 0.95]),
    lambda drawn: 10 * drawn["flow.signal"][24],
    breaks={"T": 16},
)
