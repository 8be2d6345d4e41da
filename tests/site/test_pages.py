"""Parts of pages: docstrings, pictures, the landing figure, what they take from the registry."""

import re
import xml.etree.ElementTree as ET
from html import escape

import numpy as np
import pytest

from hal.chapters import CHAPTERS, written
from hal.site import library
from hal.site.landing import cards
from hal.site.landing.figure import WEIGHTS, hero_html, learning_path
from hal.site.library import escape_plain
from hal.site.tidy import folds_by_their_words, lazy_pictures
from hal.tables import table_html


@pytest.mark.parametrize(
    ("line", "escaped"),
    [
        ("the norm |A - Q| and a * b", r"the norm \|A - Q\| and a \* b"),
        ("one tick `x|y` is code", "one tick ``x|y`` is code"),
        ("two ticks ``a*b`` stay", "two ticks ``a*b`` stay"),
        ("a role :py:func:`lib.train.train` stays", "a role :py:func:`lib.train.train` stays"),
        ("a name_ alone, a_name not", r"a name\_ alone, a_name not"),
        (">>> 2 * 3", ">>> 2 * 3"),
        (r"    \x", r"    \x"),
    ],
)
def test_docstrings_are_plain_text(line, escaped):
    assert escape_plain(line) == escaped


def test_table_escapes_its_head_and_can_be_reached():
    page = ET.fromstring(table_html(["a < b", "c"], [["<b>1</b>", "2"]], "numbers"))
    assert page.attrib["tabindex"] == "0"
    assert page.attrib["aria-label"] == "numbers"
    assert [th.text for th in page.iter("th")][:2] == ["a < b", "c"]
    assert page.find(".//td").text == "2"


def test_hero_draws_the_path_it_is_given():
    path = learning_path(T=48, steps=300)
    assert path.alpha_A[0] == 0
    page, narrow = hero_html(path, still=int(path.steps[-1])).split('<svg class="hal-hero-narrow"')
    target = np.zeros(48)
    target[[int(share * 48) for share in WEIGHTS]] = list(WEIGHTS.values())
    last = 1 / 48 + path.alpha_A[-1] * (target - 1 / 48)

    def drawn(text):
        widths = re.findall(r'<path class="le-arc" style="--c:#\w+" stroke-width="([\d.]+)"', text)
        return np.sort([(float(width) - 0.8) / 15 for width in widths])

    assert drawn(page) == pytest.approx(np.sort(last), abs=1e-3)
    assert drawn(narrow)[-2:] == pytest.approx(np.sort(last)[-2:], abs=1e-3)  # every second token, the true ones too


def test_pictures_load_when_near_and_keep_their_place(tmp_path):
    png = tmp_path / "f.png"
    png.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (640).to_bytes(4, "big") + (480).to_bytes(4, "big"))
    sources = {"a.png": png, "b.png": png, "gone.png": tmp_path / "gone.png"}
    body = (
        '<img alt="x" src="../_images/a.png" /><img alt="x" src="../_images/b.png" style="width: 5em" />'
        '<img src="../_images/gone.png"><img src="data:image/png;base64,AA">'
    )
    first, rest = lazy_pictures(body, sources).split("/>", 1)
    assert first == '<img loading="lazy" width="640" height="480" alt="x" src="../_images/a.png" '
    assert rest == body.split("/>", 1)[1]


def test_a_fold_is_called_what_its_bar_says():
    bar = '<p class="collapsed">Show the code</p><p class="expanded">Hide the code</p></summary>'
    assert folds_by_their_words(f'<summary aria-label="Toggle hidden content">{bar}') == f"<summary>{bar}"


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
