"""What a page must bear: numbers that are none, and a window that changes while a film runs."""

import pytest

from hal.figure import Computed, Slider
from lib.portable.primitives import Readings, inf, nan
from tests.browser import press_tool
from tests.figure import drawn, toy_side
from tests.figure.changed import changed
from tests.figure.toy_run import Settings, State

pytestmark = pytest.mark.browser
ROOT = "[data-explorer=toy-side]"


def settings(lr: float) -> Settings:
    return Settings(3, 12, lr, 0.1, 0.1, [0.5, 0.3, 0.2], 100)


def probe(state: State) -> Readings:
    """V is no number at step 15, and infinite at 30 and 35."""
    return {"V": [nan if state.step == 15 else inf if state.step == 30 else -inf if state.step == 35 else state.V]}


def test_numbers_that_are_none_are_gaps_and_infinite_ones_are_counted_in_words(alone):
    own = {"settings": settings, "probe": probe, "SLIDERS": {"lr": Slider("Rate", "no unit", 0.1, (0.01, 0.5))}}
    page = alone(Computed(changed(toy_side, **own, run_metrics=None, READING=[])), runs=2)
    assert drawn.state(page, ROOT)["notice"] == "4 numbers of the runs are infinite: there the curves have gaps."
    paths = "(all) => all.map((one) => one.getAttribute('d') ?? '')"
    for path in page.locator(f"{ROOT} .le-chart path").evaluate_all(paths):
        assert "NaN" not in path
        assert "Infinity" not in path
    curve = max(page.locator(f"{ROOT} .le-series").evaluate_all(paths), key=len)
    assert curve.count("M") == 2 * 3  # two runs, each of three pieces: before, between and after
    press_tool(page, ROOT, "table")
    assert "Infinity" not in page.locator(f"{ROOT} .le-tables").inner_text()


def test_a_window_that_changes_while_a_film_runs_leaves_it_running(alone):
    page = alone(Computed(toy_side), runs=2)
    page.locator(f"{ROOT} .le-play").click()
    cursors = []
    for width in (500, 390, 1200, 700):
        page.set_viewport_size({"width": width, "height": 700})
        page.wait_for_function(
            f"document.querySelector('{ROOT} .le-chart').getBoundingClientRect().right <= {width}", timeout=4000
        )
        cursors.append(drawn.state(page, ROOT)["cursor"])
    assert cursors == sorted(cursors)
    assert page.locator(f"{ROOT} .le-play").get_attribute("aria-label") == "Pause the training"
    page.wait_for_function(f"document.querySelector('{ROOT} .le-play').ariaLabel === 'Play the training'")
    found = drawn.state(page, ROOT)
    assert found["cursor"] == len(found["arrays"]["time"]["data"]) - 1
