"""Small figure `group_sparse-limit`: above a learning rate all outputs jump from side to side together.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638. With uniform attention and balanced labels a step of the common
part c of all outputs is c - eta D rho tanh(c/2)/2, D rho = D (D + 1)/2: at k times the limit 16/(D (D + 1)) that is
c - 4 k tanh(c/2).
"""

from typing import NamedTuple

from hal.figure import Idea, Path, Say, Slider, points
from lib.models.group_sparse.textbook import STAR, Settings, done, output, softplus, start, step, take
from lib.portable.numbers import exp
from lib.portable.primitives import Readings, zeros
from lib.theory.group_sparse.portable import largest_rate

D = 6
d = 4
SHOWN = 60  # examples of the run, and drawn
WIDE = 24.0  # half of the picture; what is beyond stands at its edge
CURVE = 61  # points of the valley
FIRST = 0.2  # the common part at first, of the map
SETTLE = 400  # steps of the map until it swings evenly
TITLE = "All outputs jump together"
HINT = "Step on: the outputs change sides together. Then lower the learning rate."
SLIDERS = {
    "lr": Slider("Learning rate η", "no unit", 1.5, (0.05, 2.0), log=False),
    "t": Slider("Steps", "steps", 3, (1, 20)),
}


class Chosen(NamedTuple):
    """Learning rate and steps, at D = 6, d = 4."""

    lr: float
    t: int


def settings(lr: float, t: int) -> Chosen:
    """The settings of this figure."""
    return Chosen(lr, t)


def moved(c: float, times: float) -> float:
    """The common part one step later, at so many times the limit: its pull is 4 times tanh(c/2)."""
    return c - 4.0 * times * (1.0 - 2.0 / (1.0 + exp(c)))


def valley(settings: Chosen) -> Readings:
    """Loss over the common part, x and y (61,); the map's places up to this step; half of its swing in the end."""
    x, y, c, times = zeros(CURVE), zeros(CURVE), FIRST, settings.lr / largest_rate(D)
    for i in range(CURVE):
        x[i] = WIDE * (2.0 * float(i) / float(CURVE - 1) - 1.0)
        y[i] = 0.5 * (softplus(x[i]) + softplus(-x[i]))
    went, cost, kinds = zeros(settings.t + 1), zeros(settings.t + 1), zeros(settings.t + 1)
    for i in range(settings.t + 1):
        went[i] = c
        cost[i] = 0.5 * (softplus(c) + softplus(-c))
        c = moved(c, times)
    kinds[settings.t] = 1.0
    for _ in range(SETTLE):
        c = moved(c, times)
    swing = 0.5 * (c - moved(c, times))
    return {"x": x, "y": y, "went": went, "cost": cost, "kinds": kinds, "swing": [max(swing, -swing)], "times": [times]}


def outputs(settings: Chosen, seed: int) -> Readings:
    """The textbook after these steps: output f and signal of its 60 examples, their labels as kinds; in per cent, how
    many outputs are on the larger side; the seed of the run; the line f = 0."""
    state = start(Settings(D, d, SHOWN, settings.lr, settings.t, 1.0, 0.0), seed)
    while not done(state):
        step(state)
    f, signal, kinds, above = zeros(SHOWN), zeros(SHOWN), zeros(SHOWN), 0
    for i in range(SHOWN):
        value = output(state, take(state, state.tokens, i))
        f[i] = max(-WIDE, min(WIDE, value))
        signal[i] = state.tokens[i * D + STAR][0]
        kinds[i] = 1.0 if state.y[i] > 0.0 else 0.0
        above += 1 if value > 0.0 else 0
    one = 100.0 * float(max(above, SHOWN - above)) / float(SHOWN)
    zero, up = zeros(2), [-3.2, 3.2]
    return {"f": f, "signal": signal, "kinds": kinds, "one": [one], "seed": [float(seed)], "zero": zero, "up": up}


def picture() -> tuple[points, points]:
    """The valley of the common part with the map's steps, and the outputs of a training run."""
    valley_line = [Path("valley.x", "valley.y", "", theory=True), Path("valley.went", "valley.cost", "", idea="output")]
    return (
        points(
            x="outputs.f", y="outputs.signal", kinds="outputs.kinds", ideas=("minus", "plus"), signs="−+",
            kind_names=("label −", "label +"), xlim=(-WIDE, WIDE), ylim=(-3.2, 3.2), xlabel="output f, after training",
            lines=[Path("outputs.zero", "outputs.up", "the layer answers −", theory=True)],
            ylabel="signal of group 2", height=184,
            alt="The outputs of 60 examples: nearly all of them on one side of f = 0, whatever the label.",
        ),
        points(
            x="valley.went", y="valley.cost", kinds="valley.kinds", ideas=("noise", "output"),
            kind_names=("before", "now"), xlim=(-WIDE, WIDE), ylim=(0.0, 12.5), lines=valley_line,
            xlabel="common part c", ylabel="loss (nats)", height=140,
            alt="A valley with straight walls; the steps jump from one wall to the other.",
        ),
    )  # fmt: skip


def say() -> list[Say]:
    """Whether the map swings, and how many outputs stand on one side."""
    drawn = " {outputs.one:0}% of the run's outputs have one sign."
    return [
        Say("At {valley.times:2} times the limit the common part swings by ±{valley.swing:1} in the end." + drawn,
            "valley.times > 1.02"),
        Say("At {valley.times:2} times the limit the swing of the common part dies out." + drawn,
            "valley.times < 0.98"),
        Say("At the limit the common part keeps its size." + drawn),
    ]  # fmt: skip


IDEA = Idea(
    "Nearly all outputs have one sign.",
    greater=lambda drawn: max((drawn["outputs.f"] > 0).mean(), (drawn["outputs.f"] < 0).mean()),
    than=lambda drawn: 0.85,
    breaks={"lr": 0.2},
)
