"""Figures on a built page, in headless Chromium: when they wake, on paper, without scripts, in a cached build."""

import re
from urllib.parse import unquote

import pytest

from hal.figure import Computed
from tests.browser import press_tool
from tests.figure import toy_side
from tests.figure.drawn import settled, slider, state
from tests.figure.toy_book import SECOND, build, make_book, write_notebook

pytestmark = pytest.mark.browser
MAIN, SIDE = "[data-explorer=toy-computed]", "[data-explorer=toy-side]"


@pytest.fixture
def open_page(tab, home, book):
    """open_page(hash, files, still, **context): the chapter, silent, a figure awake; its time may stand still."""

    def go(anchor="", files=False, wait=MAIN, quiet=True, still=False, **context):
        base = f"{book.as_uri()}/" if files else home
        page = tab(base, silent=quiet, alone=still, **context)
        if still:
            page.clock.install()
        page.goto(f"{base}book/toy.html{anchor}")
        if wait:
            page.wait_for_selector(f"{wait}[aria-busy=false]")
        if still:
            page.clock.pause_at(page.evaluate("Date.now()") + 1000)
        return page

    return go


@pytest.mark.parametrize("files", [False, True], ids=["http", "file"])
def test_link_wakes_figure_far_down_goes_there_and_keys_choose_its_names(open_page, files):
    page = open_page("#toy-side:lr=0.2,kind=1", wait=SIDE, files=files)
    assert state(page, SIDE)["settings"] == {"lr": 0.2, "kind": 1}
    page.wait_for_function(f"Math.abs(document.querySelector('{SIDE}').getBoundingClientRect().top) < 200")
    knob = slider(page, "kind", SIDE)
    knob.press("Home")
    for place, word in enumerate(("right", "left", "left too")):
        if place:
            knob.press("ArrowRight")
        assert state(page, SIDE)["settings"]["kind"] == place
        assert knob.inner_text() == word
    figure, found = Computed(toy_side), settled(page, SIDE, 2, kind=2)
    assert found["reading"] == figure.draw(figure.compute(found["settings"], runs=2)).reading


def test_figure_wakes_near_the_viewport_and_the_copied_link_holds_the_settings_of_both(open_page):
    page = open_page("#toy-computed:N=2,mu=0.5/0.5")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    assert page.evaluate(f"!document.querySelector('{SIDE}').explorerState")
    page.locator(SIDE).scroll_into_view_if_needed()
    assert state(page, SIDE)["settings"] == Computed(toy_side).default
    slider(page, "kind", SIDE).press("End")
    page.wait_for_function("location.hash.includes(';toy-side:v=1,lr=0.1,kind=2')")
    assert page.evaluate("location.hash").startswith("#toy-computed:N=2,mu=0.5/0.5")
    page.evaluate("location.hash = '#toy-computed:N=1;toy-side:lr=0.3'")
    page.wait_for_function(f"document.querySelector('{MAIN}').explorerState().settings.N === 1")
    assert state(page, SIDE)["settings"] == {"lr": 0.3, "kind": 0}
    slider(page, "lr", MAIN).press("End")
    press_tool(page, MAIN, "link")
    page.wait_for_function("document.querySelector('[data-tool=link]').textContent === 'Copied'")
    link = page.evaluate("navigator.clipboard.readText()")
    page.goto("about:blank")
    page.goto(link)
    assert (state(page, MAIN)["settings"]["lr"], state(page, MAIN)["settings"]["N"]) == (3, 1)


def test_switching_the_theme_repaints_the_heat_map(open_page):
    page = open_page()
    pixels = f"document.querySelector('{MAIN} canvas.le-cells').toDataURL()"
    light = page.evaluate(pixels)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.wait_for_function(f"{pixels} !== '{light}'")
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    page.wait_for_function(f"{pixels} === '{light}'")


def test_page_without_javascript_shows_the_still_picture_and_on_a_phone_it_can_be_read(open_page):
    page = open_page(java_script_enabled=False, wait=None, quiet=False)
    picture = page.locator(f"{MAIN} .le-still img")
    assert picture.is_visible()
    assert picture.bounding_box()["height"] > 200
    page.set_viewport_size({"width": 390, "height": 844})
    drawn = unquote(picture.get_attribute("src"))
    wide = float(re.search(r'viewBox="-4 0 ([\d.]+) ', drawn)[1])
    sizes = {float(size) for size in re.findall(r'font-size(?:="|:)([\d.]+)(?:px)?["};]', drawn)}
    assert sizes
    assert min(sizes) * picture.bounding_box()["width"] / wide >= 12
    assert page.locator(f"{MAIN} .le-still").bounding_box()["width"] < 390
    assert page.locator(f"{MAIN} .le-still[tabindex='0']").count() == 1, "it scrolls by key"


def test_a_figure_whose_program_does_not_load_stays_the_still_picture(open_page):
    page = open_page(wait=None, quiet=False)
    page.route("**/explorers/*", lambda route: route.abort())
    with page.expect_console_message(lambda m: "did not load" in m.text):
        page.reload()
    assert page.locator(f"{MAIN} .le-still img").is_visible()


def test_less_motion_plays_as_a_few_stills(open_page):
    page = open_page(still=True, reduced_motion="reduce")
    last = state(page, MAIN)["cursor"]
    page.locator(f"{MAIN} .le-play").click()
    page.clock.run_for(700)  # of 750 for each still
    assert state(page, MAIN)["cursor"] == 0
    page.clock.run_for(700)
    assert state(page, MAIN)["cursor"] == int(last / 8 + 0.5)


@pytest.fixture(scope="module")
def own_book(tmp_path_factory):
    """A book that is built again."""
    return make_book(tmp_path_factory.mktemp("book"), toy=[SECOND])


def test_cached_build_has_its_programs_again_and_nothing_of_an_older_one(own_book):
    folder, programs = own_book.parent.parent, own_book / "_static" / "explorers"
    kept = {path.name: path.read_text() for path in programs.iterdir()}
    kinds = sorted(name.partition("-")[0] for name in kept)  # the editor, what trains, the rest, and the page's
    assert kinds == ["change", "model", "programs", "rest"]
    (text,) = (text for name, text in kept.items() if name.startswith("programs"))
    keys = re.findall(r'libPortable\?\?=\{\}\)\["([^"]+)"\]', text)
    assert len(keys) == len(set(keys)) > 2
    for path in [*programs.iterdir(), *own_book.rglob("*.html")]:
        path.unlink()
    (programs / "programs-000000000000.js").write_text("of an older build")
    (own_book / "embed" / "toy-gone.html").write_text("of an older build")
    assert "executed" not in build(folder), "the cache was not used"
    assert {path.name: path.read_text() for path in programs.iterdir()} == kept
    assert [path.stem for path in (own_book / "embed").iterdir()] == ["toy-side"]


def test_phrases_that_set_nothing_and_figures_of_one_name_stop_the_build(own_book):
    folder = own_book.parent.parent
    write_notebook(folder / "book" / "toy.ipynb", SECOND, text="[x](#toy-side:kind=9) and [y](#nobody:Q=4)")
    with pytest.raises(AssertionError) as error:
        build(folder)
    assert "link #toy-side:kind=9: kind: expected a whole number from 0 to 2, got '9'" in str(error.value)
    assert "expected an explorer of this page (toy-side), got 'nobody'" in str(error.value)
    assert "toy.ipynb" in str(error.value)
    write_notebook(folder / "book" / "toy.ipynb", SECOND, "show(toy_side)")
    with pytest.raises(AssertionError, match="expected explorers with different names, got 'toy-side' twice"):
        build(folder)
