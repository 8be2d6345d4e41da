"""Small figure `one_nn-mask`: nothing is nearer to the query than the query, so a self-penalty hides it from itself.

Chapter `one_nn`. Source: arXiv 2411.10830, the initialisation W_33 = -sigma; the flow is its two-scalar form.
"""

from typing import NamedTuple

from hal.chapters.one_nn.theory.portable_flow import log_times, passed, path, value_at
from hal.figure import Idea, Say, Slider, grid
from lib.models.one_nn.textbook import draw_point, softmax
from lib.portable.primitives import Readings, Vector, nan, sqrt, zeros
from lib.portable.random_numbers import generator
from lib.portable.vectors import argmax
from lib.theory.one_nn.portable import law_of

D = 4  # dimension
N = 8  # examples
END = 1e4
COUNT = 61  # times of the path
EVERY = 3  # of them is drawn
DRAWN = 21
SEEN = 6  # rows: itself, the four nearest and the farthest
TITLE, AGAIN = "Nearest to the query: itself", "Another prompt"
HINT = "Raise the self-penalty at the start: whom does the query look at first?"
TIMES = tuple({0: "0", 5: "10", 10: "100", 15: "1,000", 20: "10⁴"}.get(i, "") for i in range(DRAWN))
SLIDERS = {"sigma": Slider("Self-penalty at the start, ξ_2(0)", "no unit", -4.0, (-7.0, 7.0), log=False)}


class Settings(NamedTuple):
    """The settings of this figure."""

    sigma: float


def settings(sigma: float) -> Settings:
    """Eight examples in four dimensions."""
    return Settings(sigma)


def flow(settings: Settings, seed: int) -> Readings:
    """Times t (21,) of the reduced flow from (0, sigma); (6, 21) the attention of one query in per cent, on itself,
    on the four nearest examples and on the farthest. Its own at the start, and when it has fallen to one half, NaN
    where it begins below.
    """
    random, normal, point, z = generator(seed, 3), zeros(D), zeros(D), zeros(N)
    for j in range(N):
        draw_point(random, normal, point)
        z[j] = point[0]  # on the sphere every query is alike: it stands at the first axis
    t = log_times(END, COUNT)
    xi1, xi2, _ = path(law_of(D, N), 0.0, settings.sigma, t, 1e-3)
    attention, itself, scores, ordered = zeros(SEEN * DRAWN), zeros(COUNT), zeros(N + 1), zeros(N)
    shown = zeros(DRAWN)
    for k in range(N):
        best = argmax(z)
        ordered[k] = z[best]
        z[best] = -2.0
    for i in range(COUNT):
        look(scores, xi1[i], xi2[i], ordered)
        if i // EVERY * EVERY == i:
            shown[i // EVERY] = t[i]
            for k in range(SEEN):
                attention[k * DRAWN + i // EVERY] = 100.0 * scores[k if k < SEEN - 1 else N]
        itself[i] = 100.0 * scores[0]
    return {
        "t": shown, "attention": attention, "z": ordered, "first": [itself[0]],
        "half": [halved(t, xi1, xi2, ordered, itself)],
    }  # fmt: skip


def look(scores: Vector, xi1: float, xi2: float, z: Vector) -> None:
    """Attention (9,) of a query on itself and on examples at z (8,), in place."""
    scores[0] = xi1 - xi2
    for k in range(N):
        scores[1 + k] = xi1 * z[k]
    softmax(scores)


def halved(t: Vector, xi1: Vector, xi2: Vector, z: Vector, itself: Vector) -> float:
    """When a query's attention on itself falls to one half among examples at z, by halves between two times."""
    i = passed(50.0, itself)
    if i == 0:
        return nan
    low, high, scores = t[i - 1], t[i], zeros(N + 1)
    for _ in range(20):
        middle = sqrt((1.0 + low) * (1.0 + high)) - 1.0
        look(scores, value_at(middle, t, xi1), value_at(middle, t, xi2), z)
        if scores[0] > 0.5:
            low = middle
        else:
            high = middle
    return high


def picture() -> grid:
    """Whom the query looks at, time after time."""
    return grid(
        cells="flow.attention", rows=SEEN, columns=DRAWN, column_names=TIMES, largest=100.0, root=False,
        row_names=("itself", "nearest", "2nd", "3rd", "4th", "farthest"), columns_are="time t", idea="attention",
        height=220, alt="Six rows over time: at first the query's own is dark, later that of the nearest example.",
    )  # fmt: skip


def say() -> list[Say]:
    """How much the query keeps, and how long."""
    return [
        Say("At the start the query gives itself {flow.first:0}% of its attention; at t = {flow.half:0} it is "
            "half.", "flow.first > 50.5"),
        Say("At the start the query gives itself {flow.first:0}% of its attention.", "flow.first >= 0.5"),
        Say("At the start the query gives itself less than 1% of its attention: it is hidden."),
    ]  # fmt: skip


IDEA = Idea(
    "At the start the query looks at itself more than at all examples together.",
    lambda drawn: float(drawn["flow.attention"][0]),
    lambda drawn: 100 - float(drawn["flow.attention"][0]),
    breaks={"sigma": 3.0},
)
