"""The chapter's explorers in Chromium: the page's numbers and sentence are CPython's, and the map of lags is picked."""

import pytest

from lib.chapters.random_walk.explorers import edge, lags, questions
from tests.browser import explorer_state
from tests.explorer.figure_pages import assert_runs_are_python_s, came, open_figure, written_pages

pytestmark = pytest.mark.browser
CHEAP = {
    "random_walk-edge": {"K": 5, "N": 16, "walks": 1, "mixed": 1, "bits": 32},
    "random_walk-lags": {"K": 20, "p": 0.8, "N": 21, "n": 100},
    "random_walk-questions": {"task": 2, "question": 2, "lr": 0.3},
}


@pytest.fixture(scope="module")
def figures():
    return {figure.name: figure for figure in (edge.explorer(), lags.explorer(), questions.explorer())}


@pytest.fixture(scope="module")
def folder(tmp_path_factory, figures):
    return written_pages(tmp_path_factory.mktemp("random_walk"), figures, CHEAP)


@pytest.fixture
def open_page(chromium, folder):
    """open_page(name): the page of a figure at its cheap settings, one run finished; it must stay silent."""
    opened, errors = [], []

    def go(name):
        opened.append(open_figure(chromium, folder, name, CHEAP[name], errors))
        came(opened[-1], 1)
        return opened[-1]

    yield go
    for page in opened:
        page.close()
    assert errors == []


@pytest.mark.parametrize("name", CHEAP)
def test_the_page_s_runs_and_sentence_are_python_s(open_page, figures, name):
    assert_runs_are_python_s(open_page(name), figures[name], CHEAP[name])


def test_the_words_stand_beside_the_rows(open_page):
    page = open_page("random_walk-questions")
    ticks = page.locator(".le-panel").first.locator(".le-tick").all_text_contents()
    asked = "Based on the sentence I prefer an orange to an apple which type of fruit do I prefer (asks)"
    assert ticks == [*asked.split(), "attention"]


def test_a_cell_of_the_map_is_picked_by_click_by_key_and_by_hand(open_page):
    page = open_page("random_walk-lags")
    panel = page.locator(".le-panel").first
    handle = panel.locator(".le-handle")
    settings = lambda: explorer_state(page, "[data-explorer]")["settings"]  # noqa: E731
    assert "nodes K 20" in handle.get_attribute("aria-valuetext")
    handle.press("ArrowRight")
    came(page, 1)
    assert (settings()["p"], settings()["K"]) == (0.825, 20)
    handle.press("ArrowUp")  # rows go down
    came(page, 1)
    assert (settings()["p"], settings()["K"]) == (0.825, 19)
    box = panel.locator(".le-catcher").bounding_box()
    wide, tall = box["width"] / lags.CHANCES, box["height"] / lags.SIZES
    page.mouse.click(box["x"] + 2.5 * wide, box["y"] + 3.5 * tall)
    came(page, 1)
    assert (settings()["p"], settings()["K"]) == (0.55, 7)
    here = handle.bounding_box()
    page.mouse.move(here["x"] + here["width"] / 2, here["y"] + here["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 10.5 * wide, box["y"] + 26.5 * tall, steps=4)
    assert explorer_state(page, "[data-explorer]")["count"] == 0  # theory follows, training waits for the hand
    page.mouse.up()
    came(page, 1)
    assert (settings()["p"], settings()["K"]) == (0.75, 30)
    lag = explorer_state(page, "[data-explorer]")["theory"]["laws.lag"][0]
    assert handle.get_attribute("aria-valuetext").endswith(f"favoured lag {lag:.0f}")
