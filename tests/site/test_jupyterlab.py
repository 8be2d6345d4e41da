"""A real JupyterLab, in headless Chromium: chapters read like the book, and a figure has its sliders, the fast library,
a reader's own run, and can be interrupted. All tests of a figure share a kernel; each runs the cells that it needs.
"""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import numpy as np
import pytest

from hal.chapters.scb.figures import count
from hal.figure import Small
from hal.figure.page import STATIC
from lib.models.scb import textbook
from lib.portable import run as run_of
from tests.browser import chromium_or_skip, explorer_state
from tests.chapters import chapters
from tests.figure.drawn import settled
from tests.figure.toy_book import write_notebook

pytestmark = pytest.mark.browser
TOKEN = "explorer-test"
# What a reader would see of something that JupyterLab does not know, and its class where it has one.
UNKNOWN = r"Undefined control sequence|[Nn]ot [Ff]ound|(?m:^ *:{3,})|\{(?:[a-z]+:)?[a-z-]+\}`|\{[a-z:-]+\}\s*$"
# A figure, moved from code and compared; their cells are run by their tests.
HERE = f"import sys\nsys.path.append({str(Path(__file__).parents[2])!r})\n"  # where the kernel finds the toy
SHOWN = HERE + "from tests.figure import toy_flow as flow\nfrom hal.figure import show\nf = show(flow)\nf"
CELLS = [SHOWN, "f.set(T=20, lr=0.15)", "f.compare()"]
# The first of them edited: a run of the reader's own, in two ways.
SLOW = """import time
import lib.models.scb.textbook as textbook
from lib.models.scb.textbook import State, done, start, steps_of
def step(state: State) -> None:
    time.sleep(0.05)
    textbook.step(state)

f = show(flow, run=dict(start=start, step=step, done=done, steps_of=steps_of))
f.set(T=20, lr=0.15)
f"""
FLOW = "[data-explorer=scb-flow]"
MINE = "[data-explorer=scb-flow-mine]"  # the same with a reader's run


