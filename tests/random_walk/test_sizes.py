"""The recorded circles: a piece is remade, the record goes on where it was, and figure and fit show what it holds."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from hal.chapters.random_walk import figures
from hal.chapters.random_walk.runs import sizes
from lib.portable.chances import share_interval


@pytest.fixture(scope="module")
def record():
    return sizes.recorded_sizes()


@pytest.mark.parametrize("setting", [sizes.Setting(6, 0.02), sizes.Setting(20, 0.04), sizes.Setting(9, 0.01)])
def test_a_piece_is_remade(record, setting):
    again, kept = sizes.ends(setting), record[setting]
    assert (again["parent"], again["lost"]) == (kept["parent"], kept["lost"])
    found, known = (np.array(one["odd"], float) for one in (again, kept))
    np.testing.assert_allclose(found, known, atol=0.01)


def test_the_figure_shows_every_circle_with_its_band(record):
    drawn = figures.parity_by_size()
    for ax, nodes in zip(drawn.axes, (sizes.EVEN, sizes.ODD), strict=True):
        lines = [line for line in ax.lines if line.get_marker() == "o"]
        for line, sigma in zip(lines, sizes.SIGMAS, strict=True):
            kept = [[odd for odd in record[sizes.Setting(K, sigma)]["odd"] if odd is not None] for K in nodes]
            np.testing.assert_allclose(line.get_ydata(), [np.mean(np.array(one) < 0) for one in kept])
        for band, sigma in zip(ax.collections, sizes.SIGMAS, strict=True):
            kept = [odd for odd in record[sizes.Setting(nodes[1], sigma)]["odd"] if odd is not None]
            low, high = share_interval(float(np.sum(np.array(kept) < 0)), len(kept))
            at = band.get_paths()[0].vertices
            there = at[np.isclose(at[:, 0], nodes[1]), 1]
            np.testing.assert_allclose([there.min(), there.max()], [low, high], atol=1e-9)
    plt.close("all")


def test_the_fit_finds_a_scale_that_was_put_in():
    rng = np.random.default_rng(1)
    made = {}
    for one in sizes.GRID:
        bad = rng.random(len(sizes.SEEDS)) < (sizes.predicted(*one, 2.0) if one.K in sizes.EVEN else 0.0)
        made[one] = {"odd": [-1.0 if wrong else 1.0 for wrong in bad]}
    scale, low, high = sizes.fitted_push(made, draws=60)
    assert low < 2.0 < high
    assert 1.3 < scale < 3.0
