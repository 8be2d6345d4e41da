"""The files of the built site: links, pictures, icons, ids; without JavaScript; the picture of the landing page."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from fontTools.ttLib import TTFont

from tests.browser import SITE, Watch, pages_to_read
from tests.chapters import chapters

pytestmark = pytest.mark.browser
CHAPTERS = [f"book/{path.stem}.html" for path in chapters()]
PAGES = [*pages_to_read(), *(name for name in ("search.html",) if (SITE / name).is_file())]


class Parsed(HTMLParser):
    """Ids, links, pictures and icons of a page."""

    def __init__(self, path: Path):
        super().__init__()
        self.ids, self.links, self.images, self.icons = set(), [], [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids |= {attrs.get("id"), attrs.get("name") if tag == "a" else None} - {None}
        if tag in ("a", "link") and attrs.get("href"):
            self.links.append(attrs["href"])
        if tag == "img":
            self.images.append(attrs)
        self.icons |= set(re.findall(r"\bfa-[a-z][a-z-]*", attrs.get("class") or ""))


@cache
def parsed(path: Path) -> Parsed:
    return Parsed(path)


@pytest.fixture
def page_at(tab, site):
    """page_at(name, **options): a page of the site from disk, which must stay silent."""

    def go(name, **options):
        page = tab(home := f"{site.as_uri()}/", **options)
        page.goto(home + name, wait_until="load")
        page.wait_for_load_state("networkidle")
        return page

    return go


@pytest.mark.parametrize("name", ["index.html", "book/ledger.html", "embed/scb-run.html"])
def test_an_address_that_nobody_can_read_throws_nothing(page_at, name):
    page = page_at(f"{name}#%")
    page.evaluate("new Promise((done) => { addEventListener('hashchange', done); location.hash = '%E0%A4%A'; })")


def test_a_link_unfolds_what_it_leads_to(page_at):
    page = page_at("book/api/0-claims.html#hal.claims.Claim.check")
    page.locator("[id='hal.claims.Claim.check']:visible").wait_for()


def test_every_link_leads_somewhere(site):
    broken = []
    for name, link in ((page, link) for page in PAGES for link in parsed(site / page).links):
        here, parts = site / name, urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        if not parts.path and ":" in parts.fragment:  # a phrase that sets an explorer; the build checks it
            continue
        target = (here.parent / unquote(parts.path)).resolve() if parts.path else here
        if target.is_dir():
            target /= "index.html"
        anchor = unquote(parts.fragment)
        if not target.is_file() or (anchor and target.suffix == ".html" and anchor not in parsed(target).ids):
            broken.append((name, link))
    assert broken == []


def test_every_picture_says_what_it_shows(site):
    images = [(name, image) for name in PAGES for image in parsed(site / name).images]
    # Sphinx puts the file's name where the author wrote nothing. Logos of the launch buttons stand beside their words.
    silent = [(name, image) for name, image in images if (image.get("alt") or "").strip() in ("", image["src"])]
    assert [one for one in silent if "_static/images/logo_" not in one[1]["src"]] == []


def test_icons_are_in_the_fonts(site):
    """The icon fonts are cut down: an icon that a page uses must be in them."""
    style = (site / "_static" / "styles" / "pydata-sphinx-theme.css").read_text()
    rules = re.findall(r"((?:\.fa-[a-z0-9-]+:before,?)+)\{content:\"\\([0-9a-f]+)\"", style)
    codes = {name: int(code, 16) for names, code in rules for name in re.findall(r"fa-[a-z0-9-]+", names)}
    assert len(codes) > 1000, "the theme names its icons in another way now"
    fonts = (site / "_static" / "vendor" / "fontawesome" / "webfonts").glob("*.woff2")
    have = {code for font in fonts for code in TTFont(font).getBestCmap()}
    used = {icon for name in PAGES for icon in parsed(site / name).icons} & set(codes)
    assert len(used) > 5
    assert {icon for icon in used if codes[icon] not in have} == set()


@pytest.mark.law
@pytest.mark.parametrize("name", ["index.html", *CHAPTERS])
def test_reads_without_javascript(tab, site, name):
    page = tab(home := f"{site.as_uri()}/", silent=False, java_script_enabled=False)
    watch = Watch(page, home)
    page.goto(home + name, wait_until="load")
    assert [problem for problem in watch.problems if not problem.endswith("csp")] == []  # csp: a script, not run
    # what is folded or in a closed card has no place
    formulas = page.locator("article .katex-html:not(details:not([open]) *, [popover] *)")
    assert all(box["height"] > 5 for box in (formulas.nth(i).bounding_box() for i in range(min(20, formulas.count()))))
    shown = "#main-content :is([data-explorer], [data-hero]):not(details:not([open]) *)"
    for figure in page.locator(shown).all():
        drawn = figure.locator("svg:visible, img:visible")
        assert drawn.count() > 0, figure.get_attribute("data-explorer")
        assert drawn.first.bounding_box()["height"] > 80


def test_an_id_is_of_one_place(site):
    """Where a label and a figure share a name, a link leads to the first of them."""
    found = {}
    for page in site.rglob("*.html"):
        text = re.sub(r"<script.*?</script>", "", page.read_text(encoding="utf-8"), flags=re.S)
        ids = Counter(re.findall(r'<[a-z][^<>]*?\sid="([^"]+)"', text))
        found[str(page.relative_to(site))] = [name for name, count in ids.items() if count > 1]
    assert len(found) > 20
    assert {page: names for page, names in found.items() if names} == {}


#: x of the two tokens whose arcs are the widest, once they can be told from the others; null before.
WIDEST = """() => {
  const end = (arc) => Number(arc.getAttribute("d").split(" ").at(-1).split(",")[0]);
  const all = [...document.querySelectorAll(".hal-hero-wide .le-arc")];
  const arcs = all.map((arc) => [Number(arc.getAttribute("stroke-width")), end(arc)]);
  arcs.sort(([a], [b]) => b - a);
  return arcs[1][0] > 1.2 * arcs[2][0] ? [arcs[0][1], arcs[1][1]] : null;
}"""


def test_race_is_won_by_clicking_the_two_tokens_and_lost_by_wrong_ones(page_at):
    page = page_at("index.html")
    reading, button = page.locator(".hal-hero-reading"), page.locator(".hal-hero-play")
    assert "click them before the network has found them" in reading.inner_text()
    assert not page.locator(".hal-hero input").is_visible()
    box = page.locator(".hal-hero-wide").bounding_box()

    def click(x):
        page.mouse.click(box["x"] + x * box["width"] / 640, box["y"] + 200 * box["width"] / 640)

    button.click()
    page.wait_for_function(WIDEST)
    for x in page.evaluate(WIDEST):
        click(x)
    assert reading.inner_text().startswith("You found both at step ")
    assert page.locator(".hal-hero input").is_visible()
    button.click()
    for i in range(0, 14, 2):
        click(14 + 534 * i / 47)
    assert reading.inner_text().startswith("5 wrong tokens: the network wins.")


def test_paper_does_not_show_the_hero_s_first_moment(page_at):
    page = page_at("index.html")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    still = page.evaluate("JSON.parse(document.querySelector('[data-hero] script').textContent).still")
    slider = page.locator(".hal-hero input")
    assert still > 0
    assert float(slider.input_value()) == still
    page.evaluate("async () => { for (let i = 0; i < 20; i++) await new Promise(requestAnimationFrame); }")
    assert float(slider.input_value()) == still, "it goes on moving"
