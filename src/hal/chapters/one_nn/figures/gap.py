"""Small figure `one_nn-gap`: separation silences near ties, and leaves the query that looks at itself.

Chapter `one_nn`. Source: arXiv 2411.10830, the theorem on distribution shift; the query's own share is our finding.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.figure import Idea, Path, Say, Slider, points
from lib.models.one_nn.textbook import draw_point, softmax
from lib.portable.primitives import Readings, nan, remainder, zeros
from lib.portable.random_numbers import generator, uniform
from lib.portable.vectors import argmax

D = 4  # dimension
N = 8  # examples
XI1 = 16.05  # where training from the self-penalty 3 is at t = 10,000
XI2 = 16.5
WIDE = 2.1  # of the picture, from -1 on
EVEN = 421  # places of the tint, two pixels apart
TITLE = "Behind the nearest, one label"
HINT = "Widen the zone, then look for a lonely query."
AGAIN = "Another prompt"
SLIDERS = {
    "delta": Slider("Separation δ", "no unit", 0.4, (0.0, 1.0), log=False),
    "lonely": Slider("Query", default=0, names={0: "any", 1: "a lonely one"}),
}


class Settings(NamedTuple):
    """The settings of this figure."""

    delta: float
    lonely: int


def settings(delta: float, lonely: int) -> Settings:
    """Eight examples in four dimensions, at the pair that training has reached at t = 10,000."""
    return Settings(delta, lonely)


def prompt(settings: Settings, seed: int) -> Readings:
    """Inner products of 8 examples and of the query with itself, last, (9,); their attention; their kinds, 0 and 2 for
    a label of -1 and +1, 1 for the query. The zone as a line, and its tint by the label in it (2 421,); how much
    attention goes to examples with another label than the nearest and to the query itself, in per cent. A lonely query
    has no example nearer than it is itself.
    """
    random = generator(seed, 2)
    z, attention, kind, normal, point = zeros(N + 1), zeros(N + 1), zeros(N + 1), zeros(D), zeros(D)
    z[N] = 1.0
    kind[N] = 1.0
    near, looking = 0, True
    while looking:
        for j in range(N):
            draw_point(random, normal, point)
            z[j] = point[0]  # on the sphere every query is alike: it stands at the first axis
            kind[j] = 0.0 if uniform(random) < 0.5 else 2.0
        z[N] = -2.0
        near = argmax(z)
        z[N] = 1.0
        looking = settings.lonely > 0 and XI1 * z[near] > XI1 - XI2
    edge = z[near] - 0.5 * settings.delta
    for j in range(N):
        attention[j] = XI1 * z[j]
        kind[j] = kind[near] if z[j] > edge else kind[j]
    attention[N] = XI1 - XI2
    softmax(attention)
    other = 0.0
    for j in range(N):
        other += 100.0 * attention[j] if kind[j] != kind[near] else 0.0
    tint = zeros(2 * EVEN)
    for i in range(2 * EVEN):
        place = WIDE * float(remainder(i, EVEN)) / float(EVEN - 1) - 1.0
        tint[i] = kind[near] - 1.0 if place >= edge and place <= z[near] else nan
    return {
        "z": z, "attention": attention, "kind": kind, "side": [edge, edge, z[near], z[near]], "tint": tint,
        "ends": [1.0, 0.0, 0.0, 1.0], "other": [other], "itself": [100.0 * attention[N]],
        "nearest": [100.0 * attention[near]],
    }  # fmt: skip


def picture() -> points:
    """Examples at their inner products, as high as their attention, with the zone."""
    return points(
        x="prompt.z", y="prompt.attention", kinds="prompt.kind", ideas=("minus", "marked", "plus"),
        signs=("−", "q", "+"), kind_names=("label −", "the query", "label +"), xlim=(-1.0, WIDE - 1.0), ylim=(0.0, 1.0),
        lines=[Path("prompt.side", "prompt.ends", "zone: one label", theory=True)], height=230,
        ground="prompt.tint", across=EVEN, deep=2,
        xlabel="inner product", ylabel="attention",
        alt="Eight examples with signs on a line. The one farthest to the right has nearly all the attention; behind "
            "it a zone in which all signs are its own. The query stands at 1.",
    )  # fmt: skip


def say() -> list[Say]:
    """Who gets attention that should not."""
    return [Say("Examples with the other label get {prompt.other:1}% of the attention, the query itself "
                "{prompt.itself:1}%.")]  # fmt: skip


def wrong(drawn: Mapping[str, NDArray[np.float64]]) -> float:
    """The attention on examples with another label than the nearest."""
    z, kind = drawn["prompt.z"][:N], drawn["prompt.kind"][:N]
    return float(drawn["prompt.attention"][:N][kind != kind[z.argmax()]].sum())


IDEA = Idea(
    "Examples with the other label get less than a tenth of the attention.",
    lambda drawn: 0.1,
    wrong,
    breaks={"delta": 0.0},
)
