"""The chapter's explorers in Chromium: the page's numbers and sentence are CPython's, and the map of lags is picked."""

import math

import pytest

from lib.chapters.random_walk.explorers import edge, lags, questions
from lib.explorer import assets
from tests.browser import explorer_state

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
    """A page for each figure, opened from disk; the build's own runs are cut to what a test can wait for."""
    folder = tmp_path_factory.mktemp("random_walk")
    (folder / "explorer.js").write_text(assets.script())
    (folder / "explorer.css").write_text(assets.style())
    head = '<meta charset="utf-8"><title>Walks</title><link rel="stylesheet" href="explorer.css">'
    for name, figure in figures.items():
        compute = figure.compute
        figure.compute = lambda settings=None, seed=0, runs=1, own=compute, name=name: own(CHEAP[name], seed, runs)
        body = f'<main class="full-width">{figure.html()}</main><script src="explorer.js"></script>'
        del figure.compute
        text = f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>'
        (folder / f"{name}.html").write_text(text)
    return folder


@pytest.fixture
def open_page(chromium, folder):
    """open_page(name, runs): the page of a figure at its cheap settings, so many runs finished; it must stay silent."""
    opened, errors = [], []

    def go(name, runs):
        page = chromium.new_page(viewport={"width": 1440, "height": 900})
        opened.append(page)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        asked = ",".join(f"{key}={value}" for key, value in CHEAP[name].items())
        page.goto(f"{(folder / name).as_uri()}.html#{name}:{asked}")
        came(page, runs)
        return page

    yield go
    for page in opened:
        page.close()
    assert errors == []


def came(page, runs):
    """Wait until so many runs are finished at the settings that the sliders show."""
    page.wait_for_function(
        "(() => { const s = document.querySelector('[data-explorer]').explorerState?.();"
        f" return s && !s.busy && s.count >= {runs} && JSON.stringify(s.settings) === JSON.stringify(s.drawn); }})()"
    )


@pytest.mark.parametrize("name", CHEAP)
def test_the_page_s_runs_and_sentence_are_python_s(open_page, figures, name):
    figure = figures[name]
    page = open_page(name, figure.runs)
    shown, ours = explorer_state(page, "[data-explorer]"), figure.compute(CHEAP[name], runs=figure.runs)
    for theirs, run in zip(shown["runs"], ours.runs, strict=True):
        wanted = {key: [x if math.isfinite(x) else None for x in values] for key, values in run.items()}
        assert theirs["readings"] == wanted
    assert page.locator(".le-reading").inner_text() == figure.draw(ours).reading
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440
    assert page.locator(".le-ui").bounding_box()["height"] <= 900


def test_the_words_stand_beside_the_rows(open_page):
    page = open_page("random_walk-questions", 1)
    ticks = page.locator(".le-panel").first.locator(".le-tick").all_text_contents()
    asked = "Based on the sentence I prefer an orange to an apple which type of fruit do I prefer (asks)"
    assert ticks == [*asked.split(), "attention"]


def test_a_cell_of_the_map_is_picked_by_click_by_key_and_by_hand(open_page):
    page = open_page("random_walk-lags", 1)
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
