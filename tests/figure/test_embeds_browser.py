"""A figure in a frame of another site: what it weighs on the wire, in a sandbox, from a file, and how it is copied."""

import re

import pytest

from hal.figure import Computed
from hal.site.budgets import SIDE_BY_SIDE
from hal.site.weights import zipped
from tests.browser import Watch, press_tool, serious_barriers, served
from tests.figure import toy_side
from tests.figure.drawn import slider, state

pytestmark = pytest.mark.browser
NAMES = ("toy-computed", "toy-side", "toy-stems")
MOST = 120_000  # bytes of a figure in a frame, on the wire
MODEL = 7_000  # for each further model that a figure trains beside its first


@pytest.fixture
def open_page(tab):
    """open_page(address, **context): a tab, which may complain."""

    def go(address, **context):
        page = tab(address, silent=False, **context)
        page.goto(address)
        return page

    return go


def root(name):
    return f"[data-explorer={name}]"


def loaded(tab, folder, home, name):
    """What a figure's page asks for until its first run is drawn: path -> bytes as a server sends them."""
    page = tab(home)
    watch = Watch(page, home)
    page.goto(f"{home}embed/{name}.html")
    state(page, root(name))
    page.wait_for_load_state("networkidle")
    paths = {url.removeprefix(home).partition("?")[0] for url in watch.asked} - {"favicon.ico"}
    return {path: zipped(folder / path) for path in paths}


def programs_of(path):
    return re.search(r'data-programs="([^"]+)"', path.read_text())[1]


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_brings_its_code_and_nothing_else(tab, home, book, name):
    sent, page = loaded(tab, book, home, name), f"embed/{name}.html"
    static = ("embed.js", "embed.css", f"explorers/{programs_of(book / page)}.js")
    assert set(sent) == {page, *(f"_static/{file}" for file in static)}
    assert sum(sent.values()) <= MOST, sent


def test_the_heaviest_figure_of_the_book_is_light_enough(tab, site, serve):
    def size(path):
        return zipped(path) + zipped(site / "_static" / "explorers" / f"{programs_of(path)}.js")

    there = [page for page in (site / "embed").glob("*.html") if "data-programs" in page.read_text()]
    assert len(there) >= 25
    ordinary = max((page for page in there if page.stem not in SIDE_BY_SIDE), key=size)
    for name in (ordinary.stem, *SIDE_BY_SIDE):
        more = SIDE_BY_SIDE.get(name, 1) - 1  # models with files of their own
        assert sum(loaded(tab, site, serve, name).values()) <= MOST + more * MODEL, name


@pytest.mark.parametrize("files", [False, True], ids=["http", "file"])
def test_the_chapter_leads_to_the_figure_that_is_asked_for(open_page, home, book, files):
    base = f"{book.as_uri()}/" if files else home
    page = open_page(f"{base}book/toy.html?embed=toy-side#toy-side:lr=0.3,kind=1,seed=4")
    page.wait_for_url("**/embed/toy-side.html#toy-side:lr=0.3,kind=1,seed=4")
    found = state(page, root("toy-side"))
    assert found["settings"] == {"lr": 0.3, "kind": 1}
    assert found["seed"] == 4
    assert page.locator(".bd-header, .bd-sidebar, h1").count() == 0


@pytest.mark.parametrize("asked", ["nobody", "../index", "toy-side%22)"])
def test_a_name_that_is_no_figure_of_the_page_leaves_it_alone(open_page, home, asked):
    page = open_page(f"{home}book/toy.html?embed={asked}")
    state(page, root("toy-computed"))
    assert page.locator(".bd-content h1").count()


@pytest.fixture
def shown_elsewhere(open_page, tmp_path):
    """shown_elsewhere(frame, page, files): the frame on another site or in a file, in this page or a new one."""
    with served(tmp_path) as address:

        def show(frame, page=None, files=False):
            text = f'<!doctype html><html lang="en"><title>Blog</title><p>Words.</p>{frame}</html>'
            (tmp_path / "blog.html").write_text(text)
            page = page or open_page("about:blank")
            page.goto((tmp_path / "blog.html").as_uri() if files else f"{address}blog.html")
            return page

        yield show


