"""Names on the curves of still pictures: beside their ends, none over another, in every figure of the book."""

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.figure import Figure

from hal.explorer import Computed
from hal.explorer import picture as picture_module
from hal.explorer.still_names import MOST, apart
from tests.in_page import InPage
from tests.rows import figures


@pytest.fixture
def drawn_figures(monkeypatch):
    """What `picture` draws on, as it is made."""
    made = []

    class Kept(Figure):
        def __init__(self, *given, **named):
            super().__init__(*given, **named)
            made.append(self)

    monkeypatch.setattr(picture_module, "Figure", Kept)
    return made


@pytest.mark.parametrize("name", list(figures()))
def test_names_stand_beside_the_plot_and_none_over_another(name, drawn_figures):
    figure = Computed(figures()[name][0])
    found = InPage(figure).result(figure.check({}), 0, min(1, figure.first))  # the bits of Python, sooner
    picture_module.picture(figure, figure.draw(found))
    (drawn,) = drawn_figures
    drawn.draw_without_rendering()
    panels = figure.panels[: len(figure.panels) - figure.folded]
    for panel, axes in zip(panels, drawn.axes, strict=False):
        spec = panel.spec()
        names = [text for text in axes.texts if text.get_gid() == "name"]
        curves = [series for series in spec.get("series", []) if not series["error"]]
        if spec["kind"] == "lines" and 0 < len(curves) <= MOST:
            told = {series["label"].replace(" ", "") for series in curves}
            assert {text.get_text().replace("\n", "").replace(" ", "") for text in names} <= {
                picture_module.maths(label) for label in told
            }
            assert names, "a curve has its name"
        boxes = sorted((text.get_window_extent() for text in names), key=lambda box: box.y0)
        assert all(box.x0 >= axes.bbox.x1 for box in boxes)
        assert all(low.y1 <= high.y0 + 1 for low, high in pairwise(boxes))


def test_names_that_meet_stand_about_their_common_middle():
    assert apart([0.5, 0.5], [0.2, 0.2], 0.0, 1.0) == [0.4, 0.6]
    assert apart([0.9, 0.2], [0.1, 0.1], 0.0, 1.0) == [0.9, 0.2]
    assert apart([1.0, 1.0, 1.0], [0.2] * 3, 0.0, 1.0) == [0.5, 0.7, 0.9]


@pytest.mark.parametrize("seed", range(5))
def test_names_never_overlap_and_stay_in_order(seed):
    rng = np.random.default_rng(seed)
    wanted, sizes = rng.uniform(-0.2, 1.2, 6), rng.choice([0.05, 0.1, 0.15], 6)
    places = np.array(apart(wanted.tolist(), sizes.tolist(), 0.0, 1.0))
    order = np.argsort(wanted, kind="stable")
    for below, above in pairwise(order):
        assert places[above] - places[below] >= (sizes[below] + sizes[above]) / 2 - 1e-8
    assert places.min() >= 0.0
    assert places.max() <= 1.0
