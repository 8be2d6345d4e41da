"""The explorer that computes, in headless Chromium: its numbers are CPython's, bit for bit, wherever it runs."""

import random

import pytest

from hal.chapters.scb.figures import flow
from hal.explorer import Computed
from lib.models.scb import textbook
from lib.portable import run
from tests.browser import ROOT, chromium_or_skip, explorer_state, served
from tests.explorer.drawn import slider
from tests.explorer.toy_book import SECOND, make_book

pytestmark = pytest.mark.browser
FLOW, SIDE = "[data-explorer=scb-flow]", "[data-explorer=toy-side]"
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
    return Computed(flow)


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """A built book with one page of two figures."""
    chromium_or_skip()
    cell = "from hal.chapters.scb.figures import flow\nfrom hal import show\nshow(flow)"
    return make_book(tmp_path_factory.mktemp("computed"), "flow", cell, SECOND, text="## The figures", wide=True)


@pytest.fixture(scope="module")
def home(book):
    with served(book) as address:
        yield address


@pytest.fixture
def open_page(tab, home, book):
    """open_page(hash, files=False, script="", **context): the page, the figure awake; it must stay silent."""

    def go(anchor="", files=False, script="", **context):
        base = f"{book.as_uri()}/" if files else home
        page = tab(base, **context)
        if script:
            page.add_init_script(script)
        page.goto(f"{base}book/flow.html{anchor}")
        page.wait_for_selector(f"{FLOW}[aria-busy=false]")
        return page

    return go


def state(page, which=FLOW):
    return explorer_state(page, which)


def settled(page, runs=1, **settings):
    """State of the figure once so many runs are finished at these settings."""
    page.wait_for_function(
        """([which, runs, wanted]) => {
          const { busy, drawn, count } = document.querySelector(which).explorerState();
          return !busy && count >= runs && Object.entries(wanted).every(([name, value]) => drawn[name] === value);
        }""",
        arg=[FLOW, runs, settings],
    )
    return state(page)


def address(seed=0, **settings):
    return f"#scb-flow:v=1,{','.join(f'{k}={v}' for k, v in settings.items())},seed={seed}"


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


def somewhere(number, seed):
    """Random positions of all sliders, short enough for CPython."""
    rng, found = random.Random(seed), []
    while len(found) < number:
        one = {
            "T": round(4 * 128 ** rng.random()), "N": rng.randint(2, 12), "Q": rng.randint(1, 8),
            "skew": rng.choice([0.0, 1.5, rng.uniform(0, 1.5)]), "lr": 0.01 * 20 ** rng.random(),
        }  # fmt: skip
        if one["T"] / one["lr"] < 4000 and one["Q"] <= one["T"]:
            found.append(one)
    return found


EXTREMES = [
    {"T": 4, "N": 2, "Q": 1, "skew": 0.0, "lr": 0.01},
    {"T": 512, "N": 12, "Q": 8, "skew": 1.5, "lr": 0.2},
    {"T": 512, "N": 2, "Q": 1, "skew": 0.0, "lr": 0.2},
    {"T": 8, "N": 12, "Q": 8, "skew": 1.5, "lr": 0.01},
]


@pytest.mark.parametrize(("files", "worker"), [(False, True), (True, True), (True, False)])
def test_anywhere_the_page_has_cpython_s_numbers_bit_for_bit(open_page, explorer, files, worker):
    page = open_page("", files, "" if worker else NO_WORKER["none"])
    places = [*somewhere(6, 1), *EXTREMES] if worker and not files else somewhere(4, 2 + worker)
    for seed, settings in enumerate(places):
        go(page, seed=seed, **settings)
        found = settled(page, 1, **settings)
        assert found["seed"] == seed
        assert found["trainer"] == ("worker" if worker else "page")
        assert_cpython(explorer, found, settings, seed)


@pytest.mark.parametrize("how", NO_WORKER)
def test_without_a_worker_the_page_trains_itself(open_page, explorer, how):
    settings = {"T": 20, "N": 3, "Q": 2, "skew": 0.5, "lr": 0.1}
    page = open_page(address(**settings), script=NO_WORKER[how])
    found = settled(page, 8, **settings)
    assert found["trainer"] == "page"
    assert_cpython(explorer, found, settings, runs=3)


