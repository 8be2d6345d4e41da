"""The explorer that computes, in headless Chromium: its numbers are CPython's, wherever it runs, and it shares."""

from functools import partial

import pytest

from tests.browser import explorer_state, press_tool
from tests.figure import drawn, toy_flow
from tests.figure.drawn import slider

pytestmark = pytest.mark.browser
FLOW = "[data-explorer=toy-tour]"
settled, state = partial(drawn.settled, which=FLOW), partial(explorer_state, which=FLOW)
NO_WORKER = {
    "none": "delete globalThis.Worker",
    "refused": "globalThis.Worker = class { constructor() { throw new Error('not allowed'); } }",
    "dead": """globalThis.Worker = class {
      constructor() { setTimeout(() => this.onerror(new Event('error'))); }
      postMessage() {}
      terminate() {}
    }""",
    # Stopped without a word; the page waits ten seconds before it gives up, here a tenth of one.
    "mute": """const wait = globalThis.setTimeout;
    globalThis.setTimeout = (f, ms, ...rest) => wait(f, ms === 10000 ? 100 : ms, ...rest);
    globalThis.Worker = class {
      postMessage() {}
      terminate() {}
    }""",
}


@pytest.fixture(scope="module")
def explorer():
    return toy_flow.make()


def address(seed=0, **settings):
    return f"#toy-tour:v=1,{','.join(f'{k}={v}' for k, v in settings.items())},seed={seed}"


def go(page, **settings):
    page.evaluate("(hash) => (location.hash = hash)", address(**settings))


def plain(values):
    """Numbers as the page's state writes them."""
    return [None if v != v or v in (float("inf"), -float("inf")) else v for v in values]


def assert_cpython(explorer, found, settings, seed=0, runs=1):
    """Theory and runs on the page are CPython's, bit for bit."""
    expected = explorer.compute(settings, seed=seed, runs=runs)
    assert {k: plain(v) for k, v in expected.theory.items()} == {
        k: [None if isinstance(x, str) else x for x in v] for k, v in found["theory"].items()
    }
    for ours, theirs in zip(expected.runs, found["runs"], strict=False):
        assert theirs["finished"]
        assert {k: plain(v) for k, v in ours.items()} == theirs["readings"]


EXTREMES = [
    {"T": 4, "N": 2, "Q": 1, "skew": 0.0, "lr": 0.01},
    {"T": 512, "N": 12, "Q": 8, "skew": 1.5, "lr": 0.2},
    {"T": 512, "N": 2, "Q": 1, "skew": 0.0, "lr": 0.2},
    {"T": 8, "N": 12, "Q": 8, "skew": 1.5, "lr": 0.01},
]


@pytest.mark.parametrize(("files", "how"), [(False, "worker"), (True, "worker"), *((True, how) for how in NO_WORKER)])
def test_wherever_the_page_trains_it_has_cpython_s_numbers_bit_for_bit(open_tour, explorer, files, how):
    page = open_tour(runs=0, files=files, script=NO_WORKER.get(how, ""))
    places = EXTREMES if (files, how) == (False, "worker") else EXTREMES[1:3]
    for seed, settings in enumerate(places):
        go(page, seed=seed, **settings)
        found = settled(page, runs=2, **settings)
        assert found["seed"] == seed
        assert found["trainer"] == ("worker" if how == "worker" else "page")
        assert_cpython(explorer, found, settings, seed, runs=2)


def test_a_run_that_diverges_is_marked_and_said_and_the_theory_goes_on(open_tour, explorer):
    settings = {"T": 512, "N": 4, "Q": 8, "skew": 1.5, "lr": 0.2}
    page = open_tour(address(seed=1, **settings))
    found = settled(page, runs=8, **settings)
    assert "diverged, the first at step" in found["notice"]
    assert_cpython(explorer, found, settings, 1, runs=3)
    assert any(run["lost"] for run in found["runs"])
    assert page.locator(f"{FLOW} path.le-lost[d^=M]").count() > 0
    assert None not in found["theory"]["flow.alpha_V"]


def test_back_and_forward_restore_thumb_box_and_label(open_tour):
    page = open_tour("#some-heading")
    knob = slider(page, "N", FLOW)
    box = page.locator(f"{FLOW} .le-control:has([data-setting=N]) input[type=number]")

    def shown():
        return (knob.input_value(), box.input_value(), knob.get_attribute("aria-valuetext"))

    start = shown()
    knob.press("ArrowRight")
    page.wait_for_function("location.hash.includes('N=5')")
    moved = shown()
    press_tool(page, FLOW, "another-seed")
    page.wait_for_function("location.hash.includes('seed=8')")
    page.go_back()
    page.wait_for_function(f"document.querySelector('{FLOW}').explorerState().seed === 0")
    assert shown() == moved
    page.go_back()
    page.wait_for_function(f"document.querySelector('{FLOW}').explorerState().settings.N === 4")
    assert shown() == start
    assert page.evaluate("location.hash") == "#some-heading"
    page.go_forward()
    page.wait_for_function(f"document.querySelector('{FLOW}').explorerState().settings.N === 5")
    assert shown() == moved


def test_a_page_in_the_background_does_not_compute(open_tour):
    page = open_tour()
    hide = "(hidden) => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });"
    hide += " document.dispatchEvent(new Event('visibilitychange')); }"
    page.evaluate(hide, True)
    slider(page, "Q", FLOW).press("ArrowRight")
    page.wait_for_function(f"document.querySelector('{FLOW}').explorerState().drawn.Q === 3")
    page.wait_for_timeout(1000)
    assert (state(page)["resting"], state(page)["count"]) == (True, 0)
    page.evaluate(hide, False)
    settled(page, runs=1, Q=3)
