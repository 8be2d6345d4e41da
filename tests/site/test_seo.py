"""What a released site has beside its pages, and what catalogues read: each file says what its source says."""

import re
import xml.etree.ElementTree as ET
from hashlib import sha256
from html import unescape
from importlib.metadata import distributions

import pytest

from hal.chapters import written
from hal.figure import assets
from hal.site.formulas import SCRIPT
from hal.site.landing.cards import cited
from hal.site.seo import CARRIED, COPIED, LICENCES, MISSING, head, licences, licences_of, sitemap
from lib.errors import InputError
from tests.browser import pages_to_read
from tests.packages import ROOT

HOME = "https://example.org/book/"


def test_the_sitemap_names_every_page_in_order():
    root = ET.fromstring(sitemap({"index", "book/b", "book/a"}, HOME).encode())
    found = [one.text for one in root.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]
    assert found == [f"{HOME}{name}.html" for name in ("book/a", "book/b", "index")]


def test_the_licences_are_those_of_all_that_is_vendored():
    text = licences(ROOT)
    vendored = {path.parent for folder in ("assets", "src") for path in (ROOT / folder).rglob("VENDOR.md")}
    assert vendored == {(ROOT / name).parent for _, name in CARRIED[2:]}
    for what, name in CARRIED:
        assert what in text
        assert (ROOT / name).read_text(encoding="utf-8").strip() in text
    assert [
        words for words in ("Mike Bostock", "Bootstrap", "the Sphinx team", "Khan Academy") if words not in text
    ] == []
    assert LICENCES in assets.script()[:60]  # the script itself says where


@pytest.mark.parametrize(
    ("folder", "more"), [("assets/katex", [SCRIPT]), ("src/hal/figure/vendor", []), ("assets/vendor/fonts", [])]
)
def test_vendored_files_are_the_recorded_ones(folder, more):
    digests = re.findall(r"`([0-9a-f]{64})` \| `([^`]+)`", (ROOT / folder / "VENDOR.md").read_text(encoding="utf-8"))
    there = [*more, *(path for path in (ROOT / folder).rglob("*.*") if path.suffix in (".js", ".css", ".woff2"))]
    found = {(sha256(path.read_bytes()).hexdigest(), path.name) for path in there}
    assert found == {(digest, name.rpartition("/")[2]) for digest, name in digests}


def test_a_package_without_a_licence_is_refused(monkeypatch):
    monkeypatch.setattr("hal.site.seo.files", lambda package: [])
    with pytest.raises(InputError, match="package: expected one that carries its licence, got sphinx"):
        licences_of("sphinx")


def test_every_package_with_files_in_the_site_is_there(built):
    """By the bytes: whatever script or style of `_static` an installed package has is of one that is listed."""
    ours = {path.read_bytes() for path in (built / "_static").rglob("*") if path.suffix in (".js", ".css")}
    for one in distributions():
        name = one.metadata["Name"].lower().replace("_", "-")
        held = [path for path in one.files or [] if "static" in str(path) and path.suffix in (".js", ".css")]
        if any(path.locate().is_file() and path.locate().read_bytes() in ours for path in held):
            assert name in COPIED


def test_the_built_site_has_them(built):
    assert licences(ROOT) == (built / LICENCES).read_text(encoding="utf-8")
    robots = (built / "robots.txt").read_text(encoding="utf-8")
    assert re.search(r"^Sitemap: https://\S+/sitemap.xml$", robots, re.M)
    listed = re.findall("<loc>https://(.*?)</loc>", (built / "sitemap.xml").read_text(encoding="utf-8"))
    assert {one.partition("/how-attention-learns/")[2] for one in listed} >= set(pages_to_read())
    page = (built / "book" / "scb.html").read_text(encoding="utf-8")
    assert page.count(f'rel="license" href="../{LICENCES}"') == 1


def test_the_page_that_is_not_there_needs_nothing_beside_it():
    """It is shown at any depth, so that no relative address can be right."""
    text = MISSING.format(title="A", home=HOME)
    assert re.findall(r'(?:href|src)="([^"]*)"', text) == [HOME]
    assert "<script" not in text


def test_no_file_of_the_site_tells_where_it_was_built(built):
    files = [path for path in built.rglob("*") if path.is_file()]
    assert [path for path in files if str(ROOT).encode() in path.read_bytes()] == []


BOOK = cited(ROOT / "CITATION.cff")
PAPERS = [row for row in written() if row.arxiv]  # a chapter may be on none


def entry(slug):
    """The paper of a chapter, in its references: field -> text without braces."""
    text = (ROOT / "book" / "references" / f"{slug}.bib").read_text(encoding="utf-8")
    fields = re.findall(r"^  (\w+) *= \{(.*)\},$", text.split("\n}\n")[0], re.M)
    return {name: re.sub("[{}]", "", value) for name, value in fields}


@pytest.mark.parametrize("row", PAPERS, ids=lambda row: row.slug)
def test_the_papers_are_those_of_the_references(row):
    assert len(BOOK["references"]) == len(PAPERS)
    paper = next(one for one in BOOK["references"] if one["url"].endswith(row.arxiv))
    ours = entry(row.slug)
    names = " and ".join(f"{one['family-names']}, {one['given-names']}" for one in paper["authors"])
    assert (paper["title"], str(paper["year"]), names) == (ours["title"], ours["year"], ours["author"])
    assert ours["note"] == f"arXiv:{row.arxiv}"
    assert paper["url"] == f"https://arxiv.org/abs/{row.arxiv}"


def metas(text):
    """Names and contents of `meta` elements."""
    return [tuple(map(unescape, pair)) for pair in re.findall(r'<meta name="([^"]*)" content="([^"]*)"', text)]


@pytest.mark.parametrize("row", [None, *written()], ids=lambda row: row.slug if row else "index")
def test_the_head_says_what_the_registry_says(row):
    found = metas(head(BOOK, HOME, row))
    names = dict(found)
    assert names["citation_title"] == (row.title if row else BOOK["title"])
    assert names["citation_public_url"] == (f"{HOME}book/{row.slug}.html" if row else HOME)
    assert [value for name, value in found if name == "citation_author"] == BOOK["names"]
    assert names["citation_publication_date"].replace("/", "-") == str(BOOK["date-released"])
    assert names.get("citation_inbook_title", BOOK["title"]) == BOOK["title"]


def test_no_text_ends_the_attribute():
    bad = '"></script><script>alert(1)</script>'
    text = head({**BOOK, "title": bad, "names": [bad]}, HOME, None)
    assert (set(re.findall(r"<(\w+)", text)), dict(metas(text))["citation_title"]) == ({"meta"}, bad)


def test_the_built_pages_have_it(built):
    for page in ("index", *(f"book/{row.slug}" for row in written())):
        text = (built / f"{page}.html").read_text(encoding="utf-8")
        assert text.count('name="citation_title"') == 1, page
    assert "citation_title" not in (built / "book" / "ledger.html").read_text(encoding="utf-8")