def test_the_default_is_there_at_once_and_goes_on_to_all_runs(open_page, explorer):
    page = open_page()
    first = state(page)
    assert first["count"] >= 3
    assert first["runs"][0]["finished"]
    found = settled(page, 8, **explorer.default)
    assert page.locator(f"{FLOW} .le-count").inner_text() == "8 of 8 runs"
    assert "1.y0.low" in found["arrays"]
    assert [len(run["readings"]["steps"]) for run in found["runs"]] == [49] * 8


def test_typing_a_value_moves_theory_at_once_and_runs_follow(open_page, explorer):
    page = open_page()
    box = page.locator(f"{FLOW} .le-control:has([data-setting=T]) input[type=number]")
    box.fill("77")
    box.press("Enter")
    found = settled(page, 1, T=77)
    assert found["theory"]["quiet.tau"] == explorer.compute({"T": 77}, runs=0).theory["quiet.tau"]
    knob = slider(page, "T", FLOW)
    knob.press("ArrowRight")
    assert settled(page, 1, T=78)["settings"]["T"] == 78
    assert knob.get_attribute("aria-valuetext") == "78 tokens"
    page.locator(f"{FLOW} [data-tool=reset]").click()
    assert settled(page, 3, **explorer.default)["settings"] == explorer.default


def test_a_move_leaves_the_old_curves_as_ghosts_until_the_first_run_has_come(open_page):
    page = open_page("#scb-flow:lr=0.05")
    settled(page, 8, lr=0.05)
    seen = page.evaluate(
        """(which) => {
          const root = document.querySelector(which);
          const knob = root.querySelector("input[data-setting=Q]");
          knob.value = 5;
          knob.dispatchEvent(new Event("input", { bubbles: true }));
          const { count, reading, drawn } = root.explorerState();
          return [count, reading, drawn.Q, root.querySelectorAll("path.le-ghost[d^=M]").length];
        }""",
        FLOW,
    )
    assert seen[:3] == [0, state(page)["reading"] if seen[0] else seen[1], 5]
    assert seen[1].startswith("No run has finished yet; theory says")
    assert seen[3] >= 3  # in the two panels in sight
    settled(page, 1, Q=5)
    page.wait_for_function(f"document.querySelectorAll('{FLOW} path.le-ghost[d^=M]').length === 0")


def test_a_refused_setting_is_said_beside_its_slider_and_the_last_good_picture_stays(open_page, explorer):
    page = open_page("#scb-flow:T=6,Q=3")
    before = settled(page, 8, T=6, Q=3)
    slider(page, "Q", FLOW).press("End")
    page.wait_for_selector(f"{FLOW} .le-refused:not([hidden])")
    said = page.locator(f"{FLOW} .le-control:has([data-setting=Q]) .le-refused").inner_text()
    assert said == "Sparsity Q: expected at least 1 position, at most T, got 8"
    found = state(page)
    assert (found["error"], found["drawn"]["Q"], found["settings"]["Q"]) == (said, 3, 8)
    assert found["arrays"] == before["arrays"]
    box = page.locator(f"{FLOW} .le-control:has([data-setting=T]) input[type=number]")
    box.fill("5000")
    box.press("Enter")
    page.wait_for_selector(f"{FLOW} .le-control:has([data-setting=T]) .le-refused:not([hidden])")
    assert state(page)["error"] == "Context T: expected a value from 4 to 512, got 5000"
    box.fill("12")
    box.press("Enter")
    assert settled(page, 1, T=12, Q=8)["error"] == ""
    assert page.locator(f"{FLOW} .le-refused:visible").count() == 0


def test_a_run_that_diverges_is_marked_and_said_and_the_theory_goes_on(open_page, explorer):
    settings = {"T": 512, "N": 4, "Q": 8, "skew": 1.5, "lr": 0.2}
    page = open_page(address(seed=1, **settings))
    found = settled(page, 8, **settings)
    assert "diverged, the first at step" in found["notice"]
    assert_cpython(explorer, found, settings, 1, runs=3)
    assert any(run["lost"] for run in found["runs"])
    assert page.locator(f"{FLOW} path.le-lost[d^=M]").count() > 0
    assert None not in found["theory"]["flow.alpha_V"]


