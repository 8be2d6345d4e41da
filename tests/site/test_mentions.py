"""Ids of claims in the text are links to the ledger's rows, and rows know where they are mentioned."""

import re

import nbformat
import pytest

from hal import claims
from hal.site.mentions import pattern
from tests.browser import ROOT
from tests.chapters import chapters
from tests.site.sphinx_page import build

CONF = """
extensions = ["myst_nb", "hal.site.mentions"]
myst_enable_extensions = ["dollarmath"]
html_theme, nb_execution_mode, suppress_warnings = "basic", "off", ["config.cache"]
"""


def test_what_cannot_be_a_link_is_warned_of(tmp_path):
    index = "# Index\n\n```{toctree}\nbook/scb\nbook/ledger\n```\n"
    text = "# Page\n\nSee SCB-999.\n\n## As SCB-3 says\n"
    files = {"conf.py": CONF, "index.md": index, "book/scb.md": text, "book/ledger.md": "# Ledger\n"}
    status, said, page = build(tmp_path, files, "book/scb.html")
    assert status == 1
    assert "book/scb.md:3: WARNING: expected the id of a claim, got SCB-999" in said
    assert "WARNING: expected no claim in a heading, got As SCB-3 says" in said
    assert "claim-mention" not in page


@pytest.mark.browser
@pytest.mark.parametrize("path", chapters(), ids=lambda path: path.stem)
def test_every_mention_in_a_chapter_is_a_link_to_a_row(site, path):
    known = {claim.id for claim in claims.all()}
    cells = [cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "markdown"]
    bare = [re.sub(r"`[^`\n]*`", lambda code: "" if "." in code[0] else code[0], text) for text in cells]
    written = [id for text in bare for id in pattern().findall(text)]
    assert set(written) <= known
    page = (site / path.relative_to(ROOT).with_suffix(".html")).read_text()
    page = re.sub(r'<div class="admonition hal-take">.*?</div>', "", page, flags=re.S)  # the row of the chapter
    link = r'<a class="claim-mention[^"]*" href="ledger.html#([^"]+)"'
    bare = re.findall(link + r">\1</a>", page)
    card = r'(?s)title="Checked: ([^"]+)">(.)</button>(<span popover .*?: the numbers</a></span></span>)'
    told = r'href="ledger.html#([^"]+)">\1: the numbers</a>'
    marks = [(id, verdict, sign) for verdict, sign, text in re.findall(card, page) for id in re.findall(told, text)]
    assert sorted([*bare, *(id for id, _, _ in marks)]) == sorted(written)
    assert marks == [(id, claims.get(id).verdict, "✓" if "holds" in verdict else "✗") for id, verdict, _ in marks]
    ledger = (site / "book" / "ledger.html").read_text()
    rows = {row[0]: row for row in re.findall(r'<tr id="([^"]+)"(.*?)</tr>', ledger, re.S)}
    back = {id for id, row in rows.items() if f'href="{path.stem}.html#' in row[1]}
    assert back >= set(written)
