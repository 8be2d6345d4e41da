"""Figure `random_walk-age`: the older the place that one reads, the further round the circle the next node may be.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 2 (the walk); the accuracy of a lag is ours.
"""

from typing import NamedTuple

from hal.explorer import Idea, Say, Slider, columns, ring
from lib.portable.primitives import Readings, zeros
from lib.portable.vectors import largest
from lib.theory.random_walk.portable import arrivals

LAGS = 12
NEAR = 1e-9  # two chances that differ by rounding are one
TITLE = "An old place says less"
HINT = "Read further back, and watch the chances spread round the circle."
SLIDERS = {
    "lag": Slider("Lag that is read", "steps back", 4, (1, LAGS), log=False),
    "p": Slider("Chance of a clockwise step p", "no unit", 0.7, (0.0, 1.0), log=False),
    "K": Slider("Nodes K", "nodes", 6, (3, 16), log=False, hidden=True),
}


class Read(NamedTuple):
    """What is read, of which walk."""

    lag: int
    p: float
    K: int


def settings(lag: int, p: float, K: int) -> Read:
    """The lag, in steps; the chance of a clockwise step; the nodes of the circle."""
    return Read(lag, p, K)


def target(settings: Read, seed: int) -> Readings:
    """Chances (K,) of the next node, the walker read at node 0; marks (K,), 1 at the best predictions; the accuracy of
    the best prediction by lag (12,) and which of them is read; in per cent the accuracy of this lag, of lag 1 and of a
    guess without reading; by how much lag 1 is better.
    """
    chances, marks = arrivals(settings.K, settings.p, settings.lag), zeros(settings.K)
    best, read = zeros(LAGS), zeros(LAGS)
    for lag in range(LAGS):
        best[lag] = largest(arrivals(settings.K, settings.p, lag + 1))
    read[settings.lag - 1] = 1.0
    for k in range(settings.K):
        marks[k] = 1.0 if chances[k] > best[settings.lag - 1] - NEAR else 0.0
    return {
        "walk": [0.0], "nodes": [float(settings.K)], "chances": chances, "marks": marks, "best": best, "read": read,
        "lag": [float(settings.lag)], "here": [100.0 * best[settings.lag - 1]], "parent": [100.0 * best[0]],
        "blind": [100.0 / settings.K], "less": [100.0 * (best[0] - best[settings.lag - 1])],
    }  # fmt: skip


def picture() -> tuple[ring, columns]:
    """The circle, inked where the next node may be, and the accuracy that each lag allows."""
    return (
        ring(
            walk="target.walk", nodes="target.nodes", fill="target.chances", marked="target.marks",
            fill_is="chance to be next", fill_idea="output", height=190,
            alt="A circle of nodes, the walker of some steps ago at the top; the ink of each node is its chance to be "
                "next, and the best prediction has a frame.",
        ),
        columns(
            heights="target.best", kinds="target.read", ideas=("theory", "attention"), ylim=(0.0, 1.0), height=116,
            names=[str(lag + 1) for lag in range(LAGS)], ylabel="best accuracy, by the lag that is read",
            alt="Twelve bars that fall from lag 1 on; the lag that is read stands out.",
        ),
    )  # fmt: skip


def say() -> list[Say]:
    """What the lag allows, and what the parent does."""
    return [
        Say("Lag 1 is the parent: the best prediction is right in {target.parent:0}% of cases.", "target.lag == 1"),
        Say("From {target.lag} steps back the best prediction is right in {target.here:0}% of cases, as from the "
            "parent.", "target.less < 0.1"),
        Say("From {target.lag} steps back the best prediction is right in {target.here:0}% of cases, from the parent "
            "in {target.parent:0}%."),
    ]  # fmt: skip


IDEA = Idea(
    "An older place says less.",
    lambda drawn: drawn["target.best"][0],
    lambda drawn: max(drawn["target.best"] * drawn["target.read"]) + 0.1,
    breaks={"p": 1.0},
)