@pytest.mark.parametrize(
    ("anchor", "said"),
    [
        ("#scb-flow:T", "Ignored in the link: T."),
        ("#scb-flow:T=abc,N=3", "Ignored in the link: T=abc."),
        ("#scb-flow:T=1e999", "Ignored in the link: T=1e999."),
        ("#scb-flow:T=2.5,Q=9,lr=,depth=3", "Ignored in the link: T=2.5, Q=9, lr=, depth=3."),
        ("#scb-flow:v=99,T=64", "The link was made by a newer version of this figure."),
        ("#scb-flow:v=x,seed=-1,t=no", "Ignored in the link: v=x, seed=-1, t=no."),
        ("#%", "Ignored in the link: %."),
        ("#%E0%A4%A", "Ignored in the link: %E0%A4%A."),
        ("#scb-flow:T=%E0%A4%A", "Ignored in the link: T=%E0%A4%A."),
        ("#nobody:T=4", "Ignored in the link: nobody:T=4."),
        ("#scb-flow:T=64;toy-side:lr", "Ignored in the link: lr."),
        ("#scb-flow:T=64;toy-side:lr=1e999,x=1", "Ignored in the link: lr=1e999, x=1."),
    ],
)
def test_a_malformed_address_leaves_every_figure_alive_and_is_said(open_page, anchor, said):
    page = open_page(anchor)
    page.locator(SIDE).scroll_into_view_if_needed()
    page.wait_for_selector(f"{SIDE}[aria-busy=false]")
    assert said in state(page, SIDE if "toy-side" in anchor else FLOW)["notice"]
    assert state(page, SIDE)["settings"]["lr"] == 0.1


def test_back_and_forward_restore_thumb_box_and_label(open_page):
    page = open_page("#some-heading")
    knob = slider(page, "N", FLOW)
    box = page.locator(f"{FLOW} .le-control:has([data-setting=N]) input[type=number]")

    def shown():
        return (knob.input_value(), box.input_value(), knob.get_attribute("aria-valuetext"))

    start = shown()
    knob.press("ArrowRight")
    page.wait_for_function("location.hash.includes('N=5')")
    moved = shown()
    page.locator(f"{FLOW} [data-tool=another-seed]").click()
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


def test_one_of_eight_runs_is_mirrored_where_the_chapter_says_so(open_page):
    page = open_page("#scb-flow:N=2,T=512,Q=4,skew=0.5")
    assert "One of 8 runs is mirrored." in settled(page, 8, T=512)["reading"]
    text = (ROOT / "book" / "scb.ipynb").read_text()
    phrase = "[Two tokens, four positions, a skew of 0.5 and $T=512$](#scb-flow:N=2,T=512,Q=4,skew=0.5)"
    assert f"{phrase}. One of the eight runs leaves the wrong way" in text


def test_the_copied_python_gives_the_numbers_drawn_digit_for_digit(open_page):
    page = open_page(address(seed=3, T=20, N=3, Q=2, skew=0.25, lr=0.123))
    found = settled(page, 8, T=20)
    page.locator(f"{FLOW} [data-tool=python]").click()
    code = page.locator(f"{FLOW} .le-code").text_content()
    assert code.startswith("from lib.models.scb import textbook\nfrom lib.portable import run\n")
    space = {}
    exec(code, space)
    assert [{k: plain(v) for k, v in run.items()} for run in space["runs"]] == [r["readings"] for r in found["runs"]]
    assert len(space["runs"]) == 8
    again = run(textbook, seed=3, T=20, N=3, Q=2, skew=0.25, lr=0.123, stage1=98)
    assert plain(again["alpha_V"]) == found["runs"][0]["readings"]["alpha_V"]


def test_a_page_in_the_background_does_not_compute(open_page):
    page = open_page()
    hide = "(hidden) => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });"
    hide += " document.dispatchEvent(new Event('visibilitychange')); }"
    page.evaluate(hide, True)
    slider(page, "Q", FLOW).press("ArrowRight")
    page.wait_for_function(f"document.querySelector('{FLOW}').explorerState().drawn.Q === 3")
    assert (state(page)["resting"], state(page)["count"]) == (True, 0)
    page.evaluate(hide, False)
    settled(page, 1, Q=3)


@pytest.mark.parametrize("width", [390, 1000, 1200])
def test_no_window_scrolls_sideways(open_page, width):
    page = open_page(viewport={"width": width, "height": 844})
    settled(page, 8)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    over = f"""[...document.querySelectorAll('{FLOW} .le-control *')].filter((e) => e.getBoundingClientRect().right
      > e.closest('.le-side').getBoundingClientRect().right + 1).map((e) => e.className)"""
    assert page.evaluate(over) == []
