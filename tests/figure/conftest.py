"""The one book of toys for all tests of figures on built pages."""

import os

import pytest

from tests.browser import chromium_or_skip, served
from tests.figure.drawn import settled
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


@pytest.fixture
def open_tour(tab, home, book):
    """open_tour(hash, runs, files, script, **context): its page of the tour, the figure with so many runs, silent."""

    def go(anchor="", runs=8, files=False, script="", **context):
        base = f"{book.as_uri()}/" if files else home
        page = tab(base, **context)
        page.add_init_script(script)
        page.goto(f"{base}book/tour.html{anchor}")
        page.locator(TOUR).evaluate("(root) => root.scrollIntoView({ behavior: 'instant' })")
        settled(page, TOUR, runs)
        return page

    return go
