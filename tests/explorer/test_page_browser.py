"""Figures on a built page, in headless Chromium: when they wake, on paper, without scripts, in a cached build."""

import re
from urllib.parse import unquote

import pytest

from hal.explorer import Computed
from tests.browser import chromium_or_skip, served
from tests.explorer import toy_side
from tests.explorer.drawn import slider, state
from tests.explorer.toy_book import SECOND, build, make_book, write_notebook

pytestmark = pytest.mark.browser
MAIN, SIDE = "[data-explorer=toy-computed]", "[data-explorer=toy-side]"
FIRST = "from tests.explorer.toy_computed import explorer\nexplorer(CAPTION='Five seeds.')"
SPACE = 'from IPython.display import HTML\nHTML("<div style=height:5000px></div>")'


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """A built book with one chapter of two figures, far apart."""
    chromium_or_skip()
    return make_book(tmp_path_factory.mktemp("book"), "toy", FIRST, SPACE, SECOND)


@pytest.fixture(scope="module")
def home(book):
    with served(book) as address:
        yield address


@pytest.fixture
def open_page(tab, home, book):
    """open_page(hash, files=False, **context): the chapter, its first figure awake; it must stay silent.

    With still=True the page's time stands still until the test moves it on by `page.clock.run_for(milliseconds)`.
    """

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


def test_names_are_chosen_by_keys_and_what_they_stand_for_is_drawn(open_page):
    page = open_page("#toy-side:kind=1", wait=SIDE)
    knob = slider(page, "kind", SIDE)
    knob.press("Home")
    for place, word in enumerate(("right", "left", "left too")):
        if place:
            knob.press("ArrowRight")
        assert state(page, SIDE)["settings"]["kind"] == place
        assert knob.inner_text() == word
    page.wait_for_function(f"document.querySelector('{SIDE}').explorerState().count === 2")
    figure = Computed(toy_side)
    ours = figure.compute({"kind": 2}, runs=2)
    assert state(page, SIDE)["reading"] == figure.draw(ours).reading


def test_only_figures_near_the_viewport_wake(open_page):
    page = open_page()
    asleep = f"!document.querySelector('{SIDE}').explorerState"
    assert page.evaluate(asleep)
    page.locator(SIDE).scroll_into_view_if_needed()
    assert state(page, SIDE)["settings"] == Computed(toy_side).default


@pytest.mark.parametrize("files", [False, True], ids=["http", "file"])
def test_a_link_to_a_figure_far_down_the_page_wakes_it_and_goes_there(open_page, files):
    page = open_page("#toy-side:lr=0.2,kind=1", wait=SIDE, files=files)
    assert state(page, SIDE)["settings"] == {"lr": 0.2, "kind": 1}
    page.wait_for_function(f"Math.abs(document.querySelector('{SIDE}').getBoundingClientRect().top) < 200")


def test_the_address_holds_the_settings_of_both_figures(open_page):
    page = open_page("#toy-computed:N=2,mu=0.5/0.5")
    page.locator(SIDE).scroll_into_view_if_needed()
    state(page, SIDE)
    slider(page, "kind", SIDE).press("End")
    page.wait_for_function("location.hash.includes(';toy-side:v=1,lr=0.1,kind=2')")
    assert page.evaluate("location.hash").startswith("#toy-computed:N=2,mu=0.5/0.5")
    page.evaluate("location.hash = '#toy-computed:N=1;toy-side:lr=0.3'")
    page.wait_for_function(f"document.querySelector('{MAIN}').explorerState().settings.N === 1")
    assert state(page, SIDE)["settings"] == {"lr": 0.3, "kind": 0}


def test_the_copied_link_opens_the_same_figure(open_page):
    page = open_page()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    slider(page, "lr", MAIN).press("End")
    page.locator(f"{MAIN} [data-tool=link]").click()
    page.wait_for_function("document.querySelector('[data-tool=link]').textContent === 'Copied'")
    link = page.evaluate("navigator.clipboard.readText()")
    page.goto("about:blank")
    page.goto(link)
    assert state(page, MAIN)["settings"]["lr"] == 3


def test_the_cursor_follows_a_drag_over_a_chart_and_the_read_out_shows_what_was(open_page):
    page = open_page(still=True)
    last = state(page, MAIN)["cursor"]
    chart = page.locator(f"{MAIN} .le-panel:has(.le-marks) .le-catcher")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 40)
    page.mouse.up()
    assert 0 < state(page, MAIN)["cursor"] < last
    assert "V, theory" in page.locator(f"{MAIN} .le-tip:visible").inner_text()


def test_switching_the_theme_repaints_the_heat_map(open_page):
    page = open_page()
    pixels = f"document.querySelector('{MAIN} canvas.le-cells').toDataURL()"
    light = page.evaluate(pixels)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.wait_for_function(f"{pixels} !== '{light}'")
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    page.wait_for_function(f"{pixels} === '{light}'")


@pytest.mark.parametrize("script", [True, False], ids=["print", "no-script"])
def test_print_and_pages_without_javascript_show_the_still_picture(open_page, script):
    page = open_page(java_script_enabled=script, wait=MAIN if script else None, quiet=script)
    picture = page.locator(f"{MAIN} .le-still img")
    if script:
        assert picture.is_hidden()
        page.emulate_media(media="print")
        assert page.locator(f"{MAIN} .le-ui").is_hidden()
    assert picture.is_visible()
    assert picture.bounding_box()["height"] > 200
    assert picture.get_attribute("alt").startswith("A toy that computes. 3 of 3 runs go right")
    assert page.locator(f"{MAIN} figcaption").text_content() == "Five seeds."


def test_the_text_of_the_still_picture_can_be_read_on_a_phone(open_page):
    page = open_page(java_script_enabled=False, wait=None, quiet=False, viewport={"width": 390, "height": 844})
    picture = page.locator(f"{MAIN} .le-still img")
    drawn = unquote(picture.get_attribute("src"))
    wide = float(re.search(r'viewBox="0 0 ([\d.]+) ', drawn)[1])
    sizes = {float(size) for size in re.findall(r'<text style="[^"]*font-size: ([\d.]+)px', drawn)}
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
    assert state(page, MAIN)["cursor"] == round(last / 8)


def test_a_cached_build_has_its_programs_again_and_pages_without_figures_load_no_chart_script(book):
    folder, programs = book.parent.parent, book / "_static" / "explorers"
    kept = {path.name: path.read_text() for path in programs.iterdir()}
    kinds = [name.partition("-")[0] for name in kept]
    assert kinds.count("programs") == 3  # of the chapter, and of each of its two figures alone
    assert (kinds.count("change"), kinds.count("model"), len(kinds)) == (1, 2, 6)  # the editor, and what each trains
    for name in kept:
        (programs / name).unlink()
    for page in book.rglob("*.html"):
        page.unlink()
    (programs / "programs-000000000000.js").write_text("of an older build")
    (book / "embed" / "toy-gone.html").write_text("of an older build")
    assert "executed" not in build(folder), "the cache was not used"
    assert {path.name: path.read_text() for path in programs.iterdir()} == kept
    assert sorted(path.stem for path in (book / "embed").iterdir()) == ["toy-computed", "toy-side"]
    assert "explorer.js" not in (book / "index.html").read_text()
    assert "le-module" not in (book / "book" / "toy.html").read_text()


def test_two_explorers_of_one_name_on_a_page_stop_the_build(book):
    folder = book.parent.parent
    write_notebook(folder / "book" / "toy.ipynb", SECOND, "show(toy_side)")
    with pytest.raises(AssertionError, match="expected explorers with different names, got 'toy-side' twice"):
        build(folder)
