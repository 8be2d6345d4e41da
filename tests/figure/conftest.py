"""Pages of toys: the one book that is built of them, and pages of one figure."""

import functools
import os

import pytest

from tests.browser import chromium_or_skip, served
from tests.figure.drawn import settled, write_page
from tests.figure.toy_book import shared_book

TOUR = "[data-explorer=toy-tour]"


@pytest.fixture(scope="session")
def book(tmp_path_factory):
    """Folder of the built toy book; built once a run, whichever process needs it first."""
    chromium_or_skip()
    base = tmp_path_factory.getbasetemp()
    return shared_book(base.parent if "PYTEST_XDIST_WORKER" in os.environ else base)


@pytest.fixture(scope="session")
def home(book):
    """Address of a web server for it, ending in a slash."""
    with served(book) as address:
        yield address


@functools.cache
def markup(figure):
    """Once a process: its still picture is drawn."""
    return figure.html()


@pytest.fixture
def alone(tab, tmp_path):
    """alone(*figures, runs, anchor, width, **context): a page of them on disk, silent, the first with so many runs."""

    def go(*figures, runs=0, anchor="", width=1440, script="", **context):
        page = tab("file://", **{"viewport": {"width": width, "height": 900}, **context})
        page.add_init_script(script)
        page.goto(write_page(tmp_path, "".join(map(markup, figures))) + anchor)
        page.wait_for_selector(".le-awake")
        if runs:
            which = f"[data-explorer={figures[0].name}]"
            page.wait_for_function(f"(document.querySelector('{which}').explorerState?.().count ?? 0) >= {runs}")
        return page

    return go


@pytest.fixture
def open_tour(tab, home, book):
    """open_tour(hash, runs, files, script, which, **context): the page of the tour, a figure with so many runs."""

    def go(anchor="", runs=8, files=False, script="", which=TOUR, **context):
        base = f"{book.as_uri()}/" if files else home
        page = tab(base, **context)
        page.add_init_script(script)
        page.goto(f"{base}book/tour.html{anchor}")
        page.locator(which).evaluate("(root) => root.scrollIntoView({ behavior: 'instant' })")
        settled(page, which, runs)
        return page

    return go
