"""The search page: chapters come first, and an excerpt shows a formula once."""

import re

import pytest

from hal.chapters import written
from hal.site.search import scorer

pytestmark = pytest.mark.browser


def test_the_script_knows_the_chapters_in_order():
    assert str([f"book/{row.slug}" for row in written()]).replace("'", '"') in scorer()
    assert "CHAPTERS" not in scorer()


@pytest.fixture
def search(chromium, serve):
    """Search for words: search(words) -> the page with the results and their excerpts."""
    pages = []

    def go(words):
        pages.append(chromium.new_page())
        pages[-1].goto(f"{serve}search.html?q={words}")
        pages[-1].get_by_text(re.compile("Search finished")).wait_for()
        pages[-1].wait_for_load_state("networkidle")
        return pages[-1]

    yield go
    for page in pages:
        page.close()


def test_mirror_is_found_in_the_first_chapter_first(search):
    page = search("mirror")
    assert "book/scb.html" in page.locator("ul.search > li > a").first.get_attribute("href")


def test_an_excerpt_shows_a_formula_once(search):
    page = search("stationary")
    excerpts = page.locator("ul.search p.context")
    excerpts.first.wait_for()
    shown = " ".join(excerpts.all_inner_texts())
    assert "μ" in shown
    assert not re.search(r"\\[a-z]+|annotation|(?<!\w)(\w=[^\s,.]{2,12})\s*\1", shown)
    # what Sphinx would show without our script
    twice = page.evaluate(
        """async () => {
          const html = await (await fetch("book/scb.html")).text();
          const parsed = new DOMParser().parseFromString(html, "text/html");
          const text = () => parsed.querySelector("[role=main]").textContent;
          return [text().split("\\\\mu").length, Search.htmlToText(html, "").split("\\\\mu").length];
        }"""
    )
    assert twice[0] > 50
    assert twice[1] == 1
