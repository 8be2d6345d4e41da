"""Small figure `group_sparse-plane`: value first, attention second, at nearly one time for all sizes.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638: the population's flow of two scalars from even attention.
"""

from typing import NamedTuple

from hal.figure import Idea, Line, Mark, Say, Slider, over_steps
from hal.figure.charts import Lines
from lib.portable.explicit import flow_from, flow_to
from lib.portable.primitives import Readings, nan, zeros
from lib.theory.group_sparse.portable import law_of, leak_of, push

POINTS = 101
END = 8.0  # learning rate times steps
RESTS = 1.6  # times 1/D: where the value's strength rests while attention is even
HALF = 0.5
TITLE = "How long does attention wait?"
TALLEST = 462  # a strip with words over two curves
HINT = "Blue, until it is ready: the strength of the value vector. Change the number of groups."
SLIDERS = {
    "D": Slider("Groups D", "groups", 6, (3, 16)),
}


class Chosen(NamedTuple):
    """The number of groups."""

    D: int


def settings(D: int) -> Chosen:
    """The settings of this figure."""
    return Chosen(D)


def way(settings: Chosen) -> Readings:
    """The flow: times, strength until it is 1, and attention (101,); when strength is 1, and attention 0.5."""
    D, law, flow, ready, half = settings.D, law_of(settings.D, 1.0), flow_from(0.0, zeros(2)), nan, nan
    t, strength, attention = zeros(POINTS), zeros(POINTS), zeros(POINTS)
    for i in range(POINTS):
        t[i] = END * float(i) / float(POINTS - 1)
        flow_to(t[i], flow, push, law, 1e-5)
        strength[i] = flow.y[0] * float(D) / RESTS if i == 0 or strength[i - 1] < 1.0 else nan
        attention[i] = 1.0 - leak_of(float(D), flow.y[1])
        if strength[i] >= 1.0:
            ready = t[i] - (t[i] - t[i - 1]) * (strength[i] - 1.0) / (strength[i] - strength[i - 1])
            strength[i] = 1.0
        if i > 0 and attention[i - 1] < HALF and attention[i] >= HALF:
            half = t[i] - (t[i] - t[i - 1]) * (attention[i] - HALF) / (attention[i] - attention[i - 1])
    return {"t": t, "strength": strength, "attention": attention, "ready": [ready], "half": [half]}


def picture() -> Lines:
    """Strength and attention over the time, and how long attention waits."""
    return over_steps(
        "", "1: the value vector is ready; all attention (no unit)",
        Line("way.strength", "layer’s value", idea="output"), Line("way.attention", "attention", idea="attention"),
        x="way.t", xlabel="time ηt, learning rate × steps (no unit)", ylim=(0, 1.3), height=270,
        marks=[Mark("way.ready", "value vector: ready", idea="output"),
               Mark("way.ready", "attention lags", until="way.half"),
               Mark("way.half", "attention: half", idea="attention")],
    )  # fmt: skip


def say() -> list[Say]:
    """When each of the two is there."""
    return [Say("The value vector is ready at ηt = {way.ready:1}, attention passes half only at ηt = {way.half:1}.")]


IDEA = Idea(
    "When the value vector is ready, attention on group 2 is still below a quarter.",
    greater=lambda drawn: 0.25,
    than=lambda drawn: drawn["way.attention"][drawn["way.strength"] >= 1][0],
    breaks={"D": 4},
)
