"""Small figure `atlas-grid`: which optimiser finds the place of which task, of the recorded grid.

Chapter `atlas`. Source: our own; recorded by `python -m hal.chapters.records atlas grid`.
"""

from typing import NamedTuple

from hal.figure import Idea, Say, Slider, grid
from lib.portable.primitives import Matrix, Readings, Vector, recorded, zeros

#: A test holds these to hal/results/atlas/grid.json. A row for each task under each optimiser, in it nine pairs of
#: learning rates, slow attention first and within that the slow read-out.
FOUND = recorded(Matrix, "hal/chapters/atlas/recorded.json", "grid.found")  # runs of sixteen
SEEDS = 16.0
GROUPS = 3  # its row; that of Walks follows
ADAM = 2  # its column; that of sign descent follows
COLUMNS = 4
ROWS = 6
TITLE, HINT = "Which optimiser finds the place?", "Try other learning rates: which cells stay near 0?"
TASKS = ("Places", "Sentences", "Neighbours", "Groups", "Walks", "Prompts")
OPTIMISERS = ("gradient descent", "momentum", "Adam", "sign descent")
SLIDERS = {
    "rates": Slider("Learning rates", default=3, names={
        0: "usual", 1: "attention × 4", 2: "attention ÷ 4", 3: "best pair",
    }),
}  # fmt: skip


class Chosen(NamedTuple):
    """What is shown of the grid."""

    rates: int


def settings(rates: int) -> Chosen:
    """Learning rates: with fast attention comes a slow read-out, where that has several rates."""
    return Chosen(rates)


def pick(row: Vector, rates: int) -> float:
    """One of nine numbers, or the largest of them."""
    if rates < 3:
        return row[4 if rates == 0 else 6 if rates == 1 else 2]
    best = 0.0
    for value in row:
        best = max(best, value)
    return best


def shown(settings: Chosen) -> Readings:
    """The map (24,) in per cent, row after row. For the sentence, in Groups and Walks: most runs of Adam and of sign
    descent that find the place, and the rows where all of gradient descent do."""
    cells, deaf, heard = zeros(ROWS * COLUMNS), 0.0, 0.0
    for i in range(ROWS):
        for j in range(COLUMNS):
            found = pick(FOUND[COLUMNS * i + j], settings.rates)
            cells[COLUMNS * i + j] = 100.0 * found / SEEDS
            if i >= GROUPS and i <= GROUPS + 1:
                deaf = max(deaf, found) if j >= ADAM else deaf
                heard += 1.0 if j == 0 and found == SEEDS else 0.0
    return {"cells": cells, "deaf": [deaf], "heard": [heard]}


def picture() -> grid:
    """A row for each task, a column for each optimiser."""
    return grid(
        cells="shown.cells", rows=ROWS, columns=COLUMNS, row_names=TASKS, square=False, column_names=OPTIMISERS,
        columns_are="% of runs that find the place, by optimiser of both layers", largest=100.0, root=False, digits=0,
        idea="attention", height=230,
        alt="Six tasks by four optimisers: 100% of the runs find the place almost everywhere, but under Adam and sign "
        "descent nearly none in Groups and Walks.",
    )  # fmt: skip


_DEAF = "In Groups and Walks Adam and sign descent find the place in "
_HEARD = ". Gradient descent finds it in all runs of "


def say() -> list[Say]:
    """What Adam and sign descent do in Groups and Walks."""
    return [
        Say(_DEAF + "no run" + _HEARD + "both.", "shown.deaf == 0", "shown.heard == 2"),
        Say(_DEAF + "no run" + _HEARD + "one of the two.", "shown.deaf == 0"),
        Say(_DEAF + "at most {shown.deaf:0} of 16 runs" + _HEARD + "both."),
    ]  # fmt: skip


IDEA = Idea(
    "In Groups and Walks gradient descent finds the place, and sign descent does not, at any pair of rates.",
    greater=lambda drawn: drawn["shown.cells"].reshape(ROWS, COLUMNS)[GROUPS : GROUPS + 2, 0].min(),
    than=lambda drawn: drawn["shown.cells"].reshape(ROWS, COLUMNS)[GROUPS : GROUPS + 2, ADAM:].max() + 50,
    breaks={"rates": 2},
)
