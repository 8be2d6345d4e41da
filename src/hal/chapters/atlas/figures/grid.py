"""Small figure `atlas-grid`: which optimiser misses the right tokens of which task, of the recorded grid.

Chapter `atlas`. Source: our own; recorded by `python -m hal.chapters.records atlas grid`.
"""

from typing import NamedTuple

from hal.figure import Idea, Say, Slider, grid
from lib.portable.primitives import Matrix, Readings, Vector, recorded, zeros
from lib.portable.vectors import largest

#: A test holds these to hal/results/atlas/grid.json. A row for each task under each optimiser, in it nine pairs of
#: learning rates, slow attention first and within that the slow read-out.
FOUND = recorded(Matrix, "hal/chapters/atlas/recorded.json", "grid.found")  # runs of sixteen
SEEDS = 16.0
GROUPS = 3  # its row; that of Walks follows
ADAM = 2  # its column; that of sign descent follows
COLUMNS = 4
ROWS = 6
TITLE, HINT = "Can better learning rates rescue Adam?", "Choose the best rate for each cell."
TASKS = ("Places", "Sentences", "Neighbours", "Groups", "Walks", "Prompts")
OPTIMISERS = ("gradient descent", "momentum", "Adam", "sign descent")
SLIDERS = {
    "rates": Slider("Learning rates", default=0, names={0: "usual", 1: "best in each cell"}),
}


class Chosen(NamedTuple):
    """What is shown of the grid."""

    rates: int


def settings(rates: int) -> Chosen:
    """The usual pair of learning rates, or in each cell the pair at which most runs find the place."""
    return Chosen(rates)


def pick(row: Vector, rates: int) -> float:
    """The middle one of nine numbers, or the largest of them."""
    return largest(row) if rates == 1 else row[4]


def shown(settings: Chosen) -> Readings:
    """The map (24,) in per cent, row after row; the most runs of Adam and of sign descent that find the right tokens in
    Groups or Walks."""
    cells, deaf = zeros(ROWS * COLUMNS), 0.0
    for i in range(ROWS):
        for j in range(COLUMNS):
            found = pick(FOUND[COLUMNS * i + j], settings.rates)
            cells[COLUMNS * i + j] = 100.0 - 100.0 * found / SEEDS
            if i >= GROUPS and i <= GROUPS + 1 and j >= ADAM:
                deaf = max(deaf, found)
    return {"cells": cells, "deaf": [deaf]}


def picture() -> grid:
    """A row for each task, a column for each optimiser."""
    return grid(
        cells="shown.cells", rows=ROWS, columns=COLUMNS, row_names=TASKS, square=False, column_names=OPTIMISERS,
        columns_are="% of runs that miss, by optimiser", largest=100.0, root=False, digits=0, idea="loss", height=230,
        alt="Six tasks by four optimisers: no run misses the right tokens, but all do under Adam and sign descent in "
        "Groups and Walks.",
    )  # fmt: skip


def say() -> list[Say]:
    """What Adam and sign descent do in Groups and Walks."""
    plain = "In Groups and Walks gradient descent finds the right tokens in all 16 runs, Adam and sign descent in "
    return [Say(plain + "none.", "shown.deaf == 0"), Say(plain + "at most {shown.deaf:0}.")]


IDEA = Idea(
    "At the usual rates, in Groups and Walks gradient descent never misses, Adam and sign descent always do.",
    greater=lambda drawn: drawn["shown.cells"].reshape(ROWS, COLUMNS)[GROUPS : GROUPS + 2, ADAM:].min(),
    than=lambda drawn: 99.0 + drawn["shown.cells"].reshape(ROWS, COLUMNS)[GROUPS : GROUPS + 2, 0].max(),
    breaks={"rates": 1},
)