@contextlib.contextmanager
def jupyterlab(folder):
    """Address of a JupyterLab that shows a folder, ending in a slash; kernels in it see a live explorer."""
    own = {f"JUPYTER_{name}": str(folder / ".jupyter" / name) for name in ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")}
    own |= {f"JUPYTERLAB_{name}_DIR": str(folder / ".jupyter" / name) for name in ("SETTINGS", "WORKSPACES")}
    env = {name: value for name, value in {**os.environ, **own}.items() if name != STATIC}
    options = ["--no-browser", "--port=0", "--allow-root", "--ip=127.0.0.1", f"--IdentityProvider.token={TOKEN}"]
    options += ["--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    log = folder / "lab.log"
    with log.open("w") as out:
        command = [sys.executable, "-m", "jupyterlab", *options, str(folder)]
        server = subprocess.Popen(command, env=env, stdout=out, stderr=subprocess.STDOUT, cwd=folder)
    try:
        yield address_of(log, server)
    finally:
        server.terminate()
        try:
            server.wait(timeout=60)
        except subprocess.TimeoutExpired:  # a busy machine: its kernels have gone, nothing of it is needed
            server.kill()
            server.wait()


def address_of(log, server):
    for _ in range(120):
        found = re.search(r"http://127\.0\.0\.1:(\d+)/lab", log.read_text())
        if found:
            home = f"http://127.0.0.1:{found[1]}/"
            try:
                urllib.request.urlopen(f"{home}api?token={TOKEN}", timeout=2)
                return home
            except OSError:
                pass
        assert server.poll() is None, log.read_text()
        time.sleep(0.25)
    raise AssertionError(log.read_text())


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A JupyterLab of its own, with a notebook and the chapters; it renders all cells at once."""
    chromium_or_skip()
    folder = tmp_path_factory.mktemp("lab")
    write_notebook(folder / "toy.ipynb", *CELLS, text="A phrase: [four positions](#scb-flow:Q=4,T=128,seed=2).")
    for path in chapters():
        shutil.copy(path, folder)
    settings = folder / ".jupyter" / "SETTINGS" / "@jupyterlab" / "notebook-extension"
    settings.mkdir(parents=True)
    (settings / "tracker.jupyterlab-settings").write_text(json.dumps({"windowingMode": "none"}))
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
    run(page, 0)
    settled(page, FLOW)
    yield page
    page.close()


@pytest.fixture
def moved(page):
    """The page with its figure shown anew and moved by code."""
    run(page, 0, "None")
    page.wait_for_function(f"!document.querySelector('{FLOW}')")
    for number, text in enumerate(CELLS[:2]):
        run(page, number, text)
    settled(page, FLOW, T=20, lr=0.15)
    return page


def cell(page, number):
    return page.locator(".jp-CodeCell").nth(number)


def run(page, number, text=None):
    """Run a cell, with another text if one is given."""
    cell(page, number).locator(".jp-InputArea-editor").click()
    if text is not None:
        page.keyboard.press("ControlOrMeta+A")
        page.keyboard.insert_text(text)
    page.keyboard.press("Shift+Enter")


def same(readings, expected):
    return all(readings[name] == list(expected[name]) for name in ("steps", "alpha_V", "alpha_A", "off_flow"))


def test_a_computing_figure_is_driven_by_ipywidgets_and_computed_by_the_browser(moved):
    page = moved
    found = settled(page, FLOW, T=20, lr=0.15, N=4)
    assert found["trainer"] == "worker"
    assert page.locator(f"{FLOW} input[data-setting]").count() == 0  # ipywidgets has the sliders
    handle = page.locator(".widget-hslider:has-text('Vocabulary N') .noUi-handle")
    handle.focus()
    handle.press("ArrowRight")
    found = settled(page, FLOW, T=20, N=5)
    assert same(found["runs"][0]["readings"], run_of(textbook, T=20, mu=[1 / 5] * 5, lr=0.15, stage1=80))
    assert page.complaints == []


@pytest.mark.deep
def test_a_phrase_sets_the_figure_its_sliders_and_the_kernel(moved):
    page = moved
    page.locator(".jp-MarkdownCell a:has-text('four positions')").click()
    found = settled(page, FLOW, 1, Q=4, T=128)
    assert (found["seed"], found["settings"]["lr"]) == (2, 0.1), "what it leaves out stands at its default"
    page.locator(".widget-hslider:has-text('Sparsity Q') .widget-readout:text-is('4')").first.wait_for()
    page.locator(f"{FLOW} [data-run=next]").click()
    assert explorer_state(page, FLOW)["run"] > 0, "a run is chosen here too"
    page.locator(f"{FLOW} [data-run=none]").click()
    run(page, 1)
    settled(page, FLOW, T=20, lr=0.15)
    assert page.complaints == []


@pytest.mark.deep
def test_the_fast_library_is_drawn_over_it_and_said(moved):
    page = moved
    run(page, 2)
    # a kernel that shares its core with other tests takes as long as it takes
    cell(page, 2).locator("text=8 runs of the fast library in").wait_for(timeout=240_000)
    word = page.locator(f"{FLOW} > .le-aside")
    word.filter(has_text="Fast library: 8 runs").wait_for(timeout=60_000)
    said = word.inner_text()
    assert re.search(r"The medians lie apart: αV at most 0\.\d+ \(there the runs spread over 0\.\d+\); αA", said)
    found = settled(page, FLOW, 8, T=20, lr=0.15)
    curves = [one for key, one in found["arrays"].items() if re.fullmatch(r"1\.y\d", key)]
    assert len(curves) == 6
    for ours, fast in zip(curves[:2], curves[4:], strict=True):
        assert max(abs(np.subtract(ours["data"], fast["data"]))) < 0.5
    assert page.locator(f"{FLOW} .le-legend >> text=fast library").count() >= 3
    handle = page.locator(".widget-hslider:has-text('Vocabulary N') .noUi-handle")
    handle.focus()
    handle.press("ArrowLeft")  # it stands for the settings that it ran at
    settled(page, FLOW, 3, N=found["drawn"]["N"] - 1)
    word.filter(has_text="Fast library").wait_for(state="hidden")
    assert page.complaints == []


@pytest.mark.deep
def test_a_run_that_is_not_portable_stays_in_the_kernel_and_can_be_interrupted(page):
    run(page, 0, SLOW)
    word = page.locator(f"{MINE} > .le-aside")
    word.filter(has_text="This run stays in the kernel: In[").wait_for()
    assert re.search(r"In\[\d+\]:5: time is not available here; .* It is busy\.", word.inner_text())
    page.wait_for_function(f"document.querySelector('{MINE}').explorerState().runs[0]?.readings.steps.length > 3")
    found = explorer_state(page, MINE)
    assert (found["trainer"], found["count"]) == ("kernel", 0)  # it grows slice by slice
    cell(page, 1).locator(".jp-InputPrompt").click()
    notice = page.locator(f"{MINE} [role=alert]")
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
    assert len(settled(page, MINE, 1)["runs"][0]["readings"]["steps"]) == 49
    assert page.complaints == []


@pytest.mark.deep
def test_a_small_figure_has_its_controls_in_it_and_the_kernel_knows_its_settings(page):
    small, root = Small(count), "[data-explorer=scb-count]"
    run(page, 0, "from hal.chapters.scb.figures import count\nfrom hal import show\nsmall = show(count)\nsmall")
    track = page.locator(f"{root} input[data-setting=samples]")
    track.wait_for()
    track.focus()
    track.press("ArrowRight")
    page.wait_for_function(f"document.querySelector('{root}').explorerState().drawn?.samples > 1000")
    found = explorer_state(page, root)
    assert found["reading"] == small.draw(small.compute(found["settings"])).reading
    page.locator(f"{root} button:has-text('Other samples')").click()
    page.wait_for_function(f"document.querySelector('{root}').explorerState().seed === 1")
    run(page, 1, "small.set(samples=50)\nsmall.settings['T'], small.widget.seed")
    page.wait_for_function(f"document.querySelector('{root}').explorerState().drawn?.samples === 50")
    found = explorer_state(page, root)
    assert found["reading"] == small.draw(small.compute({"samples": 50}, seed=1)).reading
    cell(page, 1).locator("text=(64, 1)").wait_for()
    assert page.locator(f"{root} .le-ui").bounding_box()["height"] <= small.tallest
    assert page.complaints == []


@pytest.mark.deep
def test_a_chapter_reads_like_the_book(chromium, lab):
    page = chromium.new_page(viewport={"width": 1400, "height": 1200})
    page.set_default_timeout(60_000)
    for path in chapters():
        page.goto(f"{lab}lab/tree/{path.name}?token={TOKEN}&reset")
        cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "markdown"]
        texts = [re.sub("<[^>]*>", "", "".join(cell["source"])).strip() for cell in cells]  # one may only end a fold
        page.wait_for_function(
            """texts => { const all = [...document.querySelectorAll('.jp-MarkdownCell .myst')];
            return all.length === texts.length && all.every((e, i) => e.innerText || !texts[i]); }""",
            arg=texts, timeout=120_000,
        )  # fmt: skip
        cells = page.locator(".jp-MarkdownCell")
        shown = cells.evaluate_all("all => all.map((e) => e.innerText)")
        assert [text for text in shown if re.search(UNKNOWN, text)] == []
        titles = page.locator(".jp-MarkdownCell [title]").evaluate_all("all => all.map((e) => e.title)")
        # JupyterLab reads no bibliography: there a citation is its key
        assert [title for title in titles if re.search(UNKNOWN, title) and title != "Citation Not Found"] == []
        assert cells.locator(".katex-error").count() == 0
        # formulas, headings and folded proofs are made of the source, not shown as it
        assert cells.locator(".katex").count() > 10
    page.close()
