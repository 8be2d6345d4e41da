"""What has left the book: old embeds and pages lead on, old links of a page say so in one line."""

import re

import pytest

from hal.site import gone
from tests.browser import ROOT

LINE = ".hal-gone"


def test_every_old_page_leads_to_one_that_is_there(built):
    for name, *_ in gone.pages():
        page = built / f"{name}.html"
        text = page.read_text(encoding="utf-8")
        assert "has left the book" in text
        (home,) = re.findall(r'href="([^"]+)"', text)
        assert (page.parent / home).is_file(), name


def test_old_pages_are_none_of_today_and_lead_to_a_page_by_its_title():
    for page, (name, title) in gone.GONE["pages"].items():
        assert not (ROOT / f"{page}.md").exists()
        assert (ROOT / "book" / f"{name}.md").read_text(encoding="utf-8").startswith(f"# {title}\n")


@pytest.mark.browser
def test_a_link_to_what_has_left_a_page_is_told_of_in_one_line(tab, serve):
    page = tab(serve)
    page.goto(f"{serve}book/ledger.html#NOBODY-1")
    page.locator(LINE).wait_for()
    assert page.locator(LINE).inner_text() == "The link leads to “NOBODY-1”, which has left this page."
    for link, told in (
        ("#SCB-1", 0),
        ("#scb-lookup:T=4;nothing", 1),
        ("#%E0%A4%A", 1),
        ("#<img src=x onerror=alert(1)>", 1),
        (f"#{'x' * 500}", 1),
    ):
        page.evaluate("(hash) => { location.hash = hash; }", link)
        page.wait_for_function(f"document.querySelectorAll('{LINE}').length === {told}")
        assert page.locator(f"{LINE} img").count() == 0
        assert all(len(text) < 120 for text in page.locator(LINE).all_inner_texts())
