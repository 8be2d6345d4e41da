"""The built site, page by page: self-contained, readable by everyone, within its budget."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from fontTools.ttLib import TTFont
from playwright.sync_api import Error, Page

from hal.site import budgets
from hal.site.weights import OURS, weight, zipped
from tests.browser import SITE, Watch, pages_to_read, scroll_through, serious_barriers
from tests.chapters import chapters

pytestmark = pytest.mark.browser
CHAPTERS = [f"book/{path.stem}.html" for path in chapters()]
READ = pages_to_read() or ["index.html"]  # so that a missing site fails one test and says how to build it
PAGES = [*READ, *(name for name in ("genindex.html", "search.html") if (SITE / name).is_file())]


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
def page_at(chromium, site):
    """Open a page of the site from disk: page_at(name, ...) -> (page, watch)."""
    pages = []

    def go(name, width=DESK["width"], **options):
        page = chromium.new_page(viewport={**DESK, "width": width}, **options)
        pages.append(page)
        home = site.as_uri() + "/"
        watch = Watch(page, home)
        page.goto(home + name, wait_until="load")
        page.wait_for_load_state("networkidle")
        return page, watch

    yield go
    for page in pages:
        page.close()


class Visit:
    """A page of the site, loaded in a tab, and seen from top to bottom.

    Attributes:
        name, page: which it is.
        asked: addresses of what the load asked for.
        problems: what was complained of until all was seen.
    """

    def __init__(self, tab, home: str, name: str):
        self.name, self.page = name, tab
        self._watch = Watch(tab, home)
        tab.goto(home + name, wait_until="load")
        tab.wait_for_load_state("networkidle")
        self.asked = set(self._watch.asked)
        scroll_through(tab)
        self.problems = list(self._watch.problems)

    def leave(self):
        """The tab is free for another page."""
        self._watch.end()
        self.page.goto("about:blank")


DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 900}


@pytest.fixture(scope="module")
def visits(chromium, serve, site):
    """visits(name, how): a page of the site "from disk" or "on a phone", over http; tests in a row share the visit.

    From disk the reader asked for less motion, so that a picture stands still while it is looked at. All these visits
    share a tab. On a phone each has its own: in an old one Chromium asks again for fonts of the page before.
    """
    ways = {
        "from disk": (site.as_uri() + "/", {"viewport": DESK, "reduced_motion": "reduce"}),
        "on a phone": (serve, {"viewport": PHONE, "has_touch": True}),
    }
    tabs: dict[str, Page] = {}
    last: dict[str, Visit] = {}

    def go(name, how="from disk"):
        home, options = ways[how]
        if how in last and last[how].name != name:
            last.pop(how).leave()
            if how == "on a phone":
                tabs.pop(how).close()
        try:
            return visit(how, home, name, options)
        except Error:  # the tab of many visits may have crashed, which is no fault of the page: once more in a new one
            tabs.pop(how, None)
            last.pop(how, None)
            return visit(how, home, name, options)

    def visit(how, home, name, options):
        if how not in tabs:
            tabs[how] = chromium.new_page(**options)
        tabs[how].emulate_media(media="screen", color_scheme="light")
        if how not in last:
            last[how] = Visit(tabs[how], home, name)
        return last[how]

    yield go
    for tab in tabs.values():
        tab.close()


@pytest.mark.parametrize("how", ["from disk", "on a phone"])
@pytest.mark.parametrize("name", PAGES)
def test_page_is_self_contained(visits, name, how):
    assert visits(name, how).problems == []


@pytest.mark.parametrize("name", ["index.html", "book/ledger.html", CHAPTERS[0]])
def test_an_address_that_nobody_can_read_throws_nothing(page_at, name):
    page, watch = page_at(f"{name}#%")
    page.evaluate("new Promise((done) => { addEventListener('hashchange', done); location.hash = '%E0%A4%A'; })")
    assert watch.problems == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", READ)
def test_no_serious_barrier(visits, name, theme):
    page = visits(name).page
    page.emulate_media(color_scheme=theme)
    page.wait_for_function("theme => document.documentElement.dataset.theme === theme", arg=theme)
    page.wait_for_function("!document.getAnimations().some((one) => one.playState === 'running')")
    # what is no matter of colour is the same in the dark
    assert serious_barriers(page, colours_only=theme == "dark") == []


def test_a_barrier_of_colour_is_found_once_for_all_that_looks_the_same(chromium):
    page = chromium.new_page()
    page.set_content(
        """<!doctype html><html lang="en"><title>Toy</title><main><h1>Toy</h1>
        <style>p { color: #111; background: #fff } .pale { color: #bbb } .shade { background: #222 }</style>
        <p>Words.</p><p>More <b>bold</b> words.</p><p class="pale" id="a">Pale.</p><p>Words.</p>
        <p class="pale" id="b">Pale.</p><p class="pale" id="c">Pale.</p><p class="pale" id="d">Pale.</p>
        <section><p>Words.</p></section><section class="shade"><p style="background: none" id="e">Dark.</p></section>
        <p hidden style="color: #ccc">Unseen.</p><p style="color: #ccc; font-size: 10px" id="f">Seen.</p>
        <p style="opacity: 0.2" id="g">Faint.</p><p style="color: #666" id="h">Six.</p><button></button></main>"""
    )
    found = serious_barriers(page, colours_only=True)
    assert sorted(re.search(r"#(\w)'", one)[1] for one in found) == [
        "a",
        "b",
        "c",
        "e",
        "f",
        "g",
        "h",
    ]  # three speak for all
    page.evaluate("document.querySelector('.pale').remove()")
    assert {one.split(":")[0] for one in serious_barriers(page)} == {
        "color-contrast",
        "color-contrast-enhanced",
        "button-name",
    }
    assert page.locator("[style*=visibility]").count() == 0
    page.close()


@pytest.mark.parametrize("name", READ)
def test_phone_does_not_scroll_sideways(visits, name):
    page = visits(name, "on a phone").page
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    wide = page.evaluate(
        """() => {
          const scrolls = (e) => e && (getComputedStyle(e).overflowX !== "visible" || scrolls(e.parentElement));
          return [...document.querySelectorAll("article *:not(.katex-mathml *, svg *)")].filter((e) => {
            const box = e.getBoundingClientRect();
            return box.width > 0 && box.right > innerWidth + 1 && !scrolls(e.parentElement);
          }).slice(0, 5).map((e) => e.outerHTML.slice(0, 120));
        }"""
    )
    assert wide == []


@pytest.mark.parametrize("name", CHAPTERS)
def test_figures_can_be_read_on_a_phone(visits, name):
    pictures = visits(name, "on a phone").page.locator(".cell_output figure.align-default > img").all()
    assert pictures
    for picture in pictures:
        drawn, shown = int(picture.get_attribute("width")), picture.bounding_box()["width"]
        assert shown >= 0.55 * drawn, picture.get_attribute("alt")  # words of 9 points at 110 a inch: 14 pixels, here 8


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(site, name):
    here = site / name
    broken = []
    for link in parsed(here).links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        if not parts.path and ":" in parts.fragment:  # a phrase that sets an explorer; the build checks it
            continue
        target = (here.parent / unquote(parts.path)).resolve() if parts.path else here
        if target.is_dir():
            target /= "index.html"
        anchor = unquote(parts.fragment)
        if not target.is_file() or (anchor and target.suffix == ".html" and anchor not in parsed(target).ids):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("name", PAGES)
def test_pictures_say_what_they_show(site, name):
    words = {image["src"]: (image.get("alt") or "").strip() for image in parsed(site / name).images}
    # Sphinx puts the file's name where the author wrote nothing.
    silent = [image for image in parsed(site / name).images if words[image["src"]] in ("", image["src"])]
    # Logos of the launch buttons stand beside their words.
    assert [image for image in silent if "_static/images/logo_" not in image["src"]] == []


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


@pytest.mark.parametrize("name", ["index.html", *CHAPTERS])
def test_reads_without_javascript(page_at, name):
    page, watch = page_at(name, java_script_enabled=False)
    assert [problem for problem in watch.problems if not problem.endswith("csp")] == []  # csp: a script, not run
    formulas = page.locator("article .katex-html:not(details:not([open]) *)")  # what is folded has no place
    assert all(box["height"] > 5 for box in (formulas.nth(i).bounding_box() for i in range(min(20, formulas.count()))))
    for figure in page.locator("#main-content [data-explorer], #main-content [data-hero]").all():
        drawn = figure.locator("svg:visible, img:visible")
        assert drawn.count() > 0, figure.get_attribute("data-explorer")
        assert drawn.first.bounding_box()["height"] > 80


@pytest.mark.parametrize("name", CHAPTERS)
def test_formulas_need_no_script(visits, name):
    visit = visits(name, "on a phone")
    page = visit.page
    assert page.locator(".katex-mathml math").count() > 10
    assert page.locator(".katex-error").count() == 0
    assert not [url for url in visit.asked if "mathjax" in url.lower() or url.endswith("katex.min.js")]


A4 = 680  # pixels of text on a sheet, 210 mm less two margins of 15


@pytest.mark.parametrize("name", ["index.html", *CHAPTERS])
def test_prints(page_at, name):
    page, _ = page_at(name, width=A4)
    page.emulate_media(media="print")
    assert page.locator("details.hide:not([open]):visible").count() == 0, "a bar without what it unfolds"
    for proof in page.locator("details.sd-dropdown > .sd-summary-content").all():
        assert proof.bounding_box()["height"] > 20, "a bar without its proof"
    cut = page.evaluate(
        """() => {
          const right = document.querySelector("article").getBoundingClientRect().right + 1;
          const inner = "article :is(pre, table, .katex-display > .katex > .katex-html > .base, figure img)";
          const wide = (e) => Math.max(e.getBoundingClientRect().right, e.tagName === "PRE"
            ? e.getBoundingClientRect().left + e.scrollWidth : 0) > right;
          return [...document.querySelectorAll(inner)].filter((e) => e.checkVisibility() && wide(e))
            .map((e) => e.outerHTML.slice(0, 150));
        }"""
    )
    assert cut == []
    for part in (".bd-sidebar-primary", ".bd-sidebar-secondary", ".prev-next-area", ".hal-hero-controls"):
        assert page.locator(f"{part}:visible").count() == 0, part
    for figure in page.locator("[data-explorer]").all():
        assert figure.locator("img:visible, svg:visible").count() > 0
        assert figure.locator("input:visible").count() == 0


@pytest.mark.parametrize("name", READ)
def test_first_load_is_small(visits, serve, site, name):
    asked = visits(name, "on a phone").asked
    sizes = {url: zipped(site / unquote(urlsplit(url.removeprefix(serve)).path)) for url in asked}
    ours = sum(size for url, size in sizes.items() if OURS.search(url))
    assert len(sizes) > 5
    assert sum(sizes.values()) <= budgets.FIRST_LOAD, sorted(sizes.items(), key=lambda item: -item[1])[:5]
    assert ours <= budgets.OURS
    shown, shown_ours = weight(site, name)  # what the performance page says
    # A browser decides for itself which pictures below the first screen are near. The page says the programs of its
    # explorers too, which wait until one of them is near.
    text = (site / name).read_text(encoding="utf-8")
    programs = {f"{serve}_static/explorers/{data}.js" for data in re.findall(r'data-programs="([^"]+)"', text)}
    waiting = sum(
        zipped(site / url.removeprefix(serve)) for url in programs - {re.split(r"[?#]", url)[0] for url in asked}
    )
    assert abs(shown - waiting - sum(sizes.values())) <= 0.15 * shown
    assert abs(shown_ours - waiting - ours) <= max(20_000, 0.15 * ours)


def test_an_id_is_of_one_place(site):
    """Where a label and a figure share a name, a link leads to the first of them."""
    found = {}
    for page in site.rglob("*.html"):
        text = re.sub(r"<script.*?</script>", "", page.read_text(encoding="utf-8"), flags=re.S)
        ids = Counter(re.findall(r'<[a-z][^<>]*?\sid="([^"]+)"', text))
        found[str(page.relative_to(site))] = [name for name, count in ids.items() if count > 1]
    assert len(found) > 20
    assert {page: names for page, names in found.items() if names} == {}


def test_hero_plays_the_run_of_the_library(page_at):
    from hal.site.landing.figure import learning_path

    path = learning_path()
    page, _ = page_at("index.html", reduced_motion="reduce")
    slider, reading = page.locator(".hal-hero input"), page.locator(".hal-hero-step")
    before = reading.inner_text()
    page.evaluate("async () => { for (let i = 0; i < 20; i++) await new Promise(requestAnimationFrame); }")
    assert reading.inner_text() == before, "it moves although the reader asked for less motion"
    slider.focus()
    slider.press("End")
    widths = page.locator(".hal-hero-wide .le-arc").evaluate_all("all => all.map(e => +e.getAttribute('stroke-width'))")
    share = path.attention[0] + path.alpha_A[-1] * (path.attention[1] - path.attention[0])
    assert sorted((w - 0.8) / 15 for w in widths) == pytest.approx(sorted(share), abs=1e-3)
    assert reading.inner_text() == f"Step {path.steps[-1]} of {path.steps[-1]}"
    page.locator(".hal-hero-play").click()
    early = "half => (v => 0 < v && v < half)(+document.querySelector('.hal-hero input').value)"
    page.wait_for_function(early, arg=len(path.steps) / 2)


def test_paper_does_not_show_the_hero_s_first_moment(page_at):
    page, _ = page_at("index.html")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    still = page.evaluate("JSON.parse(document.querySelector('[data-hero] script').textContent).still")
    slider = page.locator(".hal-hero input")
    assert still > 0
    assert float(slider.input_value()) == still
    page.evaluate("async () => { for (let i = 0; i < 20; i++) await new Promise(requestAnimationFrame); }")
    assert float(slider.input_value()) == still, "it goes on moving"


def test_what_scrolls_says_so_until_its_end(page_at):
    page, _ = page_at(CHAPTERS[0], width=390, has_touch=True)
    wide = page.locator(".bd-article .hal-goes-on")
    assert wide.count() > 3
    box = wide.first.element_handle()
    assert box.get_attribute("tabindex") == "0"
    box.evaluate("(box) => { box.scrollLeft = box.scrollWidth; }")
    page.wait_for_function("(box) => !box.classList.contains('hal-goes-on')", arg=box)


def test_hero_starts_by_itself(page_at):
    page, _ = page_at("index.html")
    first = page.locator(".hal-hero-step").inner_text()
    page.wait_for_function("first => document.querySelector('.hal-hero-step').innerText !== first", arg=first)
