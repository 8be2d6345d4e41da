"""Small figure `random_walk-counts`: a deterministic walk that goes round a whole number of times has equal counts.

Chapter `random_walk`. Source: arXiv 2511.23239, theorem on p = 0 and 1 (N = rK + 1); one step of training on other
lengths is our own, `random_walk-growth` beside it.
"""

from typing import NamedTuple

from hal.figure import Idea, Say, Slider, columns, ring
from lib.portable.primitives import Readings, remainder, zeros

TITLE = "Equal counts tell nothing"
HINT = "Let the walker make one more move, and watch the columns."
SLIDERS = {
    "places": Slider("Nodes seen", "nodes", 12, (4, 24), log=False),
    "K": Slider("Nodes K", "nodes", 6, (4, 9), log=False),
}


class Round(NamedTuple):
    """How long a walk, on which circle."""

    places: int
    K: int


def settings(places: int, K: int) -> Round:
    """Nodes that are seen, nodes of the circle."""
    return Round(places, K)


def visits(settings: Round, seed: int) -> Readings:
    """The nodes seen (N - 1,), of a walk that begins at node 0; visits of each node (K,); a mark (K,) on the target;
    which columns are higher (K,), how many, and the accuracy of one step of training in per cent.
    """
    K, count = settings.K, settings.places
    walk, visited, target, higher = zeros(count), zeros(K), zeros(K), zeros(K)
    for j in range(count):
        node = remainder(j, K)
        walk[j] = float(node)
        visited[node] += 1.0
    target[remainder(count, K)] = 1.0
    rest = remainder(count, K)
    for k in range(rest):
        higher[k] = 1.0
    return {
        "walk": walk, "nodes": [float(K)], "visited": visited, "target": target, "higher": higher,
        "seen": [float(count)], "rest": [float(rest)], "rounds": [float(count // K)], "luck": [100.0 / float(K)],
    }  # fmt: skip


def picture() -> tuple[ring, columns]:
    """The circle with the walker, the target framed, and how often each node was visited."""
    return (
        ring(
            walk="visits.walk", nodes="visits.nodes", marked="visits.target", height=180,
            alt="A circle of nodes with a walker that goes clockwise; the target, one node on, has a frame.",
        ),
        columns(
            heights="visits.visited", kinds="visits.higher", ideas=("theory", "marked"), ylim=(0.0, None),
            height=180, ylabel="visits, node by node",
            alt="A column for each node, as high as its visits: all are equally high.",
        ),
    )  # fmt: skip


def say() -> list[Say]:
    """Whether the counts say where the walk ends."""
    return [
        Say("{visits.seen} nodes on a circle of {visits.nodes}: all are visited equally often, wherever the walk ends, "
            "so the average says nothing, and a guess has accuracy {visits.luck:0}%.", "visits.rest == 0"),
        Say("{visits.seen} nodes on a circle of {visits.nodes}: one node is visited once more than the others, and "
            "the target is the next one.", "visits.rest == 1"),
        Say("{visits.seen} nodes on a circle of {visits.nodes}: {visits.rest} nodes are visited once more than the "
            "others, and the target comes after them."),
    ]  # fmt: skip


IDEA = Idea(
    "All columns are equally high.",
    lambda drawn: 0.5,
    lambda drawn: drawn["visits.visited"].max() - drawn["visits.visited"].min(),
    breaks={"places": 13},
)
