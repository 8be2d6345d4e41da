"""What a released site has beside its pages: every file is there, parses, and says what its source says."""

import re
import xml.etree.ElementTree as ET
from hashlib import sha256
from importlib.metadata import distributions

import pytest

from hal.figure import assets
from hal.site.formulas import SCRIPT
from hal.site.seo import CARRIED, COPIED, LICENCES, MISSING, licences, licences_of, sitemap
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


@pytest.mark.parametrize(("folder", "more"), [("assets/katex", [SCRIPT]), ("src/hal/figure/vendor", []), ("assets/vendor/fonts", [])])
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
