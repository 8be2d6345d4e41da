"""Small figure `group_sparse-plane`: value first, attention second, at nearly one time for all sizes.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638: the population's flow of two scalars from even attention.
"""

from typing import Any, NamedTuple

from hal.figure import Idea, Line, Mark, Say, Slider, over_steps
from hal.figure.charts import Lines
from lib.portable.explicit import flow_from, flow_to
from lib.portable.primitives import Readings, nan, zeros
from lib.theory.group_sparse.portable import law_of, leak_of, push

POINTS = 101
END = 10.0  # learning rate times steps
RESTS = 1.6  # times 1/D: where the value's strength rests while attention is even
HALF = 0.5
TITLE = "Which grows first, reading or attention?"
HINT = "Change the number of groups: how long does attention wait?"
SLIDERS = {
    "D": Slider("Groups D", "groups", 6, (3, 16)),
    "start": Slider("Initial reading", "no unit", 0.0, (-1.0, 1.0), log=False),
}


class Chosen(NamedTuple):
    """The number of groups; reading at the start, times 1.6/D."""

    D: int
    start: float


def settings(D: int, start: float) -> Chosen:
    """The settings of this figure."""
    return Chosen(D, start)


def way(settings: Chosen) -> Readings:
    """The flow: times, reading and attention (101,); when reading is 1, and attention 0.5; how far attention falls."""
    D, law, place = settings.D, law_of(settings.D, 1.0), zeros(2)
    place[0] = settings.start * RESTS / float(D)
    flow, t, reading, attention = flow_from(0.0, place), zeros(POINTS), zeros(POINTS), zeros(POINTS)
    ready, half, low = nan, nan, 1.0
    for i in range(POINTS):
        t[i] = END * float(i) / float(POINTS - 1)
        flow_to(t[i], flow, push, law, 1e-5)
        reading[i] = flow.y[0] * float(D) / RESTS
        attention[i] = 1.0 - leak_of(float(D), flow.y[1])
        low = min(low, attention[i])
        if i > 0 and reading[i - 1] < 1.0 and reading[i] >= 1.0:
            ready = t[i] - (t[i] - t[i - 1]) * (reading[i] - 1.0) / (reading[i] - reading[i - 1])
        if i > 0 and attention[i - 1] < HALF and attention[i] >= HALF:
            half = t[i] - (t[i] - t[i - 1]) * (attention[i] - HALF) / (attention[i] - attention[i - 1])
    return {
        "t": t, "reading": reading, "attention": attention, "ready": [ready], "half": [half],
        "fall": [attention[0] - low],
    }  # fmt: skip


def picture() -> Lines:
    """Reading and attention over the time, and how long attention waits."""
    return over_steps(
        "", "reading in units of 1.6/D; attention (no unit)",
        Line("way.reading", "layer’s reading", idea="output"), Line("way.attention", "attention", idea="attention"),
        x="way.t", xlabel="time ηt, learning rate × steps (no unit)", ylim=(None, 1.6), height=270,
        marks=[Mark("way.ready", "reading is there"), Mark("way.half", "attention passes half")],
    )  # fmt: skip


def say() -> list[Say]:
    """When each of the two is there, and whether attention falls first."""
    passes = "attention passes half only at ηt = {way.half:1}"
    return [
        Say("Attention first falls; it passes half at ηt = {way.half:1}.", "way.fall > 0.002"),
        Say("Reading is there at ηt = {way.ready:1}; " + passes + "."),
        Say("Reading is there from the start; " + passes + "."),
    ]


IDEA = Idea(
    "When reading is there, attention on group 2 is still below a quarter.",
    greater=lambda drawn: 0.25,
    than=lambda drawn: attention_when_read(drawn),
    breaks={"D": 4},
)


def attention_when_read(drawn: Any) -> float:
    """Attention at the first time at which reading is there."""
    return float(drawn["way.attention"][drawn["way.reading"] >= 1][0])
