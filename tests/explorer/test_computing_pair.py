"""Two figures that compute on one page: one script for both, a fair share of the machine, nothing out of sight."""

import gzip
import re

import pytest

from hal.chapters.scb.figures import flow
from hal.explorer import Computed, Line, Say, over_steps
from tests.browser import chromium_or_skip, served
from tests.explorer.changed import changed
from tests.explorer.test_computed_browser import NO_WORKER
from tests.explorer.toy_book import make_book

pytestmark = pytest.mark.browser
NAMES = ("scb-flow", "toy-pair")


FIRST = Computed(changed(flow, FIRST=1))
SECOND = Computed(
    changed(
        flow,
        NAME="toy-pair",
        TITLE="The same runs, told shortly",
        FIRST=1,
        FOLDED=0,
        TOUR=(),
        READING=[[Say("{runs} runs.")]],
        panels=lambda: [
            over_steps("One signal", "signal (no unit)", Line("alpha_V", "α_V", idea="output"), height=120)
        ],
    )
)
LONG = "T=512,lr=0.002,seed=8"  # runs of a second and more


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """A built book with one page: two figures that compute, and a long text below them."""
    chromium_or_skip()
    start = "from tests.explorer.test_computing_pair import FIRST, SECOND\n"
    text = "from IPython.display import HTML\nHTML('<div style=\"height: 9000px\">Much text.</div>')"
    return make_book(tmp_path_factory.mktemp("pair"), "pair", f"{start}FIRST", f"{start}SECOND", text)


@pytest.fixture(scope="module")
def home(book):
    with served(book) as address:
        yield address


@pytest.fixture
def open_page(tab, home, book):
    """open_page(files=False, script=""): the page, both figures awake at a seed that was not computed before."""

    def go(files=False, script=""):
        base = f"{book.as_uri()}/" if files else home
        page = tab(base, viewport={"width": 1440, "height": 2400})
        page.set_default_timeout(90_000)
        page.asked = []
        page.on("request", lambda request: page.asked.append(request.url))
        page.add_init_script(script)
        page.goto(f"{base}book/pair.html#scb-flow:{LONG};toy-pair:{LONG}")
        for name in NAMES:
            page.wait_for_selector(f"[data-explorer={name}][aria-busy=false]")
        return page

    return go


def states(page):
    return page.evaluate(
        """(names) => names.map((name) => {
          const { trainer, resting, count, runs } = document.querySelector(`[data-explorer=${name}]`).explorerState();
          const steps = runs.at(-1)?.finished === false ? runs.at(-1).readings.steps.length / 49 : 0;
          return { trainer, resting, count, done: count + steps };
        })""",
        NAMES,
    )


def all_of(page, condition):
    """Wait until the states of both figures fulfil a condition."""
    page.wait_for_function(
        f"(names) => names.every((n) => document.querySelector(`[data-explorer=${{n}}]`).explorerState().{condition})",
        arg=NAMES,
    )


def test_the_programs_of_a_page_are_one_script_without_repetition(book):
    (file,) = (book / "_static" / "explorers").glob("programs-*.js")
    keys = re.findall(r'libPortable\?\?=\{\}\)\["([^"]+)"\]', file.read_text())
    assert len(keys) == len(set(keys)) == len({*FIRST.program.items(), *SECOND.program.items()})
    alone = gzip.compress("".join(FIRST.program.values()).encode(), 9)
    assert len(gzip.compress(file.read_bytes(), 9)) < 1.15 * len(alone) + 500
    text = (book / "book" / "pair.html").read_text()
    assert text.count(f'data-programs="{file.stem}"') == 2
    assert "le-module" not in text


@pytest.mark.parametrize(("files", "script"), [(False, ""), (True, ""), (True, NO_WORKER["none"])])
def test_two_figures_share_the_machine_and_the_script(open_page, files, script):
    page = open_page(files, script)
    assert sum("/explorers/programs-" in url for url in page.asked) == 1
    page.wait_for_function(
        """(names) => {
          const all = names.map((name) => document.querySelector(`[data-explorer=${name}]`).explorerState());
          const part = (run) => (run?.finished === false ? run.readings.steps.length / 49 : 0);
          return all.reduce((sum, { count, runs }) => sum + count + part(runs.at(-1)), 0) >= 4;
        }""",
        arg=NAMES,
    )
    found = states(page)
    assert [one["trainer"] for one in found] == ["page" if script else "worker"] * 2
    # Neither waits for the other to end: of four runs each has done a part. The runs are long, so that it does not
    # matter which of the two begins first on a busy machine.
    assert min(one["done"] for one in found) >= 0.3, found


def test_a_figure_out_of_sight_rests(open_page):
    page = open_page()
    page.evaluate("scrollTo({ top: 8000, behavior: 'instant' })")
    all_of(page, "resting")
    page.wait_for_timeout(200)  # the slice that was under way
    before = states(page)
    page.wait_for_timeout(700)
    assert states(page) == before
    assert min(one["count"] for one in before) < 8, "they had finished before they were scrolled away"
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    page.wait_for_function(
        """([names, counts]) => names.every((name, i) =>
          document.querySelector(`[data-explorer=${name}]`).explorerState().count > counts[i])""",
        arg=[NAMES, [one["count"] for one in before]],
    )