def test_it_works_in_a_sandbox_without_storage(shown_elsewhere, home):
    address = f"{home}embed/toy-side.html#toy-side:lr=0.3"
    page = shown_elsewhere(f'<iframe sandbox="allow-scripts" src="{address}" width="1000" height="700"></iframe>')
    inner = page.frames[1]
    inner.wait_for_selector(f"{root('toy-side')}[aria-busy=false]")
    assert inner.evaluate("origin") == "null"
    assert (
        inner.evaluate("(() => { try { return localStorage.length } catch (error) { return error.name } })()")
        == "SecurityError"
    )
    inner.wait_for_function(f"document.querySelector('{root('toy-side')}').explorerState().count === 2")
    assert state(inner, root("toy-side"))["settings"]["lr"] == 0.3
    slider(inner, "lr", root("toy-side")).press("End")
    inner.wait_for_function("!location.hash.includes('lr=0.3')")
    shown = state(inner, root("toy-side"))
    assert shown["settings"]["lr"] == Computed(toy_side).controls_by_name["lr"].high
    figure = inner.locator(root("toy-side"))
    press_tool(inner, root("toy-side"), "python")
    assert "lib.portable import run" in figure.locator(".le-code").inner_text()


@pytest.mark.parametrize("sandbox", ["", 'sandbox="allow-scripts"'], ids=["free", "sandbox"])
def test_from_a_file_it_works_in_a_frame_and_in_a_sandbox_has_the_still_picture_and_a_link(
    shown_elsewhere, book, sandbox
):
    address = (book / "embed" / "toy-side.html").as_uri()
    frame = f'<iframe {sandbox} src="{address}" width="1000" height="700"></iframe>'
    page = shown_elsewhere(frame, files=True)
    inner = page.frames[1]
    if not sandbox:
        inner.wait_for_selector(f"{root('toy-side')}[aria-busy=false]")
        inner.wait_for_function(f"document.querySelector('{root('toy-side')}').explorerState().count === 2")
        return
    inner.wait_for_load_state("load")
    assert inner.locator(".le-ui").count() == 0  # no script of a file loads there
    picture = inner.locator(".le-still img")
    assert picture.evaluate("(image) => image.complete && image.naturalWidth > 200")
    assert picture.is_visible()
    link = inner.locator("footer a")
    assert link.inner_text() == "From Toy"
    assert link.evaluate("(a) => a.href") == (book / "book" / "toy.html").as_uri() + "#toy-side"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
def test_its_colours_are_the_readers_and_axe_finds_nothing(open_page, home, name, theme):
    page = open_page(f"{home}embed/{name}.html", color_scheme=theme)
    state(page, root(name))
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == (
        "rgb(18, 18, 18)" if theme == "dark" else "rgb(255, 255, 255)"
    )
    assert serious_barriers(page) == []
    page.emulate_media(color_scheme="light" if theme == "dark" else "dark")
    page.wait_for_function(f"document.documentElement.dataset.theme !== '{theme}'")


def test_the_link_leads_to_the_figure_as_it_stands(open_page, home):
    page = open_page(f"{home}embed/toy-side.html")
    state(page, root("toy-side"))
    slider(page, "kind", root("toy-side")).press("End")
    page.wait_for_function("location.hash.includes('kind=2')")
    with page.context.expect_page() as waiting:
        page.locator("footer a").click()
    chapter = waiting.value
    assert chapter.url.startswith(f"{home}book/toy.html#toy-side:")
    assert state(chapter, root("toy-side"))["settings"]["kind"] == 2
    chapter.close()


@pytest.mark.parametrize("name", NAMES)
def test_the_copied_code_is_a_frame_of_the_figure_as_it_stands(open_page, shown_elsewhere, home, name):
    page = open_page(f"{home}book/toy.html#{name}:seed=3")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    state(page, root(name))
    page.locator(f"{root(name)} .le-ui").hover()
    page.locator(f"{root(name)} .le-more").click()
    button = page.locator(f"{root(name)} [data-tool=embed]")
    assert button.inner_text() == "Copy embed code"
    button.click()
    page.wait_for_function(
        "(name) => document.querySelector(`[data-explorer=${name}] [data-tool=embed]`).textContent === 'Copied'",
        arg=name,
    )
    code = page.evaluate("navigator.clipboard.readText()")
    assert code.startswith("<iframe src=")
    assert 'loading="lazy"' in code
    page.set_viewport_size({"width": 1300, "height": 1000})
    shown_elsewhere(code, page)
    frame = page.locator("iframe")
    assert frame.get_attribute("title")
    box = frame.bounding_box()
    assert box["width"] == int(frame.get_attribute("width"))
    inner = page.frames[1]
    inner.wait_for_selector(f"{root(name)}[aria-busy=false]")
    assert state(inner, root(name))["seed"] == 3
    room = inner.evaluate("innerHeight - document.querySelector('footer').getBoundingClientRect().bottom")
    # the pictures of a large figure grow with its window, which is lower in the frame
    assert 0 <= room < (24 if name == "toy-stems" else 120), "the frame is as high as what it shows"
