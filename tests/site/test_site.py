"""The built site, page by page: self-contained, readable by everyone, within its budget."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from fontTools.ttLib import TTFont

from lib.site import budgets
from lib.site.weights import OURS, weight
from tests.browser import SITE, Watch, pages_to_read, scroll_through, serious_barriers
from tests.chapters import chapters

pytestmark = pytest.mark.browser
CHAPTERS = [f"book/{path.stem}.html" for path in chapters()]
READ = pages_to_read() or ["index.html"]  # so that a missing site fails one test and says how to build it
# The library's pages are made from one template: in the dark one of them speaks for all. `make budgets` looks at each.
LIBRARY = [name for name in READ if name.startswith("book/api/")]
THEMES = [(name, "light") for name in READ] + [(name, "dark") for name in READ if name not in LIBRARY[1:]]
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
def page_at(chromium, serve, site):
    """Open a page of the site: page_at(name, ...) -> (page, watch)."""
    contexts = []

    def go(name, over="http", width=1280, **options):
        home = serve if over == "http" else site.as_uri() + "/"
        contexts.append(chromium.new_context(viewport={"width": width, "height": 900}, **options))
        page = contexts[-1].new_page()
        watch = Watch(page, home)
        page.goto(home + name, wait_until="load")
        page.wait_for_load_state("networkidle")
        return page, watch

    yield go
    for context in contexts:
        context.close()


@pytest.mark.parametrize("over", ["http", "file"])
@pytest.mark.parametrize("name", PAGES)
def test_page_is_self_contained(page_at, name, over):
    page, watch = page_at(name, over=over)
    scroll_through(page)
    assert watch.problems == []


@pytest.mark.parametrize(("name", "theme"), THEMES)
def test_no_serious_barrier(page_at, name, theme):
    page, _ = page_at(name, color_scheme=theme, reduced_motion="reduce")
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    scroll_through(page)
    assert serious_barriers(Axe(), page) == []


@pytest.mark.parametrize("name", READ)
def test_phone_does_not_scroll_sideways(page_at, name):
    page, _ = page_at(name, width=390, has_touch=True)
    scroll_through(page)
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
def test_figures_can_be_read_on_a_phone(page_at, name):
    page, _ = page_at(name, width=390, has_touch=True)
    scroll_through(page)
    pictures = page.locator(".cell_output figure.align-default > img").all()
    assert len(pictures) >= 3
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
    page, watch = page_at(name, over="file", java_script_enabled=False)
    assert [problem for problem in watch.problems if not problem.endswith("csp")] == []  # csp: a script, not run
    formulas = page.locator("#main-content .katex-html")
    assert all(box["height"] > 5 for box in (formulas.nth(i).bounding_box() for i in range(min(20, formulas.count()))))
    for figure in page.locator("#main-content [data-explorer], #main-content [data-hero]").all():
        drawn = figure.locator("svg:visible, img:visible")
        assert drawn.count() > 0, figure.get_attribute("data-explorer")
        assert drawn.first.bounding_box()["height"] > 80


@pytest.mark.parametrize("name", CHAPTERS)
def test_formulas_need_no_script(page_at, name):
    page, watch = page_at(name)
    assert page.locator(".katex-mathml math").count() > 10
    assert page.locator(".katex-error").count() == 0
    assert not [url for url in watch.weigh() if "mathjax" in url.lower() or url.endswith("katex.min.js")]


@pytest.mark.parametrize("name", ["index.html", *CHAPTERS])
def test_prints(page_at, name):
    page, _ = page_at(name)
    page.emulate_media(media="print")
    for part in (".bd-sidebar-primary", ".bd-sidebar-secondary", ".prev-next-area", ".hal-hero-controls"):
        assert page.locator(f"{part}:visible").count() == 0, part
    for figure in page.locator("[data-explorer]").all():
        assert figure.locator("img:visible, svg:visible").count() > 0
        assert figure.locator("input:visible").count() == 0


@pytest.mark.parametrize("name", READ)
def test_first_load_is_small(page_at, site, name):
    _, watch = page_at(name)
    sizes = watch.weigh()
    ours = sum(size for url, size in sizes.items() if OURS.search(url))
    assert len(sizes) > 5
    assert sum(sizes.values()) <= budgets.FIRST_LOAD, sorted(sizes.items(), key=lambda item: -item[1])[:5]
    assert ours <= budgets.OURS
    shown, shown_ours = weight(site, name)  # what the performance page says
    # A browser decides for itself which pictures below the first screen are near.
    assert abs(shown - sum(sizes.values())) <= 0.15 * shown
    assert abs(shown_ours - ours) <= max(20_000, 0.15 * ours)


def test_hero_plays_the_run_of_the_library(page_at):
    from lib.site.landing.figure import learning_path

    path = learning_path()
    page, _ = page_at("index.html", reduced_motion="reduce")
    slider, reading = page.locator(".hal-hero input"), page.locator(".hal-hero-step")
    before = reading.inner_text()
    page.evaluate("async () => { for (let i = 0; i < 20; i++) await new Promise(requestAnimationFrame); }")
    assert reading.inner_text() == before, "it moves although the reader asked for less motion"
    slider.focus()
    slider.press("End")
    widths = page.locator(".hal-hero-fan .arcs path").evaluate_all(
        "all => all.map(e => +e.getAttribute('stroke-width'))"
    )
    share = path.attention[0] + path.alpha_A[-1] * (path.attention[1] - path.attention[0])
    assert sorted((w - 0.8) / 15 for w in widths) == pytest.approx(sorted(share), abs=1e-3)
    assert reading.inner_text() == f"Step {path.steps[-1]} of {path.steps[-1]}"
    page.locator(".hal-hero-play").click()
    early = "half => (v => 0 < v && v < half)(+document.querySelector('.hal-hero input').value)"
    page.wait_for_function(early, arg=len(path.steps) / 2)


def test_hero_starts_by_itself(page_at):
    page, _ = page_at("index.html")
    first = page.locator(".hal-hero-step").inner_text()
    page.wait_for_function("first => document.querySelector('.hal-hero-step').innerText !== first", arg=first)
