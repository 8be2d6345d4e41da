"""Every page of the built book, visited once at a desk and once on a phone, and asked everything while it is open."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from hal.site import budgets
from hal.site.weights import OURS, weight, zipped
from tests.browser import Watch, barriers, pages_to_read, scroll_through
from tests.chapters import chapters
from tests.rows import figures

pytestmark = pytest.mark.browser
QUESTIONS = Path(__file__).with_name("questions.js").read_text(encoding="utf-8")
CHAPTERS = {path.stem: f"book/{path.stem}.html" for path in chapters()}
READ = pages_to_read() or ["index.html"]  # so that a missing site fails one test and says how to build it
OTHERS = [name for name in READ if name not in CHAPTERS.values()]
FEW = ["search.html", "404.html"]  # of which less is asked: nothing stands in them to be read
DESK, PHONE, SHEET = (1280, 900), (390, 844), (680, 900)  # a sheet of A4 less two margins of 15 mm
WINDOWS = [(1350, 680), (1280, 800), (1440, 900)]  # of a laptop, of which the first is low
TABLET = (784, 844)
SCREENS = 12  # of a page of the library, with everything folded
every_chapter = pytest.mark.parametrize("slug", CHAPTERS)
every_other = pytest.mark.parametrize("name", [*OTHERS, *FEW])


class Visit:
    """A page of the site in a tab of its own, and what has been found wrong with it."""

    def __init__(self, page, home: str, name: str):
        self.page, self.name, self.found = page, name, []
        self.watch = Watch(page, home)
        page.goto(home + name, wait_until="load")
        page.wait_for_load_state("networkidle")
        page.evaluate(QUESTIONS)
        self.asked = set(self.watch.asked)

    def find(self, findings: Iterable[str], where: str = "") -> None:
        self.found += [f"{self.name}{where}: {finding}" for finding in findings]

    def wake(self, slug: str) -> None:
        """Wake every figure; those of the registry are there."""
        missing = {name for name in figures() if name.partition("-")[0] == slug} - set(self.page.evaluate("wake()"))
        self.find(f"has no figure {name}" for name in sorted(missing))

    def ask(self, way: str, size: tuple[int, int]) -> None:
        """The questions of a way, in a window of this size."""
        width, height = size
        self.page.set_viewport_size({"width": width, "height": height})
        self.find(self.page.evaluate(f"ask('{way}')"), f", {way} {width} × {height}")

    def ask_on_paper(self) -> None:
        self.page.emulate_media(media="print")
        self.ask("paper", SHEET)
        self.page.emulate_media(media="screen")

    def ask_axe(self) -> None:
        """All rules of axe in the light, those of colour in the dark; of formulas, all of one renderer, twenty."""
        self.page.evaluate("[...document.querySelectorAll('.katex')].slice(20).forEach((formula) => formula.remove())")
        for theme in ("light", "dark"):
            self.page.emulate_media(color_scheme=theme)
            self.page.wait_for_function("theme => document.documentElement.dataset.theme === theme", arg=theme)
            self.page.wait_for_function("!document.getAnimations().some((one) => one.playState === 'running')")
            found = barriers(self.page, colours_only=theme == "dark")
            self.find((f"{one['id']}: {node['html'][:150]}" for one in found for node in one["nodes"]), f", {theme}")


@contextlib.contextmanager
def visited(chromium, home: str, name: str, size: tuple[int, int], **options) -> Iterator[Visit]:
    """A visit, without a complaint, a refusal of the page's policy or a finding until it ends."""
    page = chromium.new_page(viewport=dict(zip(("width", "height"), size, strict=True)), **options)
    try:
        visit = Visit(page, home, name)
        yield visit
        scroll_through(page)
        visit.find(visit.watch.problems)
        assert not visit.found, "\n".join(visit.found)
    finally:
        page.close()


@pytest.fixture
def at_a_desk(chromium, site):
    """at_a_desk(name): a visit from disk, of a reader who asked for less motion: pictures stand still."""
    return lambda name: visited(chromium, f"{site.as_uri()}/", name, DESK, reduced_motion="reduce")


@pytest.fixture
def on_a_phone(chromium, serve):
    """on_a_phone(name): a visit over http."""
    return lambda name: visited(chromium, serve, name, PHONE, has_touch=True, is_mobile=True)


