"""Settings of links, typed values, weights: Python and the page take the same; what a figure does with others."""

import json
import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hal.figure import Computed, Step
from hal.figure.comparison import Comparison
from hal.site.phrases import fault
from lib.errors import InputError
from tests.browser import explorer_state, press_tool
from tests.figure import toy_computed
from tests.figure import toy_flow as flow
from tests.figure.drawn import typed
from tests.figure.engine import engine

PAGE = engine("links", "controls", "notebook")
FIGURES = Computed(flow), toy_computed.explorer()
SPEC = FIGURES[1].spec()
MANY = settings(max_examples=100, deadline=None)
TOY, FLOW = "[data-explorer=toy-computed]", "[data-explorer=scb-flow]"
REFUSED = "Sparsity Q: expected at least 1 position, at most T, got 8"


NAMES = st.sampled_from(["N", "mu", "seed", "t", "log", "tour", "v", "__proto__"])


@MANY
@given(st.lists(st.tuples(NAMES | st.text(), st.none() | st.text())))
def test_whatever_a_link_says_nothing_throws(pairs):
    found = PAGE.value(f"settingsFrom({json.dumps(SPEC)}, {json.dumps(pairs)})")
    assert set(found["settings"]) <= {"N", "mu"}


def test_what_is_ignored_is_said_in_short():
    long = "7" * 100_000

    def said(pairs):
        return PAGE.value(f"ignored({json.dumps(pairs)})")

    assert said([["T", long], [long, None]]) == f"Ignored in the link: T={'7' * 79}…, {'7' * 79}…."
    assert said([["T", str(i)] for i in range(8)]).endswith("T=6, T=7.")
    assert said([["T", str(i)] for i in range(100)]).endswith("T=6, T=7 and 92 more.")


def test_weights_that_are_dragged_are_those_to_come_back_to():
    states = [{"N": 2, "mu": [0.25, 0.75]}, {"N": 3, "mu": [0.5, 0.4, 0.1]}, {"N": 2, "mu": [0.5, 0.4, 0.1]}]
    fit = "makeFitting([{ name: 'mu', weights: 'N' }])"
    found = [one["mu"] for one in PAGE.value(f"{json.dumps(states)}.map({fit})")]
    assert found == [[0.25, 0.75], [0.5, 0.4, 0.1], [0.555556, 0.444444]]


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


NAN = float("nan")


@pytest.mark.parametrize("seed", range(10))
def test_how_far_medians_lie_apart(seed):
    rng = np.random.default_rng(seed)
    count, length = int(rng.integers(3, 8)), int(rng.integers(1, 9))
    runs = [{"a": rng.normal(size=length), "diverged_at": [3.0 if k == 1 else NAN]} for k in range(count + 1)]
    found = Comparison({}, {"a": rng.normal(size=(4, length))}, 0.1)
    (expected,) = found.apart(runs).values()
    kept = [run["a"].tolist() for run in runs if run["diverged_at"] != [3.0]]
    band = {"a": {"middle": np.asarray(found.bands()["a"][1]).tolist()}}
    made = f"{kept}.map((one) => ({{ readings: {{ a: Float64Array.from(one) }} }}))"
    ((name, most, width),) = PAGE.value(f"mediansApart({json.dumps(band)}, {made})")
    assert (name, most, width) == ("a", pytest.approx(expected[0]), pytest.approx(expected[1]))


# What settings a figure takes: typed, in a link, as weights.

TOURED = toy_computed.explorer(TOUR=[Step("Look.")] * 4)
TOURED_SPEC = TOURED.spec()
DIGITS = st.text("0123456789", max_size=4)
TYPED = st.one_of(
    st.builds("".join, st.tuples(st.sampled_from(["", "-", "+"]), DIGITS, st.sampled_from(["", ".", "e"]), DIGITS)),
    st.sampled_from(["", " 3", "3 ", "0x3", "1_0", "nan", "NaN", "inf", "Infinity", "1e999", "٣", "3e0", "True"]),
    st.integers(-2, 7).map(str), st.integers(0, 2500).map(str), st.floats(-3, 3).map(repr),
)  # fmt: skip


@MANY
@given(st.sampled_from(["N", "T", "lr", "start_V", "seed", "run", "t", "tour", "nobody"]), TYPED)
@example("tour", "4")
@example("tour", "5")
@example("N", "2.5")
def test_what_a_link_may_set(name, text):
    found = PAGE.value(f"settingsFrom({json.dumps(TOURED_SPEC)}, [[{json.dumps(name)}, {json.dumps(text)}]])")
    taken = {**found["settings"], **{key: value for key, value in found.items() if key not in ("settings", "remark")}}
    assert (taken == {}) == bool(fault(TOURED_SPEC, name, text))
    assert (found["remark"] == "") == bool(taken)
    if taken:
        assert taken == {name: float(text)}


@MANY
@given(st.lists(st.integers(-1, 6), min_size=1, max_size=4), st.sampled_from(["", "/", "/x", "/1e-4", "/1e-3"]))
def test_what_weights_a_link_may_set(parts, more):
    total = sum(parts) or 1
    text = "/".join(repr(part / total) for part in parts) + more
    found = PAGE.value(f"settingsFrom({json.dumps(TOURED_SPEC)}, [['mu', {json.dumps(text)}]])")["settings"]
    assert bool(found) == (fault(TOURED_SPEC, "mu", text) == "")
    if not more:
        weights = [part / total for part in parts]
        refused = any(weight < 0 for weight in weights) or abs(math.fsum(weights) - 1) > 1e-4
        assert bool(found) != refused
        if found:
            assert TOURED.controls_by_name["mu"].check(found["mu"]) == weights


@MANY
@given(
    st.sampled_from(["N", "T", "lr", "start_V"]),
    st.integers(-3, 9)
    | st.integers(0, 2500)
    | st.floats(-4, 4)
    | st.sampled_from([NAN, math.inf, 0.01, 3.0, 0.0099, 3.0001]),
)
def test_what_a_slider_takes(name, value):
    controls, asked = json.dumps(TOURED_SPEC["controls"]), json.dumps({**TOURED.default, name: value})
    refused = PAGE.value(f"refusalOf({controls}, {asked})")
    if refused is None:
        fitted = PAGE.value(f"makeFitting({controls})({asked})")  # as many weights as the sliders say
        assert TOURED.check(fitted)[name] == value
        return
    assert refused[0] == name
    with pytest.raises(InputError, match=f"^{name}: expected a"):
        TOURED.check({name: value})
