"""The recorded masks: whole, remade in pieces, resumed bit for bit, a fit that finds what was put in."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from hal.chapters.one_nn import figures
from hal.chapters.one_nn.runs import masks


def test_a_piece_is_remade():
    setting = masks.Setting(8, 16, False)
    kept = masks.recorded_masks()[setting]
    np.testing.assert_allclose(masks.clock(8, 16), kept["times"], rtol=1e-3)
    again = masks.flow_losses(8, 16, kept["times"][:2], (masks.STRONG, -2.0))
    np.testing.assert_allclose(again, np.array(kept["losses"])[[0, 1 + masks.MASKS.index(-2.0)], :2], rtol=1e-3)


def test_a_trained_piece_is_remade():
    kept = masks.recorded_masks()[masks.Setting(4, 8, True)]
    again, lost = masks.trained_losses(4, 8, kept["times"][0], masks.SEEDS[:2], (masks.STRONG, 0.0))
    places = [masks.DRAWN_MASKS.index(masks.STRONG), masks.DRAWN_MASKS.index(0.0)]
    np.testing.assert_allclose(again, np.array(kept["losses"])[places, :2], rtol=0.02)
    assert lost == kept["lost"] == 0


def test_the_fit_finds_powers_that_were_put_in():
    made = {}
    for one in masks.GRID:
        losses = [0.1, *(0.1 * (1 + one.d**-0.7 * one.N**-0.3 * np.exp(-mask)) for mask in masks.MASKS)]
        made[one] = {"losses": np.repeat(np.array(losses)[:, None], 2, axis=1).tolist()}
    found = masks.fitted(made, 1)
    for name, power in (("d", -0.7), ("N", -0.3)):
        np.testing.assert_allclose(found[name], power, atol=1e-6)


def test_the_least_mask_lies_where_the_cost_falls_below_the_factor():
    losses = np.array([0.1, *(0.1 * 1.1 ** np.exp(0.5 - mask) for mask in masks.MASKS)])
    assert masks.least_mask(losses) == pytest.approx(0.5, abs=0.15)  # straight between masks one apart
    assert masks.least_mask(np.full(9, 0.1)) == -np.inf
    assert np.isnan(masks.least_mask(np.array([0.1, *[0.2] * 8])))


def test_the_figure_shows_the_recorded_flows_and_runs():
    found, (ax,) = masks.recorded_masks(), figures.masks_needed().axes
    curves = [line for line in ax.lines if line.get_marker() == "o"]
    flows = [one for one in found if not one.drawn]
    assert len(curves) == len(flows)
    drawn = sorted(tuple(np.round(line.get_ydata(), 9)) for line in curves)
    held = [np.array(found[one]["losses"])[:, 0] for one in flows]
    assert drawn == sorted(tuple(np.round(one[1:] / one[0], 9)) for one in held)
    squares = [line for line in ax.lines if line.get_marker() == "s"]
    for line, (d, N) in zip(squares, masks.DRAWN, strict=True):
        mean = masks.trained_ratio(found[masks.Setting(d, N, True)])[0]
        np.testing.assert_allclose(line.get_ydata(), mean[:-1])
    plt.close("all")
