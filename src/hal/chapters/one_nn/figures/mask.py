"""Small figure `one_nn-mask`: nothing is nearer to the query than the query, so a self-penalty hides it from itself.

Chapter `one_nn`. Source: arXiv 2411.10830, the initialisation W_33 = -sigma; the flow is its two-scalar form.
"""

from typing import NamedTuple

from hal.chapters.one_nn.theory.portable_flow import log_times, path
from hal.figure import Idea, Say, Slider, grid
from lib.models.one_nn.textbook import draw_point, softmax
from lib.portable.primitives import Readings, zeros
from lib.portable.random_numbers import generator
from lib.portable.vectors import argmax
from lib.theory.one_nn.portable import law_of

D = 4  # dimension
N = 8  # examples
END = 1e4
COUNT = 61  # times of the path
EVERY = 5  # of them is drawn
DRAWN = 13
SEEN = 3  # rows: itself, the nearest, all others
TITLE, AGAIN = "What does the query look at?", "Another prompt"
HINT = "Raise the self-penalty at the start: when does the query see the examples?"
TIMES = tuple({0: "0", 3: "10", 6: "100", 9: "1,000", 12: "10,000"}.get(i, "") for i in range(DRAWN))
SLIDERS = {"sigma": Slider("Self-penalty at the start, ξ_2(0)", "no unit", -4.0, (-7.0, 7.0), log=False)}


class Settings(NamedTuple):
    """The settings of this figure."""

    sigma: float


def settings(sigma: float) -> Settings:
    """Eight examples in four dimensions."""
    return Settings(sigma)


def flow(settings: Settings, seed: int) -> Readings:
    """Times t (13,) of the reduced flow from (0, sigma); (3, 13) the attention of one query in per cent, on itself, on
    the nearest example and on all others; its own at the start.
    """
    random, normal, point, z = generator(seed, 3), zeros(D), zeros(D), zeros(N)
    for j in range(N):
        draw_point(random, normal, point)
        z[j] = point[0]  # on the sphere every query is alike: it stands at the first axis
    t = log_times(END, COUNT)
    xi1, xi2, _ = path(law_of(D, N), 0.0, settings.sigma, t, 1e-3)
    attention, scores, ordered, shown = zeros(SEEN * DRAWN), zeros(N + 1), zeros(N), zeros(DRAWN)
    for k in range(N):
        best = argmax(z)
        ordered[k] = z[best]
        z[best] = -2.0
    for i in range(DRAWN):
        shown[i], scores[0] = t[EVERY * i], xi1[EVERY * i] - xi2[EVERY * i]
        for k in range(N):
            scores[1 + k] = xi1[EVERY * i] * ordered[k]
        softmax(scores)
        for k in range(N + 1):
            attention[min(k, SEEN - 1) * DRAWN + i] += 100.0 * scores[k]
    return {"t": shown, "attention": attention, "z": ordered, "first": [attention[0]]}


def picture() -> grid:
    """What the query looks at, time after time."""
    return grid(
        cells="flow.attention", rows=SEEN, columns=DRAWN, column_names=TIMES, largest=100.0, root=False,
        row_names=("itself", "nearest", "all others"), columns_are="attention of the query in %, over time t", digits=0,
        idea="attention", height=190, alt="Three rows over time: at first most is on the query, later on the nearest.",
    )  # fmt: skip


def say() -> list[Say]:
    """How much the query keeps at the start."""
    return [
        Say("At the start the query gives itself {flow.first:0}% of its attention.", "flow.first >= 0.5"),
        Say("At the start the query gives itself less than 1% of its attention: it is hidden."),
    ]


IDEA = Idea(
    "At the start the query looks at itself more than at all examples together.",
    lambda drawn: float(drawn["flow.attention"][0]),
    lambda drawn: 100 - float(drawn["flow.attention"][0]),
    breaks={"sigma": 3.0},
)
