"""The recorded grid: pieces of it are remade, it goes on where it was, has every combination, and the map shows it."""

import numpy as np
import pytest

from hal.chapters.atlas.figures import grid as map_
from hal.chapters.atlas.figures import reasons
from hal.chapters.atlas.runs import grid
from hal.chapters.atlas.runs.reasons import RUNS
from hal.chapters.atlas.runs.rows import ABSENT, ROWS
from tests.refusals import refused


@pytest.fixture(scope="module")
def record():
    return grid.recorded_grid()


@pytest.mark.parametrize(
    ("row", "optimiser"), [("Neighbours, softmax", "gradient descent"), ("Groups, linear", "Adam")]
)
def test_a_piece_of_the_record_is_remade(row, optimiser, record):
    """All sixteen seeds at three pairs of rates; medians may differ by what rounding makes of a run."""
    kept = record[row, optimiser]
    again = grid.cell(row, optimiser, kept["steps"])
    for name in ("readout", "found", "lost"):
        assert again[name] == kept[name]
    for name, within in (("selected", 0.002), ("right", 0.005)):
        np.testing.assert_allclose(np.array(again[name], float), np.array(kept[name], float), atol=within)


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("optimiser", ["momentum", "weight decay", "soft threshold", "Adam", "sign descent"])
def test_a_run_is_what_it_is_alone(row, optimiser):
    rates = ((1.0, 1.0, 3), (4.0, 0.25, 4), (0.25, 4.0, 3))
    points = [{"row": row, "optimiser": optimiser, "steps": 6, "readout": v, "attention": a, "seed": s}
              for v, a, s in rates]  # fmt: skip
    for many, point in zip(grid.run.many(points), points, strict=True):
        alone = grid.run(**point)
        assert all(np.array_equal(many[name], alone[name], equal_nan=True) for name in many)


def test_the_record_has_every_combination(record):
    assert set(record) == {(row, optimiser) for row in (*ROWS, *ABSENT) for optimiser in grid.OPTIMISERS}
    for (row, optimiser), kept in record.items():
        said = grid.why(row, optimiser)
        assert kept.get("why", "") == said
        if said:
            continue
        shape = (len(grid.ATTENTION), len(ROWS[row].readout))
        assert kept["readout"] == list(ROWS[row].readout)
        for name in ("found", "lost", "selected", "right"):
            assert np.shape(np.array(kept[name], dtype=float)) == shape
        assert (np.array(kept["found"]) <= len(grid.SEEDS) - np.array(kept["lost"])).all()


def test_the_map_shows_every_number(record):
    """What the page has of the record: -1 where there is nothing, one rate of the read-out thrice; and its names."""
    assert [name.split(",")[0] for name in map_.TASKS] == [row.split(",")[0] for row in ROWS]
    assert [row.startswith(("Groups", "Walks")) for row in ROWS] == [map_.GROUPS <= i <= map_.WALKS for i in range(10)]
    assert all(short in full for short, full in zip(map_.OPTIMISERS, grid.OPTIMISERS, strict=True))
    places = [(row, optimiser) for row in ROWS for optimiser in grid.OPTIMISERS]
    for name, shown in (("found", map_.FOUND), ("right", map_.RIGHT)):
        for key, told in zip(places, shown, strict=True):
            kept = record[key]
            if "why" in kept:
                assert told == [-1] * 9
                continue
            table = np.array(kept[name], float)
            np.testing.assert_allclose(told, np.nan_to_num(np.broadcast_to(table, (3, 3)), nan=-1).ravel(), atol=1e-4)


def test_ends_of_two_reasons_are_remade():
    for name, runs in RUNS.items():
        again = [(path.seen, path.right) for path in (made(range(4)) for made in runs)]
        np.testing.assert_allclose(getattr(reasons, name.upper()), again, atol=0.003)


test_a_grid_that_does_not_exist_is_refused = refused(
    [
        (lambda: grid.run(row="Places"), "row: expected one of Places, linear, .*, got 'Places'"),
        (lambda: grid.run(optimiser="adam"), "optimiser: expected one of gradient descent, .*, got 'adam'"),
    ]
)
