"""The recorded grid: pieces of it are remade, it goes on where it was, has every combination, and the map shows it."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from hal.chapters.atlas import figures
from hal.chapters.atlas.figures.grid import SIDE, field
from hal.chapters.atlas.runs import grid
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
    for name, within in (("selected", 0.002), ("right", 0.005), ("half", 1)):
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
        for name in ("found", "passed", "lost", "selected", "right", "half"):
            assert np.shape(np.array(kept[name], dtype=float)) == shape
        lost, passed = np.array(kept["lost"]), np.array(kept["passed"])
        assert (np.array(kept["found"]) <= len(grid.SEEDS) - lost).all()
        assert (np.isfinite(np.array(kept["half"], dtype=float)) == (passed > 0)).all()


def test_the_map_shows_every_number(record):
    figure = figures.recorded_map()
    ax = figure.axes[0]
    (image,) = ax.images
    drawn = np.ma.filled(image.get_array().astype(float), np.nan)
    empty = sum("why" in kept for (row, _), kept in record.items() if row in ROWS)
    assert [text.get_text() for text in ax.texts if "\n" not in text.get_text()] == ["none"] * empty
    lost = 0
    for i, row in enumerate(ROWS):
        for j, optimiser in enumerate(grid.OPTIMISERS):
            here = drawn[SIDE * i : SIDE * i + 3, SIDE * j : SIDE * j + 3]
            kept = record[row, optimiser]
            if "why" in kept:
                assert np.isnan(here).all()
                continue
            lost += (field(kept, "lost") > 0.5).sum()
            told = here[::-1][:, : len(kept["readout"])]
            np.testing.assert_allclose(16 * told, np.array(kept["found"], dtype=float))
            assert told.shape[1] == 3 or not np.ptp(here, axis=1).any()
    assert sum(len(line.get_xdata()) for line in ax.lines) == lost
    plt.close(figure)


test_a_grid_that_does_not_exist_is_refused = refused(
    [
        (lambda: grid.run(row="Places"), "row: expected one of Places, linear, .*, got 'Places'"),
        (lambda: grid.run(optimiser="adam"), "optimiser: expected one of gradient descent, .*, got 'adam'"),
    ]
)
