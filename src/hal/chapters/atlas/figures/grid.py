"""Small figure `atlas-grid`: which optimiser finds the place of which task, of the recorded grid.

Chapter `atlas`. Source: our own; recorded by `python -m hal.chapters.records atlas grid`.
"""

from typing import NamedTuple

from hal.figure import Idea, Say, Slider, grid
from lib.portable.primitives import Matrix, Readings, Vector, nan, recorded, zeros

#: A test holds these to hal/results/atlas/grid.json. A row for each task and attention under each optimiser, in it nine
#: pairs of learning rates, slow attention first and within that the slow read-out; -1 where nothing was found.
FOUND = recorded(Matrix, "hal/chapters/atlas/recorded.json", "grid.found")  # runs of sixteen
RIGHT = recorded(Matrix, "hal/chapters/atlas/recorded.json", "grid.right")  # of the best possible answers
SEEDS = 16.0
GROUPS = 4  # the first of two rows of Groups; that of Walks follows
WALKS = 6
ADAM = 4  # its column; that of sign descent follows
COLUMNS = 6
ROWS = 10
TITLE, HINT = "Which optimiser finds the place?", "Try other learning rates: which cells stay near 0?"
TALLEST = 520  # ten rows whose names can be read
TASKS = ("Places, linear", "Places, softmax", "Sentences", "Neighbours", "Groups, linear", "Groups, softmax", "Walks",
         "Prompts, c = 0", "Prompts, linear", "Prompts, softmax")  # fmt: skip
OPTIMISERS = ("gradient", "momentum", "decay", "threshold", "Adam", "sign")
SLIDERS = {
    "shows": Slider("A cell says", default=0, names={
        0: "% of runs that find the place", 1: "accuracy, % of the best",
    }),
    "rates": Slider("Learning rates", default=3, names={
        0: "usual", 1: "fast attention", 2: "slow attention", 3: "best of all",
    }),
}  # fmt: skip


class Chosen(NamedTuple):
    """What is shown of the grid."""

    shows: int
    rates: int


def settings(shows: int, rates: int) -> Chosen:
    """A quantity, and learning rates: with fast attention comes a slow read-out, where that has several rates."""
    return Chosen(shows, rates)


def pick(row: Vector, rates: int) -> float:
    """One of nine numbers, or the largest of them; NaN where there is none."""
    if rates < 3:
        value = row[4 if rates == 0 else 6 if rates == 1 else 2]
        return value if value >= 0.0 else nan
    best = nan
    for value in row:
        if value >= 0.0 and not value <= best:
            best = value
    return best


def shown(settings: Chosen) -> Readings:
    """The map (60,) in per cent, row after row, and what is framed: right answers without the place. For the sentence,
    in Groups and Walks: most runs of Adam and of sign descent that find the place, and the rows where all of gradient
    descent do; and the least share of right answers of Adam and sign descent, in Groups, in per cent."""
    cells, framed = zeros(ROWS * COLUMNS), zeros(ROWS * COLUMNS)
    deaf, heard, groups = 0.0, 0.0, 100.0
    for i in range(ROWS):
        for j in range(COLUMNS):
            at = COLUMNS * i + j
            found, right = pick(FOUND[at], settings.rates), pick(RIGHT[at], settings.rates)
            cells[at] = 100.0 * (found / SEEDS if settings.shows == 0 else right)
            framed[at] = 1.0 if found < 0.5 * SEEDS and right >= 0.75 else 0.0
            if i >= GROUPS and i <= WALKS:
                if j >= ADAM:
                    deaf = max(deaf, found)
                    groups = min(groups, 100.0 * right) if i < WALKS else groups
                elif j == 0:
                    heard += 1.0 if found == SEEDS else 0.0
    return {
        "cells": cells, "framed": framed, "deaf": [deaf], "heard": [heard], "groups": [groups],
        "shows": [float(settings.shows)],
    }  # fmt: skip


def picture() -> grid:
    """A row for each task and attention, a column for each optimiser."""
    return grid(
        cells="shown.cells", outline="shown.framed", rows=ROWS, columns=COLUMNS, row_names=TASKS, square=False,
        column_names=OPTIMISERS, columns_are="optimiser of both layers", largest=100.0, root=False, digits=0,
        idea="attention", height=340,
        alt="Ten tasks by six optimisers: 100% of the runs find the place almost everywhere, but under Adam and sign "
        "descent nearly none in Groups and Walks.",
    )  # fmt: skip


_DEAF = "In Groups and Walks Adam and sign descent find the place in "
_HEARD = ". Gradient descent finds it in {shown.heard:0} of the 3 rows."


def say() -> list[Say]:
    """What Adam and sign descent do in Groups and Walks."""
    return [
        Say(_DEAF + "no run" + _HEARD, "shown.shows == 0", "shown.deaf == 0"),
        Say(_DEAF + "at most {shown.deaf:0} of 16 runs" + _HEARD, "shown.shows == 0"),
        Say("In Groups Adam and sign descent reach {shown.groups:0}% of the best accuracy, or more."),
    ]  # fmt: skip


IDEA = Idea(
    "In Groups and Walks gradient descent finds the place, and sign descent does not, at any pair of rates.",
    greater=lambda drawn: drawn["shown.cells"].reshape(ROWS, COLUMNS)[GROUPS : WALKS + 1, 0].min(),
    than=lambda drawn: drawn["shown.cells"].reshape(ROWS, COLUMNS)[GROUPS : WALKS + 1, ADAM:].max() + 50,
    breaks={"shows": 1},
)
