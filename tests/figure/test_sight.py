"""What of a figure is in sight and what waits folded: as declared, in a notebook, in the still picture, in the page."""

import re

import pytest

from tests.browser import press_tool
from tests.figure import toy_flow
from tests.figure.drawn import settled, slider, state

ROOT = "[data-explorer=toy-folds]"
FOLD, CURVES = f"{ROOT} .le-more-settings", f"{ROOT} .le-more-curves"


def test_a_notebook_folds_the_same_and_opens_where_code_moves_what_is_folded():
    figure = toy_flow.folds()
    side, _ = figure.box.children
    labels = [getattr(one, "description", "") for one in side.children]
    assert labels[:2] == ["Context T (tokens)", "Learning rate η"]
    fold = side.children[2]
    assert [one.description for one in fold.children[0].children] == [
        "Vocabulary N (tokens)", "Sparsity Q (positions)", "Skew of μ",
    ]  # fmt: skip
    assert (fold.selected_index, fold.titles) == (None, ("More settings",))
    figure.set(T=32)
    assert fold.selected_index is None
    figure.set(Q=4, skew=0.5)
    assert (fold.selected_index, fold.titles) == (0, ("More settings (2 moved)",))
    fold.selected_index = None
    figure.set(T=64)
    assert fold.selected_index is None, "what a reader closed stays closed until something in it moves"


def test_the_still_picture_has_the_panels_in_sight_and_names_the_others():
    figure = toy_flow.folds()
    figure.compute(runs=1)
    text = figure.built.still(figure.default)
    assert "The quiet phase" in text
    assert "More curves, without a picture here: Off the flow." in " ".join(re.sub("<[^>]*>", " ", text).split())


@pytest.fixture
def open_page(open_tour):
    return lambda anchor="": open_tour(anchor, 0, which=ROOT)


@pytest.mark.browser
def test_the_page_opens_what_a_link_a_phrase_or_a_step_sets(open_page):
    page = open_page()
    assert page.locator(f"{FOLD}[open]").count() == 0
    assert page.locator(f"{ROOT} input[data-setting=N]").is_hidden()
    assert page.locator(f"{ROOT} input[data-setting=T]").is_visible()
    page.locator("a.explorer-phrase").nth(2).click()
    page.wait_for_selector(f"{FOLD}[open]")
    assert page.locator(f"{FOLD} summary").inner_text().replace("\n", " ") == "More settings 1 moved"
    press_tool(page, ROOT, "reset")
    assert state(page, ROOT)["settings"] == toy_flow.folds().default
    assert page.locator(f"{FOLD} summary").inner_text().strip() == "More settings"
    page.locator(f"{FOLD} summary").press(" ")  # by key; the film does not play
    assert page.locator(f"{FOLD}[open]").count() == 0
    assert page.locator(f"{ROOT} .le-play").get_attribute("aria-label") == "Play the training"
    page.evaluate("location.hash = '#toy-folds:T=32'")
    page.wait_for_function(f"document.querySelector('{ROOT}').explorerState().drawn.T === 32")
    assert page.locator(f"{FOLD}[open]").count() == 0
    page.evaluate("location.hash = '#toy-folds:tour=4'")
    page.wait_for_selector(f"{FOLD}[open]")
    assert page.locator(f"{FOLD} summary").inner_text().replace("\n", " ") == "More settings 3 moved"


@pytest.mark.browser
def test_a_refused_value_of_a_folded_setting_is_seen(open_page):
    page = open_page("#toy-folds:T=4")
    slider(page, "Q", ROOT).press("End")
    page.locator(f"{FOLD} .le-refused:visible").wait_for()
    page.locator(f"{FOLD} summary").click()
    slider(page, "T", ROOT).press("ArrowRight")
    page.wait_for_selector(f"{FOLD}[open]")


@pytest.mark.browser
def test_more_curves_are_drawn_when_they_are_unfolded(open_page):
    page = open_page()
    assert page.locator(f"{CURVES} summary").inner_text() == "More curves: Off the flow"
    assert page.locator(f"{CURVES} .le-axes text").count() == 0, "what is folded is not drawn"
    page.locator(f"{CURVES} summary").click()
    page.wait_for_selector(f"{CURVES} .le-axes text")
    box = page.locator(f"{CURVES} .le-plot").bounding_box()
    assert box["height"] >= 110
    slider(page, "T", ROOT).press("End")
    assert settled(page, ROOT, 1, T=512)["arrays"]["2.y0"]["data"]
