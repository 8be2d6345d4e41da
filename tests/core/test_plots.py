"""Figures: the colours can be told apart, bands show the quantiles, axes carry units."""

import itertools

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest

from hal import plots
from hal.palette import IDEAS, PALETTE, TOGETHER


@pytest.fixture
def ax():
    with plots.style():
        fig, ax = plt.subplots()
        yield ax
    plt.close(fig)


def linear(colour):
    """Linear RGB of "#rrggbb" (the sRGB standard, IEC 61966-2-1)."""
    c = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def contrast(a, b):
    """WCAG 2 contrast ratio."""
    light = sorted(linear(c) @ [0.2126, 0.7152, 0.0722] for c in (a, b))
    return (light[1] + 0.05) / (light[0] + 0.05)


# Machado, Oliveira, Fernandes 2009, severity 1, on linear RGB
VISION = {
    "common": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def lab(rgb):
    """CIE L*a*b* (D65) of linear RGB."""
    xyz = np.array([[0.41246, 0.35758, 0.18044], [0.21267, 0.71515, 0.07218], [0.01933, 0.11919, 0.95030]]) @ rgb
    f = np.cbrt(xyz / [0.95047, 1.0, 1.08883])
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(a, b, vision):
    x, y = (lab(np.clip(np.array(VISION[vision]) @ linear(c), 0, 1)) for c in (a, b))
    return np.linalg.norm(x - y)


@pytest.mark.parametrize(("colour", "least"), [*((colour, 3.0) for colour in PALETTE.values()), (plots.INK, 4.2)])
def test_every_line_and_the_ink_are_seen_on_white_and_on_the_dark_page(colour, least):
    assert min(contrast(colour, page) for page in ("#FFFFFF", "#121212")) >= least


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("ideas", TOGETHER, ids=" ".join)
def test_ideas_of_one_panel_are_told_apart(ideas, vision):
    for a, b in itertools.combinations(ideas, 2):
        # 2.3 is a just noticeable difference; five times that is plain to see
        assert distance(IDEAS[a], IDEAS[b], vision) >= 11.5, (a, b)


def test_band_is_the_median_and_the_middle_80_percent(ax, rng):
    x, runs = np.arange(6.0), rng.normal(size=(11, 6))
    line = plots.band(ax, x, runs, "loss", "rival")
    ordered = np.sort(runs, axis=0)  # with 11 runs the quantiles are runs: 2nd, 6th and 10th
    np.testing.assert_allclose(line.get_ydata(), ordered[5])
    (area,) = ax.collections
    corners = area.get_paths()[0].vertices
    for k in range(6):
        at = corners[corners[:, 0] == k, 1]
        assert at.min() == pytest.approx(ordered[1, k])
        assert at.max() == pytest.approx(ordered[9, k])
    assert line.get_color() == IDEAS["rival"]
    assert line.get_label() == "loss"


def test_diverged_runs_leave_the_band_and_the_label_says_so(ax):
    runs = np.array([[1.0, 1.0, 1.0], [2.0, 2.0, np.nan], [3.0, np.inf, np.nan]])
    line = plots.band(ax, [0, 1, 2], runs, "SGD", "fit")
    np.testing.assert_array_equal(line.get_ydata(), [2.0, 1.5, 1.0])
    assert line.get_label() == "SGD (1 of 3 runs left)"
    gone = plots.band(ax, [0, 1, 2], np.where([True, False, False], runs, np.nan), "SGD", "fit")
    np.testing.assert_array_equal(gone.get_ydata(), [2.0, np.nan, np.nan])
    assert gone.get_label() == "SGD (0 of 3 runs left)"
