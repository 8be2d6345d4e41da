"""The recorded grid: pieces of it are remade, and the map shows it."""

import itertools
import re

import numpy as np
import pytest

from hal.chapters.atlas.figures import grid as map_
from hal.chapters.atlas.runs import grid
from hal.chapters.atlas.runs.reasons import RUNS
from hal.chapters.atlas.runs.rows import ROWS
from tests.prose import Prose
from tests.refusals import refused


@pytest.fixture(scope="module")
def record():
    return grid.recorded_grid()


@pytest.mark.parametrize(("row", "optimiser"), [("Neighbours", "gradient descent"), ("Groups", "Adam")])
def test_a_piece_of_the_record_is_remade(row, optimiser, record):
    """All sixteen seeds at three pairs of rates."""
    kept = record[row, optimiser]
    assert {**grid.cell(row, optimiser, kept["steps"]), "steps": kept["steps"]} == {
        name: kept[name] for name in ("readout", "found", "lost", "steps")
    }


def test_the_map_shows_the_whole_record(record):
    """A row for each task and optimiser; the page has nine numbers of it, one rate of the read-out thrice."""
    assert (tuple(ROWS), grid.OPTIMISERS, len(grid.SEEDS)) == (map_.TASKS, map_.OPTIMISERS, map_.SEEDS)
    assert map_.TASKS[map_.GROUPS :][:2] == ("Groups", "Walks")
    assert map_.OPTIMISERS[map_.ADAM :] == ("Adam", "sign descent")
    for told, (row, optimiser) in zip(map_.FOUND, itertools.product(ROWS, grid.OPTIMISERS), strict=True):
        kept = record[row, optimiser]
        assert kept["readout"] == list(ROWS[row].readout)
        found, lost = (np.array(kept[name], float) for name in ("found", "lost"))
        assert found.shape == lost.shape == (len(grid.ATTENTION), len(ROWS[row].readout))
        assert (found <= len(grid.SEEDS) - lost).all()
        assert told == np.broadcast_to(found, (3, 3)).ravel().tolist()


def test_what_is_right_for_another_reason_is_so_again():
    """The chapter's run and the other one of each task in the table: right answers and attention, in per cent."""
    for name in ("Walks", "Groups"):
        ends = [(100 * path.right, 100 * path.seen) for path in (made(range(4)) for made in RUNS[name])]
        told = re.findall(rf"^\| {name}\b[^|]*\| (\d+)% \| (\d+)% \|$", Prose("atlas").text, flags=re.M)
        np.testing.assert_allclose(np.array(told, float), ends, atol=0.8)


test_a_grid_that_does_not_exist_is_refused = refused(
    [
        (lambda: grid.run(row="Place"), "row: expected one of Places, .*, got 'Place'"),
        (lambda: grid.run(optimiser="adam"), "optimiser: expected one of gradient descent, .*, got 'adam'"),
    ]
)
