"""Switches, settings that do nothing here or are folded away, values that are refused, in all hosts."""

import json
import re
from dataclasses import replace

import ipywidgets
import pytest

from hal.figure import Computed, Say, Slider, sliders
from lib.errors import InputError
from tests.browser import explorer_state, press_tool
from tests.figure import toy_flow, toy_side
from tests.figure.changed import changed
from tests.figure.drawn import barriers, settled, slider, state, typed
from tests.figure.engine import engine

ROOT = "[data-explorer=toy-side]"
SLOW, TURNED = "Slow runs start alike.", "Here the rate is set."
RATE = Slider("Learning rate η", "no unit", 0.1, (0.01, 0.5), log=True, idle=Say(TURNED, "kind == 2"))
NAMES = {0: "right", 1: "left", 2: "left too"}
KIND = Slider("Start", default=0, names=NAMES, idle=[Say(SLOW, "lr < 0.02"), Say("Never.", "lr > 9")])
FIGURE = Computed(changed(toy_side, SLIDERS={"lr": RATE, "kind": KIND}))


def test_a_table_keeps_the_reasons_that_are_about_settings_of_the_figure():
    table = {"lr": RATE, "kind": KIND, "other": Slider("Other", "no unit", 1, (0, 2))}
    assert sliders(table, lr=0.1, kind=0)["lr"].idle_ways == (RATE.idle,)
    assert sliders(table, lr=0.1)["lr"].idle_ways == ()
    with pytest.raises(InputError, match=r"idle of lr: expected names of the table \(lr, other\), got"):
        sliders({"lr": RATE, "other": table["other"]}, lr=0.1)


def test_up_to_four_names_are_a_switch_in_a_notebook_and_more_a_slider():
    def made(n):
        kind = Slider("A", names={i: f"name {i}" for i in range(n)})
        return Computed(changed(toy_side, SLIDERS={"lr": RATE, "kind": kind}))

    kinds = [type(made(n).sliders["kind"]) for n in (3, 4, 5)]
    assert kinds == [ipywidgets.ToggleButtons, ipywidgets.ToggleButtons, ipywidgets.SelectionSlider]
    page = engine("controls")
    for n in range(1, 6):
        control = made(n).controls_by_name["kind"]
        assert page.value(f"isChoice({json.dumps(control.spec())})") == control.choice == (2 <= n <= 4)
    figure = made(4)
    figure.sliders["kind"].value = 3
    assert figure.settings["kind"] == 3
    figure.set(kind=1)
    assert figure.sliders["kind"].value == 1


def test_a_notebook_greys_what_does_nothing_and_says_why():
    figure = Computed(changed(toy_side, SLIDERS={"lr": RATE, "kind": KIND}))
    words = figure.box.children[0].children[-1]
    assert (words.value, figure.sliders["lr"].disabled) == ("", False)
    figure.set(kind=2)
    assert words.value == f"Learning rate η: {TURNED}"
    assert (figure.sliders["lr"].disabled, figure.sliders["lr"].tooltip) == (True, TURNED)
    figure.set(kind=0, lr=0.01)
    assert words.value == f"Start: {SLOW}"
    assert [figure.sliders[name].disabled for name in ("lr", "kind")] == [False, True]


@pytest.fixture
def page(alone):
    page = alone(FIGURE)
    state(page, ROOT)
    return page


def pressed(page):
    return page.locator(f"{ROOT} [role=radio][aria-checked=true]").all_inner_texts()


def moved(page, **wanted):
    """The state once these settings are drawn."""
    return settled(page, ROOT, 0, **wanted)


@pytest.mark.browser
def test_a_switch_is_a_radio_group_with_one_stop_of_the_tabulator(page):
    group = page.get_by_role("radiogroup", name="Start")
    assert group.get_by_role("radio").all_inner_texts() == list(NAMES.values())
    assert page.locator(f"{ROOT} input[data-setting=kind]").count() == 0

    def knob():
        return slider(page, "kind", ROOT)

    knob().press("ArrowRight")
    assert (moved(page, kind=1)["settings"]["kind"], pressed(page)) == (1, ["left"])
    assert page.evaluate("document.activeElement.textContent") == "left"
    for key, kind in (("End", 2), ("ArrowRight", 2), ("ArrowUp", 1), ("Home", 0), ("ArrowLeft", 0)):
        knob().press(key)
        assert moved(page, kind=kind)["settings"]["kind"] == kind
    group.get_by_role("radio", name="left", exact=True).click()
    moved(page, kind=1)
    page.wait_for_function("location.hash.includes('kind=1')")
    page.evaluate("location.hash = '#toy-side:kind=2'")
    moved(page, kind=2)
    assert pressed(page) == ["left too"]
    assert page.locator(f"{ROOT} [role=radio][tabindex='0']").count() == 1


