"""The hero of the chapter in headless Chromium: the reader chooses the last token, and asks for the answer."""

import numpy as np
import pytest

from hal.chapters.scb.figures import run
from hal.figure import figure_of
from tests.browser import Watch
from tests.figure.drawn import write_page

pytestmark = pytest.mark.browser
ROOT = "[data-explorer=scb-run]"
BUTTONS, ANSWERS = f"{ROOT} .le-asking button", f"{ROOT} .le-thin-arc"


@pytest.fixture(scope="module")
def page(chromium, tmp_path_factory):
    address = write_page(tmp_path_factory.mktemp("run"), figure_of(run).html())
    page = chromium.new_page(viewport={"width": 1440, "height": 1000})
    page.set_default_timeout(20_000)
    watch = Watch(page, address)
    page.goto(address)
    page.wait_for_function(f"document.querySelector('{ROOT}').explorerState?.().busy === false")
    yield page
    page.close()
    assert watch.problems == []


def widest(page):
    """The numbers on the widest arcs of the row that is shown."""
    texts = page.locator(f"{ROOT} .le-words.le-haloed").all_text_contents()
    return sorted(float(text) for text in texts)


def test_each_last_token_shows_its_own_row_and_the_answer_waits_for_the_end(page):
    figure = figure_of(run)
    read = figure.compute({}, seed=0).runs[0]
    rows = np.array(read["attention"]).reshape(-1, 4, 64)[-1]
    page.locator(f"{ROOT} input[data-role=time]").press("End")
    assert page.locator(BUTTONS).all_text_contents() == ["a", "b", "c", "d", "hide the answer"]
    for k, row in enumerate(rows):
        page.locator(BUTTONS).nth(k).click()
        assert page.locator(f"{ROOT} .le-asking [aria-pressed=true]").all_text_contents() == ["abcd"[k]]
        assert all(any(abs(told - one) <= 0.0051 for one in row) for told in widest(page))
        assert max(widest(page)) == pytest.approx(row.max(), abs=0.0051)
        assert page.locator(ANSWERS).count() == 2
    page.locator(f"{ROOT} .le-asking button").last.click()
    assert page.locator(ANSWERS).count() == 0
    assert page.locator(BUTTONS).last.text_content() == "show the answer"
    page.locator(BUTTONS).last.click()
    assert page.locator(ANSWERS).count() == 2


def test_rates_move_together_until_the_chain_is_opened(page):
    page.locator(f"{ROOT} [data-setting=lr_V]").first.press("ArrowRight")
    page.wait_for_function(f"document.querySelector('{ROOT}').explorerState().busy === false")
    settings = page.evaluate(f"document.querySelector('{ROOT}').explorerState().settings")
    assert settings["lr_V"] == settings["lr_A"] > 0.02
