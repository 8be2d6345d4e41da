"""The chapter's figures in Chromium: the curve of the edge is lifted, the map of lags and a lag are picked."""

import re

import pytest

from hal.chapters.random_walk.figures import lags
from tests.browser import Watch, explorer_state
from tests.figure.drawn import OPEN

pytestmark = pytest.mark.browser
CHEAP = {"edge": "push=0,places=30,K=5", "lags": "K=20,p=0.8,N=21,n=100"}


def came(figure):
    """Wait until a run has finished at the settings that the sliders show."""
    figure.page.wait_for_function(
        "(node) => { const s = node.explorerState?.();"
        " return s && !s.busy && s.count >= 1 && JSON.stringify(s.settings) === JSON.stringify(s.drawn); }",
        arg=figure.element_handle(),
    )


@pytest.fixture
def opened(chromium, serve):
    """opened(name): a figure of the page at its cheap settings, one run finished; it must stay silent."""
    page = chromium.new_page(viewport={"width": 1440, "height": 900})
    watch = Watch(page, serve)

    def go(name):
        page.goto(f"{serve}book/random_walk.html#random_walk-{name}:{CHEAP[name]}")
        page.locator("details.hide").evaluate_all(OPEN)
        figure = page.locator(f"[data-explorer=random_walk-{name}]")
        came(figure)
        return figure

    yield go
    assert watch.problems == []
    page.close()


def test_the_left_end_of_the_curve_is_lifted_by_hand_and_by_key(opened):
    figure = opened("edge")
    page, panel = figure.page, figure.locator(".le-panel").first
    handle = panel.locator(".le-handle")

    def settings():
        return explorer_state(page, "[data-explorer=random_walk-edge]")["settings"]

    def height():  # the sentence above may push the panel down
        return panel.bounding_box()["y"] - handle.bounding_box()["y"]

    box, before = handle.bounding_box(), height()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 9, y - 80, steps=4)
    assert settings()["push"] == 3
    page.mouse.up()
    came(figure)
    assert height() == pytest.approx(before + 80, abs=1)
    size = settings()["size"]
    assert 1e-15 < size < 1e-2
    handle.press("ArrowUp")
    came(figure)
    assert settings()["size"] == pytest.approx(size * 1e13**0.01, rel=0.01)
    assert height() > before + 80
    page.evaluate("location.hash = '#random_walk-edge:places=31,K=5'")
    came(figure)
    assert handle.count() == 0  # no edge, nothing to lift


def test_a_cell_of_the_map_is_picked_by_click_by_key_and_by_hand(opened):
    figure = opened("lags")
    page, which = figure.page, "[data-explorer=random_walk-lags]"
    panel = figure.locator(".le-panel").first
    handle = panel.locator(".le-handle")

    def settings():
        return explorer_state(page, which)["settings"]

    assert "nodes K 20" in handle.get_attribute("aria-valuetext")
    handle.press("ArrowRight")
    came(figure)
    assert (settings()["p"], settings()["K"]) == (0.82, 20)
    handle.press("ArrowUp")  # more nodes are higher up
    came(figure)
    assert (settings()["p"], settings()["K"]) == (0.82, 21)
    box = panel.locator(".le-catcher").bounding_box()
    wide, tall = box["width"] / lags.CHANCES, box["height"] / lags.SIZES
    page.mouse.click(box["x"] + 2.5 * wide, box["y"] + 23.5 * tall)
    came(figure)
    assert (settings()["p"], settings()["K"]) == (0.54, 7)
    here = handle.bounding_box()
    page.mouse.move(here["x"] + here["width"] / 2, here["y"] + here["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 10.5 * wide, box["y"] + 0.5 * tall, steps=4)
    assert explorer_state(page, which)["count"] == 0  # theory follows, training waits for the hand
    page.mouse.up()
    came(figure)
    assert (settings()["p"], settings()["K"]) == (0.7, 30)
    assert float(explorer_state(page, which)["theory"]["laws.lag"][0]) > 1
    told = handle.get_attribute("aria-valuetext").replace("−", "-")
    assert float(re.search(r"winning lag (\S+)", told)[1]) > 1


def test_a_lag_is_picked_by_click_and_by_key(chromium, serve):
    page = chromium.new_page(viewport={"width": 1440, "height": 900})
    watch, which = Watch(page, serve), "[data-explorer=random_walk-second]"
    page.goto(f"{serve}book/random_walk.html#random_walk-second:K=30,p=0.75")
    page.wait_for_selector(f"{which}[aria-busy=false]")
    panel = page.locator(f"{which} .le-panel").nth(1)
    handle, box = panel.locator(".le-handle"), panel.locator(".le-catcher").bounding_box()

    def lag():
        return explorer_state(page, which)["settings"]["lag"]

    assert (lag(), handle.get_attribute("aria-valuenow")) == (1, "1")
    page.mouse.click(box["x"] + 46 + 4.5 * (box["width"] - 50) / 6, box["y"] + box["height"] / 2)
    assert (lag(), handle.get_attribute("aria-valuenow")) == (5, "5")
    target = explorer_state(page, which)["theory"]["fit.target"]
    handle.press("ArrowRight")
    assert (lag(), handle.get_attribute("aria-valuenow")) == (6, "6")
    assert explorer_state(page, which)["theory"]["fit.target"] != target
    assert watch.problems == []
    page.close()
