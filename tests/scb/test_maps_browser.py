"""Maps of the chapter say by themselves what their parts are, in headless Chromium: names, counts, pointers."""

import inspect

import numpy as np
import pytest

from hal import show
from hal.chapters.scb.changes import A
from hal.chapters.scb.figures import stages
from lib.models.scb import textbook
from tests.explorer import toy_flow as flow
from tests.explorer.drawn import state, write_page

pytestmark = pytest.mark.browser
FLOW, OWN, STAGES = "[data-explorer=scb-flow]", "[data-explorer=scb-own]", "[data-explorer=scb-stages]"


def flipped():
    """The figure of the notebook in which the attention gradient has the other sign."""
    text = inspect.getsource(textbook)
    assert A in text
    own = show(flow, run=text.replace(A, A.replace("settings.lr", "-settings.lr")))
    own.name = "scb-own"
    return own


@pytest.fixture(scope="module")
def page(chromium, tmp_path_factory):
    figures = [show(flow), flipped(), show(stages)]
    home = write_page(tmp_path_factory.mktemp("maps"), "".join(one.html() for one in figures))
    page = chromium.new_page(viewport={"width": 1100, "height": 900})
    page.goto(home)
    yield page
    page.close()


def words(page, which):
    """Words on the map of a figure, and their places in the pixels of its chart."""
    page.locator(which).scroll_into_view_if_needed()
    page.wait_for_function(f"document.querySelector('{which}').explorerState?.().count >= 8")
    found = state(page, which)
    texts = page.locator(f"{which} .le-panel").first.locator(".le-words")
    return found, texts.evaluate_all(
        "(all) => all.map((e) => [e.textContent, +e.getAttribute('x'), +e.getAttribute('y')])"
    )


def test_the_plane_names_its_sides_its_valleys_its_solutions_and_its_runs(page):
    _, named = words(page, FLOW)
    names = sorted(text for text, _, _ in named)
    assert names == sorted(["true", "mirror", "valley", "valley", *flow.SIDES, "training runs", "population flow"])
    scene = show(flow).compute({}, runs=0).theory
    side = np.array(scene["scene.side"]).reshape(len(scene["scene.y"]), -1)
    for (x, y, text), region in zip(flow.panels()[0].names[-2:], (1, 2), strict=True):
        assert text == flow.SIDES[region - 1]
        here = [np.abs(np.array(scene[f"scene.{axis}"]) - at).argmin() for axis, at in (("y", y), ("x", x))]
        assert side[tuple(here)] == region


def test_runs_that_go_nowhere_are_counted_where_they_stay_and_both_their_signals_are_drawn(page):
    found, named = words(page, OWN)
    assert "8 runs stayed here" in [text for text, _, _ in named]
    assert "training runs" not in [text for text, _, _ in named]
    assert found["reading"].startswith("No run reaches 0.1;")
    curves = page.locator(f"{OWN} .le-panel").nth(1).locator("path.le-series:not(.le-ghost):not(.le-thin)")
    drawn = [d for d in curves.evaluate_all("(all) => all.map((e) => e.getAttribute('d') ?? '')") if d]
    assert len(drawn) == 2
    assert all(d.count("M") == 1 for d in drawn)  # without a gap
    ticks = page.locator(f"{OWN} .le-panel").nth(1).locator(".le-tick").all_text_contents()
    assert {"0", "1", "0.01", "−0.01"} <= set(ticks)


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