@pytest.mark.browser
def test_five_names_are_a_slider_that_says_their_words(alone):
    names = {i: f"name {i}" for i in range(5)}
    page = alone(Computed(changed(toy_side, SLIDERS={"lr": RATE, "kind": Slider("Start", names=names)})))
    knob = page.locator(f"{ROOT} input[data-setting=kind]")
    knob.press("ArrowRight")
    assert (moved(page, kind=1)["settings"]["kind"], knob.get_attribute("aria-valuetext")) == (1, "name 1")


@pytest.mark.browser
def test_what_does_nothing_here_is_grey_says_why_and_takes_no_value(page):
    control = page.locator(f"{ROOT} .le-control").first
    before = control.bounding_box()
    slider(page, "kind", ROOT).press("End")
    moved(page, kind=2)
    knob, field = slider(page, "lr", ROOT), control.locator("input[type=number]")
    assert control.locator(".le-why").inner_text() == TURNED
    assert control.bounding_box() == before
    why = control.locator(".le-why").get_attribute("id")
    for part in (knob, field):
        assert (part.get_attribute("aria-disabled"), part.get_attribute("aria-describedby")) == ("true", why)
    knob.focus()
    assert page.evaluate("document.activeElement.dataset.setting") == "lr"
    value = knob.input_value()
    knob.press("End")
    assert (knob.input_value(), explorer_state(page, ROOT)["settings"]["lr"]) == (value, 0.1)
    assert barriers(page, ROOT) == []
    page.evaluate("location.hash = '#toy-side:lr=0.01'")
    moved(page, lr=0.01, kind=0)
    assert knob.get_attribute("aria-disabled") is None
    switch = slider(page, "kind", ROOT)
    switch.press("ArrowRight")
    page.locator(f"{ROOT} [role=radio]").nth(1).click(force=True)
    assert (explorer_state(page, ROOT)["settings"]["kind"], pressed(page)) == (0, ["right"])
    assert page.locator(f"{ROOT} .le-chosen-name").inner_text() == "right"


@pytest.mark.browser
def test_linked_rates_have_one_value_until_the_chain_is_opened(alone):
    rates = {"lr": replace(RATE, idle=()), "kind": Slider("Rate η_A", "no unit", 0.1, (0.01, 0.5), linked="lr")}
    with pytest.raises(InputError, match="linked of kind: expected another slider of the same range, got 'lr'"):
        Computed(changed(toy_side, SLIDERS={**rates, "lr": replace(rates["lr"], ends=(0.02, 0.5))}))
    assert sliders(rates, kind=0.2)["kind"].linked == ""
    page = alone(Computed(changed(toy_side, SLIDERS=rates)))
    boxes = "[...document.querySelectorAll('.le-control *')].map((e) => [e.offsetLeft, e.offsetWidth, e.offsetHeight])"
    chain, before = page.get_by_title("Moves with: Learning rate η"), page.evaluate(boxes)
    assert barriers(page, ROOT) == []

    def both(lr, kind, closed):
        moved(page, lr=lr, kind=kind)
        assert chain.get_attribute("aria-pressed") == closed

    both(0.1, 0.1, "true")
    typed(page, ROOT, "kind", "0.2")
    both(0.2, 0.2, "true")
    chain.press("Enter")
    typed(page, ROOT, "lr", "0.3")
    both(0.3, 0.2, "false")
    page.wait_for_function("location.hash.includes('lr=0.3,kind=0.2')")
    assert len(page.evaluate(boxes)) == len(before)
    chain.press("Space")
    both(0.3, 0.3, "true")
    page.wait_for_function("location.hash.includes('lr=0.3,kind=0.3')")
    page.go_back()
    both(0.3, 0.2, "false")
    typed(page, ROOT, "lr", "0.1")
    typed(page, ROOT, "kind", "0.1")
    both(0.1, 0.1, "false")
    assert page.evaluate(f"document.activeElement.blur() ?? {boxes}") == before


