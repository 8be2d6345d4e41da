"""The explorer in a live kernel: a real JupyterLab in headless Chromium, sliders off the grid, errors in words."""

import inspect
import re

import numpy as np
import pytest

from lib.chapters.scb.explorers import flow
from lib.explorer import show
from lib.models.scb import textbook
from tests.browser import chromium_or_skip, explorer_state
from tests.explorer.toy_book import write_notebook
from tests.explorer.toy_explorer import toy
from tests.jupyterlab import TOKEN, jupyterlab

pytestmark = pytest.mark.browser
ROOT = "[data-explorer=toy-main]"
# Two widgets of one kernel; the second cell is run by hand, after the first.
CELLS = ["from tests.explorer.toy_explorer import make\ne = make()\ne", "e.controls"]
# A figure that the browser computes, moved from code and compared; their cells are run by their tests.
SHOWN = "from lib.chapters.scb.explorers import flow\nfrom lib.explorer import show\nf = show(flow)\nf"
CELLS += [SHOWN, "f.set(T=20, lr=0.15)", "f.compare()"]
# The first of them edited: a run of the reader's own, in two ways.
PORTABLE = """import inspect
from lib.models.scb import textbook
source = inspect.getsource(textbook).replace("settings.lr / task.K_P", "2.0 * settings.lr / task.K_P")
f = show(flow, run=source)
f.set(T=20, lr=0.15)
f"""
SLOW = """import time
from lib.models.scb.textbook import State, read, start, steps_of

def advance(state: State, steps: int) -> None:
    time.sleep(0.05 * steps)
    textbook.advance(state, steps)

f = show(flow, run=dict(start=start, advance=advance, read=read, steps_of=steps_of))
f.set(T=20, lr=0.15)
f"""
FLOW = "[data-explorer=scb-flow]"


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """Address of a JupyterLab of its own, with one notebook."""
    chromium_or_skip()
    folder = tmp_path_factory.mktemp("lab")
    write_notebook(folder / "toy.ipynb", *CELLS)
    with jupyterlab(folder) as address:
        yield address


@pytest.fixture(scope="module")
def page(chromium, lab):
    page = chromium.new_page(viewport={"width": 1400, "height": 1400})
    page.set_default_timeout(20_000)
    page.complaints = []
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.goto(f"{lab}lab/tree/toy.ipynb?token={TOKEN}")
    page.wait_for_selector(".jp-NotebookPanel .jp-CodeCell")
    # Keys pressed before the kernel answers are lost.
    page.wait_for_selector("#jp-main-statusbar >> text=/Idle$/")
    page.locator(".jp-CodeCell").first.click()
    page.keyboard.press("Shift+Enter")
    page.wait_for_selector(f"{ROOT}[aria-busy=false]")
    page.keyboard.press("Shift+Enter")
    page.wait_for_selector(".widget-slider, .jupyter-widgets.widget-hslider")
    yield page
    page.close()


def state(page, **wanted):
    """State of the figure once the settings `wanted` are drawn."""
    page.wait_for_function(
        """([selector, wanted]) => {
          const root = document.querySelector(selector);
          const { drawn, busy, error } = root.explorerState();
          return !busy && (error || Object.entries(wanted).every(([name, value]) => drawn[name] === value));
        }""",
        arg=[ROOT, wanted],
    )
    return explorer_state(page, ROOT)


def assert_curve(found):
    """The drawn median is that of the library at the drawn settings, to float32."""
    expected = np.median(toy(**found["drawn"])["loss"], axis=0).astype(np.float32)
    np.testing.assert_array_equal(np.array(found["arrays"]["0.y0"]["data"], np.float32), expected)


