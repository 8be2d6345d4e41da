"""The recorded grid: pieces of it are remade."""

import re

import numpy as np
import pytest

from hal.chapters.atlas.runs import grid
from hal.chapters.atlas.runs.reasons import RUNS
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