@pytest.mark.law
@every_chapter
def test_chapter_at_a_desk_and_on_paper_has_no_fault(at_a_desk, slug):
    with at_a_desk(CHAPTERS[slug]) as visit:
        visit.ask_on_paper()  # before its figures are awake, and after
        visit.wake(slug)
        for size in WINDOWS:
            visit.ask("window", size)
        visit.ask("narrow", TABLET)
        visit.ask_on_paper()


@pytest.mark.law
@every_chapter
def test_chapter_on_a_phone_has_no_fault(on_a_phone, serve, site, slug):
    with on_a_phone(CHAPTERS[slug]) as visit:
        visit.find(heavy(visit, site, serve))
        visit.find(
            f"loads a script for formulas: {url}" for url in visit.asked if re.search(r"mathjax|katex.*js$", url)
        )
        visit.wake(slug)
        visit.ask("phone", PHONE)
        assert visit.page.locator(".katex-mathml math").count() > 10


@pytest.mark.deep
@pytest.mark.law
@every_chapter
def test_chapter_has_no_barrier(at_a_desk, slug):
    with at_a_desk(CHAPTERS[slug]) as visit:
        visit.wake(slug)
        visit.ask_axe()


@pytest.mark.law
@every_other
def test_page_at_a_desk_has_no_fault(at_a_desk, name):
    with at_a_desk(name) as visit:
        if name in FEW:
            return
        visit.ask("window", DESK)
        if name.startswith("book/api/"):
            height = visit.page.evaluate("document.querySelector('article').getBoundingClientRect().height")
            visit.find(f"has {height / DESK[1]:.0f} screens, at most {n}" for n in (SCREENS,) if height > n * DESK[1])
        if name == "index.html":
            visit.ask_on_paper()
        visit.ask_axe()


@pytest.mark.law
@every_other
def test_page_on_a_phone_has_no_fault(on_a_phone, serve, site, name):
    with on_a_phone(name) as visit:
        if name not in FEW:
            visit.find(heavy(visit, site, serve))
            visit.ask("phone", PHONE)


def heavy(visit: Visit, site: Path, serve: str) -> Iterator[str]:
    """The first load is within the budgets, and what `weight` finds in the files."""
    sizes = {url: zipped(site / unquote(urlsplit(url.removeprefix(serve)).path)) for url in visit.asked}
    loaded, ours = sum(sizes.values()), sum(size for url, size in sizes.items() if OURS.search(url))
    assert len(sizes) > 5
    for what, size, most in (("loads", loaded, budgets.FIRST_LOAD), ("loads of ours", ours, budgets.OURS)):
        if size > most:
            yield f"{what} {size} bytes, at most {most}: {sorted(sizes.items(), key=lambda item: -item[1])[:5]}"
    # A browser decides for itself which pictures below the first screen are near. The page says the programs of its
    # explorers too, which wait until one of them is near.
    text = (site / visit.name).read_text(encoding="utf-8")
    programs = {f"{serve}_static/explorers/{data}.js" for data in re.findall(r'data-programs="([^"]+)"', text)}
    waiting = sum(zipped(site / url.removeprefix(serve)) for url in programs - {url.split("?")[0] for url in sizes})
    said, said_ours = weight(site, visit.name)
    if abs(said - waiting - loaded) > 0.15 * said or abs(said_ours - waiting - ours) > max(20_000, 0.15 * ours):
        yield f"loads {loaded} bytes, {ours} of ours; its files say {said} and {said_ours}"


COPY = """() => {
  const text = [...document.querySelectorAll(".bd-article p")].find((one) => one.querySelector(".katex"));
  getSelection().selectAllChildren(text);
  const event = new ClipboardEvent("copy", { clipboardData: new DataTransfer(), bubbles: true, cancelable: true });
  text.dispatchEvent(event);
  return event.clipboardData.getData("text/plain");
}"""


def test_copied_formula_is_its_tex_and_dark_page_prints_light(chromium, site):
    page = chromium.new_page(color_scheme="dark")
    page.goto(f"{site.as_uri()}/{CHAPTERS['scb']}", wait_until="load")
    text = page.evaluate(COPY)
    assert re.search(r"\$[^$]+\$", text)
    assert "\u200b" not in text
    page.evaluate("addEventListener('beforeprint', () => (window.printed = document.documentElement.dataset.theme))")
    page.pdf()
    assert page.evaluate("[window.printed, document.documentElement.dataset.theme]") == ["light", "dark"]
    page.close()