def test_sliders_and_typed_numbers_reach_any_value_and_draw_it(page):
    assert_curve(state(page, T=64, lr=0.05))
    knob = page.locator(f"{ROOT} input[data-setting=T]")
    knob.focus()
    knob.press("ArrowRight")  # JupyterLab must not take the key: the cell below would be selected
    assert state(page, T=65)["settings"]["T"] == 65
    assert_curve(state(page, T=65))
    assert knob.get_attribute("aria-valuetext") == "65 tokens"
    exact = page.locator(f"{ROOT} .le-control:has([data-setting=lr]) input[type=number]")
    exact.fill("0.0123456")
    exact.press("Enter")
    found = state(page, lr=0.0123456)
    assert_curve(found)
    assert found["reading"] == page.locator(f"{ROOT} .le-reading").evaluate("(e) => e.textContent").replace("αV", "α_V")


def test_a_value_out_of_range_or_refused_is_said_in_words_and_undone(page):
    exact = page.locator(f"{ROOT} .le-control:has([data-setting=T]) input[type=number]")
    exact.fill("1e6")
    exact.press("Enter")
    assert state(page)["error"] == "T: expected a value from 16 to 256, got 1e+06"
    assert page.locator(f"{ROOT} [role=alert]").inner_text().startswith("T: expected a value")
    exact.fill("100")
    exact.press("Enter")
    found = state(page, T=100)
    assert found["error"] == ""
    assert_curve(found)


def test_a_fast_drag_never_queues_and_ends_at_the_last_value(page):
    knob = page.locator(f"{ROOT} input[data-setting=T]")
    page.evaluate(
        """async (knob) => {
          const root = knob.closest("[data-explorer]");
          globalThis.tooEarly = [];
          new MutationObserver(() => {
            const { settings, drawn, busy } = root.explorerState();
            if (!busy && settings.T !== drawn.T) tooEarly.push([settings.T, drawn.T]);
          }).observe(root, { attributes: true, attributeFilter: ["aria-busy"] });
          for (let place = 0; place <= 400; place++) {
            knob.value = place;
            knob.dispatchEvent(new Event("input", { bubbles: true }));
            if (place && root.getAttribute("aria-busy") !== "true") tooEarly.push(place);
            if (place % 8 === 0) await new Promise(requestAnimationFrame);
          }
        }""",
        knob.element_handle(),
    )
    found = state(page, T=256)
    assert page.evaluate("tooEarly") == [], "the figure said it was ready with the numbers of other settings"
    assert_curve(found)


def test_ipywidgets_sliders_move_the_figure(page):
    before = state(page)["settings"]["Q"]
    handle = page.locator(".widget-hslider:has-text('Sparsity Q') .noUi-handle")
    handle.focus()
    handle.press("ArrowRight")
    assert state(page, Q=before + 1)["drawn"]["Q"] == before + 1
    assert page.complaints == []


def cell(page, number):
    return page.locator(".jp-CodeCell").nth(number)


def run(page, number, text=None):
    """Run a cell, with another text if one is given."""
    cell(page, number).locator(".jp-InputArea-editor").click()
    if text is not None:
        page.keyboard.press("ControlOrMeta+A")
        page.keyboard.insert_text(text)
    page.keyboard.press("Shift+Enter")


def settled(page, number=1, **wanted):
    """State of the figure that computes once so many runs are finished at these settings."""
    page.wait_for_function(
        """([selector, number, wanted]) => {
          const found = document.querySelector(selector)?.explorerState?.();
          return found && !found.busy && found.count >= number
            && Object.entries(wanted).every(([name, value]) => found.drawn[name] === value);
        }""",
        arg=[FLOW, number, wanted],
    )
    return explorer_state(page, FLOW)


def same(readings, expected):
    return all(readings[name] == list(expected[name]) for name in ("steps", "alpha_V", "alpha_A", "off_flow"))


def test_a_computing_figure_is_driven_by_ipywidgets_and_computed_by_the_browser(page):
    run(page, 2)
    assert settled(page, T=256)["trainer"] == "worker"
    assert page.locator(f"{FLOW} input[data-setting]").count() == 0  # ipywidgets has the sliders
    handle = page.locator(".widget-hslider:has-text('Vocabulary N') .noUi-handle")
    handle.focus()
    handle.press("ArrowRight")
    assert settled(page, N=5)["drawn"]["T"] == 256
    run(page, 3)
    found = settled(page, T=20, lr=0.15)
    assert same(found["runs"][0]["readings"], textbook.run(T=20, N=5, lr=0.15, stage1=80))
    assert page.complaints == []


