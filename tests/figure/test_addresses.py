"""Addresses and typed values that a figure cannot have: what it does, what it says, and what it writes."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.chapters.linear_block.figures import training
from hal.figure import Computed
from tests.browser import explorer_state, press_tool
from tests.figure import toy_computed
from tests.figure import toy_flow as flow
from tests.figure.drawn import typed
from tests.figure.engine import engine, page_value

PAGE = engine("links", "controls")
FIGURES = Computed(flow), toy_computed.explorer()
SPEC = FIGURES[1].spec()
MANY = settings(max_examples=100, deadline=None)
TOY, FLOW = "[data-explorer=toy-computed]", "[data-explorer=scb-flow]"
REFUSED = "Sparsity Q: expected at least 1 position, at most T, got 8"


NAMES = st.sampled_from(["N", "mu", "seed", "t", "log", "tour", "v", "__proto__"])


@MANY
@given(st.lists(st.tuples(NAMES | st.text(), st.none() | st.text())))
def test_whatever_a_link_says_nothing_throws(pairs):
    found = page_value(PAGE, f"settingsFrom({json.dumps(SPEC)}, {json.dumps(pairs)})")
    assert set(found["settings"]) <= {"N", "mu"}


def test_what_is_ignored_is_said_in_short():
    long = "7" * 100_000

    def said(pairs):
        return page_value(PAGE, f"ignored({json.dumps(pairs)})")

    assert said([["T", long], [long, None]]) == f"Ignored in the link: T={'7' * 79}…, {'7' * 79}…."
    assert said([["T", str(i)] for i in range(8)]).endswith("T=6, T=7.")
    assert said([["T", str(i)] for i in range(100)]).endswith("T=6, T=7 and 92 more.")


# Weights follow the number of things.


def test_weights_that_are_dragged_are_those_to_come_back_to():
    states = [{"N": 2, "mu": [0.25, 0.75]}, {"N": 3, "mu": [0.5, 0.4, 0.1]}, {"N": 2, "mu": [0.5, 0.4, 0.1]}]
    fit = "makeFitting([{ name: 'mu', weights: 'N' }])"
    found = [one["mu"] for one in page_value(PAGE, f"{json.dumps(states)}.map({fit})")]
    assert found == [[0.25, 0.75], [0.5, 0.4, 0.1], [0.555556, 0.444444]]


# On a page.


@pytest.fixture
def open_page(alone):
    """open_page(hash): the page with both figures awake."""

    def go(anchor=""):
        page = alone(*FIGURES, anchor=anchor)
        for which in (FLOW, TOY):
            page.locator(which).scroll_into_view_if_needed()
            page.wait_for_selector(f"{which}[aria-busy=false]")
        return page

    return go


def enter(page, which, name, value):
    """Type a value beside a slider; the state of the figure once its address has been written."""
    typed(page, which, name, value)
    page.wait_for_timeout(400)
    page.wait_for_selector(f"{which}[aria-busy=false]")
    return explorer_state(page, which)


def address(page):
    return page.evaluate("location.hash")


@pytest.mark.browser
def test_a_typed_number_is_rounded_where_whole_ones_count_and_weights_follow(open_page):
    page = open_page()
    found = enter(page, TOY, "N", "4.6")
    assert found["settings"]["N"] == found["drawn"]["N"] == 5
    fitted = "law μ: fitted to 5; those that stay keep their proportions."
    assert found["notice"] == f"Tokens N: 4.6 is rounded to 5, a whole number. {fitted}"
    assert page.locator(f"{TOY} .le-control:has([data-setting=N]) input[type=number]").input_value() == "5"
    assert "N=5," in address(page)
    assert enter(page, TOY, "N", "5.2")["notice"] == "Tokens N: 5.2 is rounded to 5, a whole number."
    found = enter(page, TOY, "N", "7.7")
    assert found["error"] == "Tokens N: expected a value from 1 to 6, got 8"
    assert found["notice"] == "Tokens N: 7.7 is rounded to 8, a whole number."
    assert enter(page, TOY, "N", "6")["notice"] == "law μ: fitted to 6; those that stay keep their proportions."
    assert enter(page, TOY, "lr", "0.25")["settings"]["lr"] == 0.25
    page.evaluate("location.hash = '#toy-computed:mu=0.5/0.3/0.2'")
    page.wait_for_function(f"document.querySelector('{TOY}').explorerState().drawn.N === 3")
    found = enter(page, TOY, "N", "1e9")  # so many weights are not made
    assert found["error"] == "Tokens N: expected a value from 1 to 6, got 1000000000"
    assert found["settings"]["mu"] == found["drawn"]["mu"] == [0.5, 0.3, 0.2]
    assert enter(page, TOY, "N", "6")["settings"]["mu"] == [0.25, 0.15, 0.1, 0.166667, 0.166667, 0.166667]
    assert enter(page, TOY, "N", "2")["settings"]["mu"] == [0.625, 0.375]
    assert enter(page, TOY, "N", "3")["settings"]["mu"] == [0.5, 0.3, 0.2]


@pytest.mark.browser
def test_refused_values_do_not_enter_the_address(open_page):
    page = open_page("#scb-flow:T=6,Q=3")
    assert enter(page, FLOW, "Q", "8")["error"] == REFUSED
    assert "T=6,N=4,Q=3," in address(page)
    press_tool(page, FLOW, "another-seed")
    enter(page, FLOW, "T", "5000")
    assert "T=6,N=4,Q=3," in address(page)
    assert "seed" not in address(page)
    press_tool(page, FLOW, "python")
    assert "range(0, " in page.locator(f"{FLOW} .le-code").text_content()
    enter(page, FLOW, "T", "12")
    assert "T=12,N=4,Q=8," in address(page)
    assert "seed=8" in address(page)


@pytest.mark.browser
def test_a_first_link_that_is_refused_leaves_the_default_picture(open_page):
    page = open_page("#scb-flow:v=99,T=4,Q=8,seed=2,x=1")
    found = explorer_state(page, FLOW)
    assert found["error"] == REFUSED
    assert found["notice"] == "The link was made by a newer version of this figure. Ignored in the link: x=1."
    assert (found["settings"]["T"], found["settings"]["Q"]) == (4, 8)
    assert found["drawn"] == Computed(flow).default
    press_tool(page, FLOW, "table")
    assert page.locator(f"{FLOW} table").count() > 0
    page.evaluate("location.hash = '#%E0%A4%A'")  # nobody can read it: nothing throws
    page.wait_for_function(f"document.querySelector('{FLOW}').explorerState().notice.includes('%E0%A4%A')")


@pytest.mark.browser
def test_what_is_ignored_is_in_sight_under_a_long_sentence(alone):
    which = "[data-explorer=linear_block-training]"
    page = alone(Computed(training), anchor="#linear_block-training:lr=0.03,batch=9,sigma=7")
    page.add_style_tag(content=".le-reading { letter-spacing: 4em }")
    page.wait_for_selector(f"{which}[aria-busy=false]")
    assert explorer_state(page, which)["notice"] == "Ignored in the link: batch=9, sigma=7."
    spoken = f"document.querySelector('{which} .le-spoken')"
    page.wait_for_function(f"{spoken}.scrollHeight > {spoken}.clientHeight + 9")  # there is more text than room
    box = (
        "(node) => { const { left, top, height } = node.getBoundingClientRect(); return [left + 9, top + height / 2]; }"
    )
    x, y = page.locator(f"{which} .le-notice").evaluate(box)
    assert "le-notice" in page.evaluate("([x, y]) => document.elementFromPoint(x, y).className", [x, y])
