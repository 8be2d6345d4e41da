"""The maps of `scb-stages` in headless Chromium: pointers from outside where a frame would hide a true position."""

import pytest

from hal import show
from hal.chapters.scb.figures import stages
from tests.figure.drawn import state, write_page

pytestmark = pytest.mark.browser
STAGES = "[data-explorer=scb-stages]"


@pytest.fixture(scope="module")
def page(chromium, tmp_path_factory):
    home = write_page(tmp_path_factory.mktemp("maps"), show(stages).html())
    page = chromium.new_page(viewport={"width": 1100, "height": 900})
    page.goto(home)
    yield page
    page.close()


def test_true_positions_are_pointed_at_from_outside_where_a_frame_would_hide_them(page):
    def marks():
        found = state(page, STAGES)
        first = page.locator(f"{STAGES} .le-panel").first
        paths = [
            first.locator(f".le-chart > g > path.{name}").first.get_attribute("d")
            for name in ("le-outline", "le-pointer")
        ]
        return found["settings"]["T"], paths, first.locator("rect[fill^=rgb]")

    page.locator(STAGES).scroll_into_view_if_needed()
    T, (frames, pointers), wide = marks()
    assert (T, frames, pointers.count("M"), wide.count()) == (256, "", 8, 8)
    for box, tip in zip(wide.all(), pointers.split("M")[1:], strict=True):
        top = float(tip.split("h")[0].split(",")[1])
        assert float(box.get_attribute("y")) == pytest.approx(top + 8)  # the pointer ends where the row begins
        assert float(box.get_attribute("x")) + 2 == pytest.approx(float(tip.split(",")[0]) + 4.5, abs=0.2)
        assert box.get_attribute("fill") != "none"
    page.evaluate("location.hash = '#scb-stages:T=32'")
    page.wait_for_function(f"document.querySelector('{STAGES}').explorerState().drawn?.T === 32")
    T, (frames, pointers), wide = marks()
    assert (T, frames.count("M"), pointers, wide.count()) == (32, 8, "", 0)
