"""Small figure `group_sparse-limit`: above a learning rate all outputs jump from side to side together.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638. Above 16/(D (D + 1)) a step overshoots along what the value
vector reads of the positional encodings, which is the same in all outputs.
"""

from typing import Any, NamedTuple

from hal.figure import Idea, Line, Mark, Path, Say, Slider, lines, points
from lib.models.group_sparse.textbook import STAR, Settings, output, start, step, take
from lib.portable.primitives import Readings, zeros
from lib.theory.group_sparse.portable import largest_rate

D = 6
d = 2
SHOWN = 60  # examples of the run, and drawn
WIDE = 20.0  # half of the picture; what is beyond stands at its edge
HIGH = 3.6  # the same upwards
STEPS = 30
TITLE = "All outputs jump together"
HINT = "Take one more step: the outputs change sides together. Then lower the learning rate."
SLIDERS = {
    "lr": Slider("Learning rate η", "no unit", 1.0, (0.05, 2.0), log=False),
    "t": Slider("Steps", "steps", 5, (1, STEPS)),
}


class Chosen(NamedTuple):
    """Learning rate and steps, at D = 6, d = 2."""

    lr: float
    t: int


def settings(lr: float, t: int) -> Chosen:
    """The settings of this figure."""
    return Chosen(lr, t)


def outputs(settings: Chosen, seed: int) -> Readings:
    """One training run: after `t` steps output f and signal of its 60 examples, their labels as kinds, and how many
    outputs, in per cent, are on the larger side; the mean of all outputs after each of 30 steps; the line f = 0."""
    state = start(Settings(D, d, SHOWN, settings.lr, STEPS, 1.0, 0.0), seed)
    f, signal, kinds, above = zeros(SHOWN), zeros(SHOWN), zeros(SHOWN), 0
    mean, after = zeros(STEPS + 1), zeros(STEPS + 1)
    for t in range(STEPS + 1):
        after[t] = float(t)
        for i in range(SHOWN):
            value = output(state, take(state, state.tokens, i))
            mean[t] += value / float(SHOWN)
            if t == settings.t:
                f[i] = max(-WIDE, min(WIDE, value))
                signal[i] = max(-HIGH, min(HIGH, state.tokens[i * D + STAR][0]))
                kinds[i] = 1.0 if state.y[i] > 0.0 else 0.0
                above += 1 if value > 0.0 else 0
        step(state)
    one = 100.0 * float(max(above, SHOWN - above)) / float(SHOWN)
    return {
        "f": f, "signal": signal, "kinds": kinds, "one": [one], "seed": [float(seed)], "zero": zeros(2),
        "up": [-HIGH, HIGH], "after": after, "mean": mean, "now": [float(settings.t)], "lr": [settings.lr],
        "times": [settings.lr / largest_rate(D)],
    }  # fmt: skip


def picture() -> tuple[points, Any]:
    """The outputs of a training run after some steps, and their mean after every step."""
    return (
        points(
            x="outputs.f", y="outputs.signal", kinds="outputs.kinds", ideas=("minus", "plus"), signs="−+",
            kind_names=("label −", "label +"), xlim=(-WIDE, WIDE), ylim=(-HIGH, HIGH),
            xlabel="output f",
            lines=[Path("outputs.zero", "outputs.up", "f = 0", theory=True)],
            ylabel="⟨x₂, v*⟩, which decides the label", height=230,
            alt="The outputs of 60 examples: all of them on one side of f = 0, whatever the label.",
        ),
        lines(
            "outputs.after", [Line("outputs.mean", "mean", idea="output")], xlabel="training time (steps)",
            ylabel="mean of all outputs (no unit)", ylim=(-16.0, 16.0), marks=[Mark("outputs.now", "now")],
            title="The same run, step by step", height=190,
        ),
    )  # fmt: skip


def say() -> list[Say]:
    """How far beyond the limit, and how many outputs stand on one side."""
    told = " times the limit. After {outputs.now:0} steps {outputs.one:0}% of the outputs are on one side of 0."
    first = " times the limit. After the first step {outputs.one:0}% of the outputs are on one side of 0."
    return [
        Say("The learning rate is {outputs.times:2}" + first, "outputs.now == 1"),
        Say("The learning rate is {outputs.times:2}" + told),
    ]  # fmt: skip


IDEA = Idea(
    "The mean of all outputs jumps from one side to the other.",
    greater=lambda drawn: float(drawn["outputs.mean"].max() - drawn["outputs.mean"].min()),
    than=lambda drawn: 5.0,
    breaks={"lr": 0.2},
)
