"""The hero of the chapter in headless Chromium: the arcs of the run, and both learning rates."""

import numpy as np
import pytest

from hal.chapters.scb.figures import run
from hal.figure import figure_of
from tests.browser import Watch
from tests.figure.drawn import write_page

pytestmark = pytest.mark.browser
ROOT = "[data-explorer=scb-run]"
ANSWERS = f"{ROOT} .le-thin-arc"


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


def test_arcs_are_those_of_the_run_and_the_answer_waits_for_the_end(page):
    row = np.array(figure_of(run).compute({}, seed=0).runs[0]["attention"]).reshape(-1, 64)[-1]
    assert page.locator(ANSWERS).count() == 0
    page.locator(f"{ROOT} .le-play").click()
    page.locator(f"{ROOT} input[data-role=time]").press("End")
    assert all(any(abs(told - one) <= 0.0051 for one in row) for told in widest(page))
    assert max(widest(page)) == pytest.approx(row.max(), abs=0.0051)
    assert page.locator(ANSWERS).count() == 2
    assert page.locator(f"{ROOT} .le-span-text").all_text_contents() == ["the loss is flat"]


def test_rates_move_together_until_the_chain_is_opened(page):
    page.locator(f"{ROOT} [data-setting=lr_V]").first.press("ArrowRight")
    page.wait_for_function(f"document.querySelector('{ROOT}').explorerState().busy === false")
    settings = page.evaluate(f"document.querySelector('{ROOT}').explorerState().settings")
    assert settings["lr_V"] == settings["lr_A"] > 0.02
