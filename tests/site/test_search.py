"""The search page: chapters come first, and an excerpt shows a formula once."""

import gzip
import re

import pytest

from hal.chapters import written
from tests.browser import SITE, Watch

pytestmark = pytest.mark.browser


def test_only_the_search_page_loads_the_index(tab, serve):
    def loads(name):
        return re.findall(r'src="[^"]*(searchtools|language_data|searchindex)[.]js', (SITE / name).read_text("utf-8"))

    assert sorted(loads("search.html")) == ["language_data", "searchindex", "searchtools"]
    assert [name for name in ("index.html", "book/scb.html", "book/api.html") if loads(name)] == []
    page = tab(serve)
    page.goto(f"{serve}book/notation.html", wait_until="networkidle")
    page.keyboard.press("Control+k")
    page.keyboard.type("mirror")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=mirror*")
    page.locator("ul.search > li > a").first.wait_for()


@pytest.fixture
def search(tab, serve):
    """search(words): the page with the results and their excerpts, in the test's one tab."""
    page = tab(serve, silent=False)
    watch = Watch(page, serve)
    page.set_default_timeout(120_000)

    def go(words):
        page.goto(f"{serve}search.html?q={words}")
        page.get_by_text(re.compile("Search finished|did not match any")).wait_for()
        page.wait_for_load_state("networkidle")
        return page

    yield go
    assert watch.problems == []


def test_an_excerpt_is_a_sentence_with_the_words_and_shows_a_formula_once(search):
    """Whole where it is short, and never cut inside a word."""
    for words in ("skewed", "knife edge", "momentum"):
        page = search(words.replace(" ", "+"))
        excerpts = page.locator("ul.search p.context")
        excerpts.first.wait_for()
        found = excerpts.all_inner_texts()
        assert max(map(len, found)) <= 330
        assert any(words in text.lower() for text in found)
        whole = [text for text in found if re.match(r"[A-Z]", text) and re.search(r"[.?!]$", text)]
        assert len(whole) >= 0.5 * len(found), found
        assert not re.search(r"\\[a-z]+|annotation|(?<!\w)(\w=[^\s,.]{2,12})\s*\1", " ".join(found))
        assert "μ" in " ".join(found) or words != "skewed"
    assert len(gzip.compress((SITE / "_static" / "paragraphs.js").read_bytes())) < 150_000
    fetched = page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    assert [one for one in fetched if "/book/" in one] == [], "no page is fetched for its sentence"


def test_chapters_come_before_the_library_and_the_first_chapter_first(search):
    chapters = [f"book/{row.slug}.html" for row in written()]
    assert search("notation").locator("ul.search > li > a").first.get_attribute("href") == "book/notation.html"
    for words in ("train", "gradient", "attention", "sampling", "momentum", "noise", "loss", "mirror"):
        page = search(words)
        found = [link.get_attribute("href") for link in page.locator("ul.search > li > a").all()]
        pages = [address.partition("#")[0].partition("?")[0] for address in found]
        last = max(i for i, one in enumerate(pages) if one in chapters)
        assert [one for one in pages[: last + 1] if one.startswith("book/api")] == [], words
    assert pages[0] == chapters[0]
    assert page.locator("a.hal-way").count() == 0, "a word is no claim and no symbol"


def test_a_claim_and_a_symbol_have_their_way(search):
    for asked, to in (
        ("SCB-9", "book/ledger.html#SCB-9"),
        ("nn-3", "book/ledger.html#NN-3"),
        ("η", "book/notation.html"),
    ):
        page = search(asked)
        assert page.locator("a.hal-way").get_attribute("href") == to
        if "#" in to:
            page.locator("a.hal-way").click()
            page.wait_for_url(f"**/{to}")
            assert page.locator(f"#{to.partition('#')[2]}").count() == 1


def test_what_is_asked_for_is_shown_as_text(search):
    page = search("%3Cimg src=x onerror=%22globalThis.ran=1%22%3E-1")
    assert page.evaluate("globalThis.ran ?? null") is None
