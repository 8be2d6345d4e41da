"""What catalogues read: CITATION.cff and the references tell the same, and a page's head says it without leaks."""

import re
from html.parser import HTMLParser

import pytest

from hal.chapters import written
from hal.site.citation import head
from hal.site.landing.cards import cited
from tests.packages import ROOT

BOOK = cited(ROOT / "CITATION.cff")
PAPERS = [row for row in written() if row.arxiv]  # a chapter may be on none
HOME = "https://example.org/book/"


def entry(slug):
    """The paper of a chapter, in its references: field -> text without braces."""
    text = (ROOT / "book" / "references" / f"{slug}.bib").read_text(encoding="utf-8")
    fields = re.findall(r"^  (\w+) *= \{(.*)\},$", text.split("\n}\n")[0], re.M)
    return {name: re.sub("[{}]", "", value) for name, value in fields}


@pytest.mark.parametrize("row", PAPERS, ids=lambda row: row.slug)
def test_the_papers_are_those_of_the_references(row):
    paper = next(one for one in BOOK["references"] if one["url"].endswith(row.arxiv))
    ours = entry(row.slug)
    names = " and ".join(f"{one['family-names']}, {one['given-names']}" for one in paper["authors"])
    assert (paper["title"], str(paper["year"]), names) == (ours["title"], ours["year"], ours["author"])
    assert ours["note"] == f"arXiv:{row.arxiv}"
    assert paper["url"] == f"https://arxiv.org/abs/{row.arxiv}"


def test_there_is_no_other_paper():
    assert len(BOOK["references"]) == len(PAPERS)


class Head(HTMLParser):
    """Names of `meta` elements."""

    def __init__(self, text):
        super().__init__()
        self.names, self.tags = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.names.append((dict(attrs)["name"], dict(attrs)["content"]))


@pytest.mark.parametrize("row", [None, *written()], ids=lambda row: row.slug if row else "index")
def test_the_head_says_what_the_registry_says(row):
    found = Head(head(BOOK, HOME, row)).names
    names = dict(found)
    assert names["citation_title"] == (row.title if row else BOOK["title"])
    assert names["citation_public_url"] == (f"{HOME}book/{row.slug}.html" if row else HOME)
    assert [value for name, value in found if name == "citation_author"] == BOOK["names"]
    assert names["citation_publication_date"].replace("/", "-") == str(BOOK["date-released"])
    assert names.get("citation_inbook_title", BOOK["title"]) == BOOK["title"]


def test_no_text_ends_the_attribute():
    bad = '"></script><script>alert(1)</script>'
    found = Head(head({**BOOK, "title": bad, "names": [bad]}, HOME, None))
    assert (found.tags, dict(found.names)["citation_title"]) == ({"meta"}, bad)


def test_the_built_pages_have_it(built):
    for page in ("index", *(f"book/{row.slug}" for row in written())):
        text = (built / f"{page}.html").read_text(encoding="utf-8")
        assert text.count('name="citation_title"') == 1, page
    assert "citation_title" not in (built / "book" / "ledger.html").read_text(encoding="utf-8")
