"""What a page must bear: numbers that are none, and a window that changes while a film runs."""

import pytest

from hal.figure import Computed, Say, Slider
from tests.browser import press_tool
from tests.figure import toy_gaps, toy_side
from tests.figure.changed import changed
from tests.figure.drawn import state
from tests.figure.toy_gaps import Settings

pytestmark = pytest.mark.browser
SLIDERS = {"lr": Slider("Learning rate η", "no unit", 0.1, (0.01, 0.5), log=True)}


def gaps(lr: float) -> Settings:
    """A run with gaps."""
    return Settings(lr)


def test_numbers_that_are_none_are_gaps_and_infinite_ones_are_counted_in_words(alone):
    own = {"NAME": "toy-gaps", "RUN": toy_gaps, "settings": gaps, "SLIDERS": SLIDERS, "run_metrics": None}
    figure = Computed(changed(toy_side, **own, READING=[[Say("A run has come.", "runs >= 1"), Say("None has come.")]]))
    root = "[data-explorer=toy-gaps]"
    page = alone(figure, runs=2)
    found = state(page, root)
    assert found["notice"] == "4 numbers of the runs are infinite: there the curves have gaps."
    for path in page.locator(f"{root} .le-chart path").evaluate_all(
        "(all) => all.map((one) => one.getAttribute('d') ?? '')"
    ):
        assert "NaN" not in path
        assert "Infinity" not in path
    curve = page.locator(f"{root} .le-series").evaluate_all(
        "(all) => all.map((one) => one.getAttribute('d') ?? '').sort((a, b) => b.length - a.length)[0]"
    )
    assert curve.count("M") == 2 * 3  # two runs, each of three pieces: 0 to 2, 4 to 5, 8 to 10
    press_tool(page, root, "table")
    assert "Infinity" not in page.locator(f"{root} .le-tables").inner_text()


def test_a_window_that_changes_while_a_film_runs_leaves_it_running(alone):
    root = "[data-explorer=toy-side]"
    page = alone(Computed(toy_side), runs=2)
    page.locator(f"{root} .le-play").click()
    cursors = []
    for width in (500, 390, 1200, 700):
        page.set_viewport_size({"width": width, "height": 700})
        page.wait_for_function(
            f"document.querySelector('{root} .le-chart').getBoundingClientRect().right <= {width}", timeout=4000
        )
        cursors.append(state(page, root)["cursor"])
    assert cursors == sorted(cursors)
    assert page.locator(f"{root} .le-play").get_attribute("aria-label") == "Pause the training"
    page.wait_for_function(f"document.querySelector('{root} .le-play').ariaLabel === 'Play the training'")
    found = state(page, root)
    assert found["cursor"] == len(found["arrays"]["time"]["data"]) - 1
