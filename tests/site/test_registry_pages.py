"""What the pages take from the registry: cards, sections of the ledger and of the notation, pages of the library."""

import re
from html import escape

import pytest

from hal.chapters import CHAPTERS, written
from hal.site import library
from hal.site.landing import cards

SECTIONS = ["book/ledger.html", "book/notation.html"]


def headings(text):
    return [re.sub(r"<[^>]+>", "", found).removesuffix("#") for found in re.findall(r"<h[1-6]>(.*?)</h[1-6]>", text)]


@pytest.mark.browser
def test_the_landing_page_has_a_card_for_every_chapter(site):
    text = (site / "index.html").read_text()
    for row in CHAPTERS:
        assert f"{row.number} · {row.title}" in text
        assert escape(cards.card(row).answer, quote=False) in re.sub(r"\s+", " ", text)
        assert (f'href="book/{row.slug}.html"' in text) is row.written
    assert text.count("In preparation") == len(CHAPTERS) - len(written())
    assert f"Start with chapter {written()[0].number}" in text


@pytest.mark.browser
@pytest.mark.parametrize("page", SECTIONS)
def test_every_written_chapter_has_its_section_in_the_order_of_the_book(site, page):
    found = [heading for heading in headings((site / page).read_text()) if heading.startswith("Chapter ")]
    assert found == [row.heading for row in written()]


@pytest.mark.browser
def test_the_library_s_pages_are_in_the_contents_core_first(site):
    links = re.findall(r'href="api/([^"#]+)\.html"', (site / "book" / "api.html").read_text())
    assert list(dict.fromkeys(links)) == sorted(library.pages())
    assert "<details open" not in (site / "book" / "api" / "0-sweeps.html").read_text().partition("<article")[0]
    own = {re.sub(r"^\d-", "", name) for name in library.pages() if name[0] != "0"}
    assert own >= {f"{row.slug}-runs" for row in written()}
    assert own >= {f"{row.slug}-{part}" for row in written() if row.arxiv for part in ("model", "theory")}
    assert own <= {f"{row.slug}-{part}" for row in written() for part in library.CHAPTER}


@pytest.mark.browser
def test_the_bibliography_has_every_paper(site):
    text = (site / "book" / "bibliography.html").read_text()
    assert [row.arxiv for row in CHAPTERS if row.arxiv] == re.findall(r"https://arxiv.org/abs/([\d.]+)", text)
    references = text.split('<span class="label">')[1:]
    labels = [re.sub(r"<[^>]*>", "", one.split("]")[0]).strip("[]") for one in references]
    assert [one[0] for one in labels] == sorted(one[0] for one in labels)  # by their authors
    assert len(labels) >= len(CHAPTERS)
