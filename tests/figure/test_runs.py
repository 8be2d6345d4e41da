"""One run among several: which is shown, how a reader chooses one, and the names and dots on the curves."""

import numpy as np
import pytest

from hal.figure import Computed, Line, over_steps
from tests.browser import press_tool
from tests.figure import toy_computed, toy_side
from tests.figure.changed import changed
from tests.figure.drawn import barriers, panel, state, write_page

TOY = "[data-explorer=toy-computed]"
FIGURE = toy_computed.explorer(MEDIAN="A", RUNS=4, PRECOMPUTED_RUNS=3)


def test_python_draws_the_middle_run_where_one_is_drawn():
    result = FIGURE.compute(runs=4)
    ends = [run["A"][-1] for run in result.runs]
    assert ends[result.shown] == sorted(ends)[1]
    assert result.shown != FIGURE.compute(runs=3).shown
    drawn = FIGURE.draw(result).items
    np.testing.assert_array_equal(drawn["2.z"].ravel(), result.runs[result.shown]["attention"])
    np.testing.assert_array_equal(drawn["1.y1"].T.ravel(), result.runs[result.shown]["own"])


# On a page.


@pytest.fixture
def open_page(alone):
    """open_page(settings): the page with all four runs."""
    return lambda given="", **context: alone(FIGURE, runs=4, anchor=f"#toy-computed:{given}", **context)


def chip(page):
    return page.locator(f"{TOY} .le-chooser [role=status]").inner_text()


def shown_runs(page):
    """The places of the runs that the panels of one run draw, told by their numbers."""
    found, result = state(page, TOY), FIGURE.compute(runs=4)
    own = np.reshape(found["arrays"]["1.y1"]["data"], found["arrays"]["1.y1"]["shape"]).T.ravel().tolist()
    data = {"own": own, "attention": found["arrays"]["2.z"]["data"]}
    one, other = ({i for i, run in enumerate(result.runs) if list(run[k]) == values} for k, values in data.items())
    return one & other


@pytest.mark.browser
def test_the_first_picture_is_python_s_and_the_last_shows_the_middle_of_all(open_page, chromium):
    page = open_page()
    place = FIGURE.compute(runs=4).shown
    assert shown_runs(page) == {place}
    assert page.locator(f"{TOY} .le-count").inner_text() == ""
    assert chip(page) == f"run {place + 1} of 4"
    assert panel(page, TOY, "Attention").locator(".le-note").inner_text() == f"(run {place + 1})"
    first = FIGURE.draw(FIGURE.compute(runs=3)).items
    home, page = page.url, chromium.new_page()
    # it rests, so that the first picture stays
    page.add_init_script("Object.defineProperty(document, 'hidden', { value: true })")
    page.goto(home.partition("#")[0])
    found = state(page, TOY)
    assert found["count"] == 3
    for key in ("1.y0", "1.y1", "2.z"):
        np.testing.assert_allclose(found["arrays"][key]["data"], first[key].ravel(), rtol=1e-12)
    page.close()


@pytest.mark.browser
def test_a_chosen_run_is_bold_everywhere_in_the_link_and_given_back(open_page):
    page = open_page()
    middle, faded = FIGURE.compute(runs=4).shown, page.locator(f"{TOY} .le-faded")
    assert faded.count() == 0
    page.locator(f"{TOY} [data-run=next]").click()
    chosen = (middle + 1) % 4
    assert (chip(page), shown_runs(page)) == (f"run {chosen + 1} of 4", {chosen})
    run = FIGURE.compute(runs=4).runs[chosen]
    assert state(page, TOY)["arrays"]["1.y0.chosen"]["data"] == run["V"]
    assert faded.count() >= 3
    assert panel(page, TOY, "Plane").locator(".le-bold[d^=M]").count() == 1
    assert panel(page, TOY, "Signals").locator(".le-bold[d^=M]").count() == 1
    assert barriers(page, TOY) == []
    page.wait_for_function(f"location.hash.includes('run={chosen + 1}')")
    page.locator(f"{TOY} [data-run=none]").click()
    assert (shown_runs(page), faded.count()) == ({middle}, 0)
    page.wait_for_function("!location.hash.includes('run=')")
    page = open_page("run=4,lr=0.1")
    assert (chip(page), shown_runs(page)) == ("run 4 of 4", {3})
    assert state(page, TOY)["run"] == 4
    press_tool(page, TOY, "reset")
    assert state(page, TOY)["run"] == 0