def test_the_fast_library_is_drawn_over_it_and_said(page):
    run(page, 4)
    cell(page, 4).locator("text=8 runs of the fast library in").wait_for()
    word = page.locator(f"{FLOW} > .le-aside")
    word.filter(has_text="Fast library: 8 runs").wait_for()
    said = word.inner_text()
    assert re.search(r"The medians lie apart: αV at most 0\.\d+ \(there the runs spread over 0\.\d+\); αA", said)
    found = settled(page, 8, T=20, lr=0.15)
    curves = [one for key, one in found["arrays"].items() if re.fullmatch(r"1\.y\d", key)]
    assert len(curves) == 6
    for ours, fast in zip(curves[:2], curves[4:], strict=True):
        assert max(abs(np.subtract(ours["data"], fast["data"]))) < 0.5
    assert page.locator(f"{FLOW} .le-legend >> text=fast library").count() >= 3
    handle = page.locator(".widget-hslider:has-text('Vocabulary N') .noUi-handle")
    handle.focus()
    handle.press("ArrowLeft")  # it stands for the settings that it ran at
    settled(page, 3, N=4)
    word.filter(has_text="Fast library").wait_for(state="hidden")
    assert page.complaints == []


def test_a_reader_s_run_is_translated_anew(page):
    run(page, 2, PORTABLE)
    page.wait_for_function(
        f"!document.querySelector('{FLOW} > .le-aside')?.textContent && document.querySelectorAll('{FLOW}').length"
    )
    found = settled(page, T=20, lr=0.15)
    assert found["trainer"] == "worker"
    source = inspect.getsource(textbook).replace("settings.lr / task.K_P", "2.0 * settings.lr / task.K_P")
    own = show(flow, run=source).compute({"T": 20, "N": found["drawn"]["N"], "lr": 0.15}).runs[0]
    assert same(found["runs"][0]["readings"], own)
    assert not same(found["runs"][0]["readings"], textbook.run(T=20, N=found["drawn"]["N"], lr=0.15, stage1=80))


def test_a_run_that_is_not_portable_stays_in_the_kernel_and_can_be_interrupted(page):
    run(page, 2, SLOW)
    word = page.locator(f"{FLOW} > .le-aside")
    word.filter(has_text="This run stays in the kernel: In[").wait_for()
    assert re.search(r"In\[\d+\]:5: methods are not portable; .* It is busy\.", word.inner_text())
    page.wait_for_function(f"document.querySelector('{FLOW}').explorerState().runs[0]?.readings.steps.length > 3")
    found = explorer_state(page, FLOW)
    assert (found["trainer"], found["count"]) == ("kernel", 0)  # it grows slice by slice
    cell(page, 3).locator(".jp-InputPrompt").click()
    notice = page.locator(f"{FLOW} [role=alert]")
    for _ in range(5):  # between two slices there is nothing to interrupt
        page.keyboard.press("i")
        page.keyboard.press("i")
        page.wait_for_timeout(700)
        if notice.is_visible():
            break
    assert "The run stopped: it was interrupted; move a slider to start again" in notice.inner_text()
    handle = page.locator(".widget-hslider:has-text('Context T') .noUi-handle").first
    handle.focus()
    handle.press("ArrowRight")
    assert len(settled(page, 1)["runs"][0]["readings"]["steps"]) == 49
    assert page.complaints == []


def test_a_restarted_kernel_shows_the_figure_again(page):
    cell(page, 3).locator(".jp-InputPrompt").click()
    page.keyboard.press("0")
    page.keyboard.press("0")
    page.locator(".jp-Dialog button:has-text('Restart')").click()
    page.wait_for_selector("#jp-main-statusbar >> text=/Idle$/")
    run(page, 2, SHOWN)
    assert settled(page, 1, T=256)["trainer"] == "worker"
    run(page, 3)
    assert same(settled(page, T=20, lr=0.15)["runs"][0]["readings"], textbook.run(T=20, lr=0.15, stage1=80))
    assert page.complaints == []
