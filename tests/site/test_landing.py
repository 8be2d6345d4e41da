"""The landing page: what it says of chapters and book is counted, its pictures are runs, its sentences have claims."""

import json
import re

import numpy as np
import pytest

from hal import chapters
from hal.palette import IDEAS
from hal.site.landing import by_whom_html, cards, thumbnails
from lib.errors import InputError
from tests.browser import ROOT

WRITTEN = chapters.written()
CARDED = [row for row in WRITTEN if cards.file_of(row.slug).exists()]  # a new chapter has none yet
every = pytest.mark.parametrize("row", CARDED, ids=[row.slug for row in CARDED])


@every
def test_reading_time_counts_words_in_view_and_figures(row):
    notebook = ROOT / "book" / f"{row.slug}.ipynb"
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(one["source"]) + "\n" for one in cells if one["cell_type"] == "markdown")
    words, folded = 0, []
    for line in text.splitlines():  # a stack of blocks, whether each is folded
        if line.startswith(":::") and line.strip(":"):
            folded.append("{dropdown}" in line or any(folded))
        words += 0 if any(folded) else len(line.split())
        if line.startswith(":::") and not line.strip(":"):
            folded.pop()
    figures = sum(f"\n{''.join(one['source'])}".count("\nshow(") for one in cells if one["cell_type"] == "code")
    assert cards.minutes(notebook) == -int(-(words / 200 + 2 * figures) // 1)


def test_papers_are_those_of_the_bibliographies():
    by = {row.slug: cards.by_whom(row, ROOT / "book" / "references") for row in WRITTEN}
    bigrams = "Learning and Transferring Sparse Contextual Bigrams with Linear Transformers"
    assert by["scb"] == f"Ren, Wang and Lee, *{bigrams}* (2024)"
    assert by["scan_snap"].startswith("Tian, Wang and 2 others, *Scan and Snap: ")
    assert by["random_walk"] == "Shi and Cao, *Towards Understanding Transformers in Learning Random Walks* (2025)"
    assert "of the MLP Component" in by["linear_block"]
    with pytest.raises(InputError, match="reference: expected a key"):
        cards.by_whom(WRITTEN[0]._replace(reference="nobody"), ROOT / "book" / "references")


def test_by_whom_the_book_is_comes_from_one_file():
    found = cards.cited(ROOT / "CITATION.cff")
    line = by_whom_html(found)
    about = f"version {found['version']} · {found['date-released']} · code MIT"
    assert f"The authors of How Attention Learns · {about}" in line
    assert "@software{how_attention_learns," in line
    named = {"authors": [{"given-names": "A", "family-names": "B"}], "names": ["A B"], "title": "T", "version": "2"}
    named |= {"license": "MIT", "repository-code": "u", "date-released": "2027-01-02"}
    assert "A B · version 2 · 2027-01-02 · code MIT" in by_whom_html(named)
    assert cards.bibtex(named).splitlines()[1:4] == ["  author = {A B},", "  title = {{T}},", "  year = {2027},"]


def test_a_chapter_without_a_card_has_the_words_of_the_registry(monkeypatch, tmp_path):
    row = WRITTEN[0]
    monkeypatch.setattr(cards, "file_of", lambda slug: tmp_path / f"{slug}.json")
    assert cards.card(row) == cards.Card("", row.card, ())
    (tmp_path / "scb.json").write_text('{"question": "?"}')
    with pytest.raises(InputError, match="expected keys question, answer, after"):
        cards.card(row)
    (tmp_path / "scb.json").write_text('{"question": "?", "answer": ".", "after": ["one_nn"]}')
    with pytest.raises(InputError, match="expected earlier chapters"):
        cards.card(row)


def test_buttons_that_the_page_names_are_called_so():
    text = (ROOT / "index.md").read_text(encoding="utf-8")
    buttons = re.findall(r"\*(C[^*\n]+)\*", text)
    assert buttons == ["Change the model", "Copy embed code", "Copy Python"]
    tools = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src/hal/figure/js").glob("*.js"))
    for button in buttons:
        assert f'"{button}"' in tools


@pytest.mark.parametrize("slug", thumbnails.PICTURES)  # a chapter may have none yet
def test_every_picture_is_said_and_small(slug):
    svg = thumbnails.thumbnail(slug)
    assert 'role="img" aria-label="' in svg
    assert len(svg) < 30_000
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"', svg)]
    assert all(size * 320 / thumbnails.WIDTH >= 12 for size in sizes)  # of a card on a phone
    assert thumbnails.thumbnail("nobody") == ""


def test_the_pictures_show_what_they_say():
    """Chapter 1: each row's two darkest cells are its true positions. Chapter 2: common words are smaller."""
    from lib.models.scb import textbook

    svg = thumbnails.rows_of_attention()
    ends = [float(one) for one in re.findall(r'fill-opacity="([^"]+)"', svg)]
    task = textbook.start(textbook.Settings(T=32), 3).task
    for k, row in enumerate(np.reshape(ends, (4, 32))):
        assert set(np.argsort(row)[-2:]) == set(task.s[k])
    svg = thumbnails.sentence_of_ink()
    sizes = re.findall(r'font-size="([^"]+)" fill="([^"]+)"', svg)
    common, distinct = ([float(size) for size, hue in sizes if hue == IDEAS[idea]] for idea in ("common", "distinct"))
    assert max(common) < np.mean(distinct)