@pytest.mark.browser
@pytest.mark.parametrize("touch", [False, True])
def test_a_click_on_a_curve_chooses_its_run_and_one_beside_it_moves_the_time(open_page, touch):
    page = open_page("lr=0.05", has_touch=touch)
    click = page.touchscreen.tap if touch else page.mouse.click
    # In the plane of the signals: at the end of one of them, where all of them are near.
    box = panel(page, TOY, "Plane").locator(".le-chart").bounding_box()
    dot = panel(page, TOY, "Plane").locator("path.le-dot").first.get_attribute("d").split("M")[1].split("a")[0]
    x, y = (float(v) for v in dot.split(","))
    click(box["x"] + x + 5, box["y"] + y)
    page.wait_for_function(f"document.querySelector('{TOY}').explorerState().run > 0")
    page.locator(f"{TOY} [data-run=none]").click()
    # Over time: the run that is highest where they lie furthest apart, although a band is drawn in their place.
    signals, found = panel(page, TOY, "Signals"), state(page, TOY)
    signals.scroll_into_view_if_needed()
    frame, catcher = (signals.locator(one).bounding_box() for one in (".le-chart", ".le-catcher"))
    V = np.array([run["V"] for run in FIGURE.compute({"lr": 0.05}, runs=4).runs])
    at = int(np.ptp(V, axis=0).argmax())
    curve = signals.locator("path.le-series[d^=M]").first.get_attribute("d").removeprefix("M").split("L")
    pixels = np.array([[float(v) for v in point.split(",")] for point in curve])
    slope, zero = np.polyfit(found["arrays"]["1.y0"]["data"], pixels[:, 1], 1)
    click(frame["x"] + pixels[at, 0], frame["y"] + zero + slope * V[:, at].max())
    page.wait_for_function(f"document.querySelector('{TOY}').explorerState().run === {V[:, at].argmax() + 1}")
    last = state(page, TOY)["cursor"]
    click(catcher["x"] + 0.3 * catcher["width"], catcher["y"] + 4)
    page.wait_for_function(f"document.querySelector('{TOY}').explorerState().cursor < {last}")
    assert page.locator(f"{TOY} .le-reading").inner_text().startswith("Of the whole run: ")


@pytest.mark.browser
def test_a_panel_where_nothing_can_be_drawn_says_why(chromium, tmp_path):
    far = over_steps("V", "V (no unit)", Line("V", "V"), ylim=(5, 9))
    page = chromium.new_page()
    # it rests, so that at other settings no run comes
    page.add_init_script("Object.defineProperty(document, 'hidden', { value: true })")
    page.goto(write_page(tmp_path, Computed(changed(toy_side, panels=lambda: [far])).html()))
    side, said = "[data-explorer=toy-side]", page.locator("[data-explorer=toy-side] .le-empty")
    state(page, side)
    assert " ".join(said.text_content().split()) == "All of it lies outside these axes."
    page.evaluate("location.hash = '#toy-side:lr=0.2'")
    page.locator(f"{side} .le-ghost[d^=M]").wait_for(state="attached")
    assert said.text_content() == ""
    page.goto("about:blank")
    page.goto(f"{write_page(tmp_path, Computed(toy_side).html())}#toy-side:lr=0.2")
    state(page, side)
    assert said.text_content().strip() == "No run has come yet."
    page.close()