@pytest.mark.browser
def test_a_refused_value_dims_the_picture_covers_nothing_and_is_kept_in_its_field(page):
    control = page.locator(f"{ROOT} .le-control").first
    field, plot = control.locator("input[type=number]"), page.locator(f"{ROOT} .le-plot")
    good = page.evaluate("location.hash")
    for given, got in (("7", "7"), ("", "none")):
        field.fill(given)
        field.press("Enter")
        said = f"Learning rate η: expected a {'value from 0.01 to 0.5' if given else 'number'}, got {got}"
        page.wait_for_selector(f"{ROOT} .le-refused:visible")
        assert control.locator(".le-refused").inner_text() == said
        assert page.locator(f"{ROOT} .le-reading").inner_text() == f"Not drawn: {said}."
        assert field.input_value() == given
        assert field.get_attribute("aria-invalid") == "true"
        box, after = control.locator(".le-refused").bounding_box(), page.locator(f"{ROOT} .le-control").nth(1)
        assert box["y"] >= control.locator(".le-track").bounding_box()["y"] + 20
        assert box["x"] + box["width"] <= after.bounding_box()["x"]
        page.wait_for_function(f"getComputedStyle(document.querySelector('{ROOT} .le-plot')).opacity === '0.35'")
        assert barriers(page, ROOT) == []
    page.wait_for_timeout(300)
    assert page.evaluate("location.hash") in (good, "#toy-side:v=1,lr=0.1,kind=0")
    press_tool(page, ROOT, "python")
    assert "0.1, " in page.locator(f"{ROOT} .le-code").text_content()
    field.fill("0.1")  # the good one again
    field.press("Enter")
    page.wait_for_function(f"getComputedStyle(document.querySelector('{ROOT} .le-plot')).opacity === '1'")
    assert page.locator(f"{ROOT} .le-refused:visible").count() == 0
    assert page.locator(f"{ROOT} .le-reading").inner_text() == state(page, ROOT)["reading"]
    assert plot.count() == 1


FOLDS = "[data-explorer=toy-folds]"
FOLD, CURVES = f"{FOLDS} .le-more-settings", f"{FOLDS} .le-more-curves"


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
def open_folds(open_tour):
    return lambda anchor="": open_tour(anchor, 0, which=FOLDS)


@pytest.mark.browser
def test_the_page_opens_what_a_link_a_phrase_or_a_step_sets(open_folds):
    page = open_folds()
    assert page.locator(f"{FOLD}[open]").count() == 0
    assert page.locator(f"{FOLDS} input[data-setting=N]").is_hidden()
    assert page.locator(f"{FOLDS} input[data-setting=T]").is_visible()
    page.locator("a.explorer-phrase").nth(1).click()
    page.wait_for_selector(f"{FOLD}[open]")
    assert page.locator(f"{FOLD} summary").inner_text().replace("\n", " ") == "More settings 1 moved"
    press_tool(page, FOLDS, "reset")
    assert state(page, FOLDS)["settings"] == toy_flow.folds().default
    assert page.locator(f"{FOLD} summary").inner_text().strip() == "More settings"
    page.locator(f"{FOLD} summary").press(" ")  # by key; the film does not play
    assert page.locator(f"{FOLD}[open]").count() == 0
    assert page.locator(f"{FOLDS} .le-play").get_attribute("aria-label") == "Play the training"
    page.evaluate("location.hash = '#toy-folds:T=32'")
    page.wait_for_function(f"document.querySelector('{FOLDS}').explorerState().drawn.T === 32")
    assert page.locator(f"{FOLD}[open]").count() == 0
    page.evaluate("location.hash = '#toy-folds:tour=4'")
    page.wait_for_selector(f"{FOLD}[open]")
    assert page.locator(f"{FOLD} summary").inner_text().replace("\n", " ") == "More settings 3 moved"


@pytest.mark.browser
def test_a_refused_value_of_a_folded_setting_is_seen(open_folds):
    page = open_folds("#toy-folds:T=4")
    slider(page, "Q", FOLDS).press("End")
    page.locator(f"{FOLD} .le-refused:visible").wait_for()
    page.locator(f"{FOLD} summary").click()
    slider(page, "T", FOLDS).press("ArrowRight")
    page.wait_for_selector(f"{FOLD}[open]")


@pytest.mark.browser
def test_more_curves_are_drawn_when_they_are_unfolded(open_folds):
    page = open_folds()
    assert page.locator(f"{CURVES} summary").inner_text() == "More curves: Off the flow"
    assert page.locator(f"{CURVES} .le-axes text").count() == 0, "what is folded is not drawn"
    page.locator(f"{CURVES} summary").click()
    page.wait_for_selector(f"{CURVES} .le-axes text")
    box = page.locator(f"{CURVES} .le-plot").bounding_box()
    assert box["height"] >= 110
    slider(page, "T", FOLDS).press("End")
    assert settled(page, FOLDS, 1, T=512)["arrays"]["2.y0"]["data"]
