"""The time bar as a curve: what stands on it, what is refused, and how the handle rides on it in headless Chromium."""

import numpy as np
import pytest

from hal.figure import TimeBar
from lib.errors import InputError
from tests.figure.drawn import state
from tests.figure.toy_computed import explorer
from tests.figure.toy_smalls import small


def test_what_a_chart_draws_stands_on_the_bar_as_it_stands_there():
    figure = explorer(TIMEBAR="V")
    spec = figure.spec()["time"]["curve"]
    panel, j = next((p, j) for p in figure.panels if p.kind == "lines" for j, s in enumerate(p.series) if s.name == "V")
    assert (spec["x"], spec["xlog"], spec["ylog"]) == (panel.series[j].x or panel.x, panel.xlog, panel.ylog)
    assert spec["colour"] == panel.spec()["series"][j]["colour"]
    found = figure.compute(runs=2)
    drawn = figure.draw(found).items
    np.testing.assert_array_equal(drawn["bar.y"], found.runs[0]["V"])
    np.testing.assert_array_equal(drawn["bar.x"], found.runs[0].get(spec["x"], found.theory.get(spec["x"])))


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: explorer(TIMEBAR="nobody"), "TIMEBAR of toy-computed: expected a name"),
        (lambda: explorer(TIMEBAR=TimeBar("V", height=20)), "height of TIMEBAR: expected 40 to 110 pixels, got 20"),
        (lambda: small("columns", TIMEBAR="piles.heights"), "TIMEBAR: expected a figure with `TIME`"),
        (lambda: (lambda f: f.draw(f.compute()))(explorer(TIMEBAR=TimeBar("task.mu", x="flow.steps"))), "as its times"),
    ],
)
def test_what_cannot_stand_on_it_is_refused(made, message):
    with pytest.raises(InputError, match=message):
        made()


FIGURES = {
    "toy-computed": explorer(TIMEBAR="V"),
    "toy-log": explorer("toy-log", TIMEBAR=TimeBar("A", x="steps", xlog=True, ylog=True, height=100)),
    "toy-run": small("run", TIMEBAR="V"),
}


@pytest.fixture
def open_page(alone):
    """open_page(name, **context): a page of this figure, at rest with all of its runs."""

    def go(name, **context):
        page = alone(FIGURES[name], runs=FIGURES[name].runs, width=1100, **context)
        state(page, f"[data-explorer={name}]")
        return page

    return go


def places(page, name):
    """Middle of the handle, of the stage and its size, in pixels."""
    return page.evaluate(
        """(name) => {
          const box = (which) => document.querySelector(`[data-explorer=${name}] ${which}`).getBoundingClientRect();
          const [rider, stage] = [box(".le-rider"), box(".le-stage")];
          return [(rider.left + rider.width / 2 - stage.left) / stage.width,
                  (rider.top + rider.height / 2 - stage.top) / stage.height, stage.height];
        }""",
        name,
    )


@pytest.mark.browser
@pytest.mark.parametrize("name", FIGURES)
def test_the_handle_rides_on_the_curve(open_page, name):
    page, root = open_page(name), f"[data-explorer={name}]"
    bar = page.locator(f"{root} input[data-role=time]")
    bar.press("Home")
    for _ in range(4):
        for _ in range(5):
            bar.press("ArrowRight")
        found = state(page, root)
        (x, y, height), spec = places(page, name), FIGURES[name].spec()["time"]["curve"]
        times = np.array(found["arrays"]["time"]["data"], dtype=float)
        low = times[times > 0][0] if spec["xlog"] else times[0]
        scale = np.log if spec["xlog"] else (lambda v: v)
        expected = (scale(max(found["time"], low)) - scale(low)) / (scale(times[-1]) - scale(low))
        assert x == pytest.approx(expected, abs=0.01)
        curve = page.locator(f"{root} .le-ahead").get_attribute("d")
        points = np.array([[float(v) for v in one.split(",")] for one in curve.replace("M", "").split("L")])
        assert y * 100 == pytest.approx(np.interp(1000 * x, *points.T), abs=4)
        assert 20 <= height <= 110
        past = page.locator(f"{root} .le-curve clipPath rect").get_attribute("width")
        assert float(past) == pytest.approx(20 + 1000 * x, abs=21 if found["time"] == times[-1] else 1)


@pytest.mark.browser
@pytest.mark.parametrize("name", ["toy-computed", "toy-log"])
def test_a_press_and_a_drag_on_the_curve_set_the_time(open_page, name):
    page, root = open_page(name), f"[data-explorer={name}]"
    stage = page.locator(f"{root} .le-stage")
    stage.scroll_into_view_if_needed()
    box = stage.bounding_box()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 5)
    page.mouse.down()
    assert places(page, name)[0] == pytest.approx(0.3, abs=0.13)
    page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 5)
    page.mouse.up()
    assert places(page, name)[0] == pytest.approx(0.8, abs=0.05)
    before = state(page, root)["cursor"]
    page.keyboard.press("ArrowLeft")
    assert state(page, root)["cursor"] == before - 1
