"""The explorer on a static page, in headless Chromium: a small Jupyter Book with two figures, over http and file://."""

import json

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser import Watch, chromium_or_skip, scroll_through, served
from tests.explorer.drawn import MAIN, SIDE, assert_drawn, slider, state
from tests.explorer.toy_book import CONFIG, build, write_notebook
from tests.explorer.toy_explorer import MODULE, make, read, second, toy

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """A built book with one chapter of two explorers, far apart."""
    chromium_or_skip()
    folder = tmp_path_factory.mktemp("book")
    (folder / "_config.yml").write_text(CONFIG)
    (folder / "_toc.yml").write_text("format: jb-book\nroot: index\nchapters:\n- file: book/toy\n")
    (folder / "index.md").write_text("# Toy\n\nNo figure here.\n")
    (folder / "book").mkdir()
    space = 'from IPython.display import HTML\nHTML("<div style=height:5000px></div>")'
    write_notebook(folder / "book" / "toy.ipynb", f"from {MODULE} import make, second\nmake()", space, "second()")
    build(folder)
    (folder / "_build" / "html" / "favicon.ico").touch()  # Chromium asks for one over http
    return folder / "_build" / "html"


@pytest.fixture(scope="module")
def home(book):
    """Address of a web server for the small book."""
    with served(book) as address:
        yield address


@pytest.fixture
def open_page(chromium, home, book):
    """open_page(hash, files=False, **context): the chapter, its first figure awake; it must stay silent.

    With still=True the page's time stands still until the test moves it on by `page.clock.run_for(milliseconds)`.
    """
    opened = []

    def go(anchor="", files=False, wait=MAIN, script="", quiet=True, still=False, **context):
        base = f"{book.as_uri()}/" if files else home
        page = chromium.new_page(alone=still, **context)
        page.set_default_timeout(8000)
        watch = Watch(page, base)
        opened.append((page, watch, quiet))
        if script:
            page.add_init_script(script)
        if still:
            page.clock.install()
        page.goto(f"{base}book/toy.html{anchor}")
        if wait:
            page.wait_for_selector(f"{wait}[aria-busy=false]")
        if still:
            page.clock.pause_at(page.evaluate("Date.now()") + 1000)
        return page

    yield go
    for page, watch, quiet in opened:
        page.close()
        assert not quiet or watch.problems == []


@pytest.mark.parametrize("files", [False, True], ids=["http", "file"])
def test_every_slider_shows_the_library_s_numbers_at_every_stop_from_the_keyboard(open_page, files):
    explorer = make()
    page = open_page(files=files)
    for name, control in explorer.controls_by_name.items():
        knob = slider(page, name)
        knob.press("Home")
        for i, stop in enumerate(control.stops):
            if i:
                knob.press("ArrowRight")
            found = state(page)
            assert found["settings"][name] == stop
            assert_drawn(found, explorer, found["settings"])
            text = knob.get_attribute("aria-valuetext")
            units = {"T": " tokens", "lr": "", "Q": " position" if stop == 1 else " positions", "optimiser": ""}
            assert text == {"prox": "proximal"}.get(stop, str(stop)) + units[name]
        page.locator(f"{MAIN} [data-tool=reset]").click()
        assert_drawn(state(page), explorer, explorer.default)
    scroll_through(page)
    assert_drawn(state(page, SIDE), second(), second().default)


def test_a_point_the_run_refuses_says_why_and_the_way_back_works(open_page):
    page = open_page("#toy-main:T=32,Q=3")
    slider(page, "T").press("ArrowLeft")
    found = state(page)
    assert found["error"] == "Q: expected less than T/8 = 2, got 3"
    assert page.locator(f"{MAIN} [role=alert]").inner_text() == found["error"]
    slider(page, "T").press("ArrowRight")
    assert state(page)["error"] == ""
    assert page.locator(f"{MAIN} [role=alert]").is_hidden()


def test_divergence_is_said_and_the_lost_run_leaves_no_line(open_page):
    page = open_page("#toy-main:lr=0.5")
    assert page.locator(f"{MAIN} [role=alert]").inner_text().startswith("1 of 5 runs diverged, the first at step")


def test_settings_are_read_from_the_address_and_written_to_it(open_page):
    page = open_page("#toy-main:T=128,lr=0.1,optimiser=prox")
    assert state(page)["settings"] == {"T": 128, "lr": 0.1, "Q": 1, "optimiser": "prox"}
    slider(page, "Q").press("ArrowRight")
    page.wait_for_function("location.hash === '#toy-main:T=128,lr=0.1,Q=2,optimiser=prox'")
    page.locator(SIDE).scroll_into_view_if_needed()
    state(page, SIDE)
    slider(page, "T", SIDE).press("End")
    page.wait_for_function("location.hash === '#toy-main:T=128,lr=0.1,Q=2,optimiser=prox;toy-side:T=256,lr=0.01'")
    page.evaluate("location.hash = '#toy-main:T=16,lr=0.02;toy-side:T=32'")
    page.wait_for_function(f"document.querySelector('{MAIN}').explorerState().settings.T === 16")
    assert state(page)["settings"]["lr"] == 0.02
    assert state(page, SIDE)["settings"] == {"T": 32, "lr": 0.01}
    page.reload()
    assert state(page)["settings"]["T"] == 16


def test_a_link_to_a_value_off_the_grid_takes_the_nearest_and_says_so(open_page):
    page = open_page("#toy-main:T=100,lr=nonsense,unknown=1")
    assert state(page)["settings"] == {"T": 128, "lr": 0.05, "Q": 1, "optimiser": "SGD"}
    assert "The link asks for T = 100; this page has 128" in state(page)["notice"]
    slider(page, "T").press("ArrowLeft")
    assert state(page)["notice"] == ""


def test_a_link_to_a_figure_far_down_the_page_wakes_it_and_goes_there(open_page):
    page = open_page("#toy-side:T=64,lr=0.2", wait=SIDE)
    assert state(page, SIDE)["settings"] == {"T": 64, "lr": 0.2}
    page.wait_for_function(f"Math.abs(document.querySelector('{SIDE}').getBoundingClientRect().top) < 200")


def test_only_figures_near_the_viewport_load_their_data(open_page):
    page = open_page()
    loaded = "[...document.scripts].map((s) => s.src).filter((s) => s.includes('/explorers/')).length"
    assert page.evaluate(loaded) == 1
    page.locator(SIDE).scroll_into_view_if_needed()
    state(page, SIDE)
    assert page.evaluate(loaded) == 2


def test_the_copied_python_gives_the_same_numbers(open_page):
    page = open_page("#toy-main:T=32,lr=0.2,Q=2,optimiser=prox")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(f"{MAIN} [data-tool=python]").click()
    page.wait_for_function("document.querySelector('[data-tool=python]').textContent === 'Copied'")
    code = page.evaluate("navigator.clipboard.readText()")
    assert code == page.locator(f"{MAIN} .le-code").text_content()
    assert code.startswith("from tests.explorer.toy_explorer import toy\n")
    space = {}
    exec(code, space)
    expected = toy(32, 0.2, 2, "prox")
    assert space["data"].keys() == expected.keys()
    for key, value in expected.items():
        np.testing.assert_array_equal(space["data"][key], value)


def test_the_copied_python_has_the_arguments_that_no_slider_moves(open_page):
    page = open_page("#toy-side:T=32,lr=0.2", wait=SIDE)
    page.locator(f"{SIDE} [data-tool=python]").click()
    space = {}
    exec(page.locator(f"{SIDE} .le-code").text_content(), space)
    # the final loss of the sentence depends on the seed, which is fixed at 5
    assert read({"T": 32, "lr": 0.2}, space["data"]) == state(page, SIDE)["reading"]
    assert read({"T": 32, "lr": 0.2}, toy(32, 0.2)) != state(page, SIDE)["reading"]


def test_the_copied_link_opens_the_same_figure(open_page):
    page = open_page()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    slider(page, "lr").press("End")
    page.locator(f"{MAIN} [data-tool=link]").click()
    page.wait_for_function("document.querySelector('[data-tool=link]').textContent === 'Copied'")
    link = page.evaluate("navigator.clipboard.readText()")
    page.goto("about:blank")
    page.goto(link)
    assert state(page)["settings"] == {"T": 64, "lr": 0.5, "Q": 1, "optimiser": "SGD"}


def test_the_data_table_holds_the_numbers_of_the_figure(open_page):
    page = open_page()
    button = page.locator(f"{MAIN} [data-tool=table]")
    assert button.get_attribute("aria-expanded") == "false"
    button.click()
    assert button.get_attribute("aria-expanded") == "true"
    tables = page.locator(f"{MAIN} table")
    assert tables.count() == 5
    rows = [row.split("\t") for row in tables.nth(0).inner_text().splitlines() if "\t" in row]
    assert rows[0] == ["training time (steps)", "measured", "10 %", "90 %", "theory"]
    data = toy(64, 0.05)
    last = [float(cell.replace(",", "")) for cell in rows[-1]]
    expected = [data["steps"][-1], *np.quantile(data["loss"][:, -1], [0.5, 0.1, 0.9]), data["theory"][-1]]
    np.testing.assert_allclose(last, expected, rtol=3e-3)
    slider(page, "lr").press("End")
    cell = f"document.querySelector('{MAIN} table tbody tr:last-child td:last-child')"
    page.wait_for_function(f"{cell}.textContent < '0.06'")
    button.click()
    assert tables.nth(0).is_hidden()


def test_the_cursor_moves_through_all_panels_by_key_by_drag_and_by_play(open_page):
    page = open_page(still=True)
    frames = len(toy(64, 0.05)["steps"])
    bar = page.locator(f"{MAIN} input[data-role=time]")
    assert state(page)["cursor"] == frames - 1
    pixels = f"document.querySelector('{MAIN} canvas').toDataURL()"
    end = page.evaluate(pixels)
    bar.press("Home")
    assert state(page)["cursor"] == 0
    assert bar.get_attribute("aria-valuetext") == "0 steps"
    assert page.evaluate(pixels) != end
    chart = page.locator(f"{MAIN} .le-catcher").first
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 40)
    page.mouse.up()
    assert 0 < state(page)["cursor"] < frames - 1
    assert "measured" in page.locator(f"{MAIN} .le-tip:visible").inner_text()
    bar.press("End")
    play = page.locator(f"{MAIN} .le-play")
    play.click()
    assert play.get_attribute("aria-label") == "Pause the training"
    page.clock.run_for(1500)  # of six seconds
    play.click()
    stopped = state(page)["cursor"]
    assert stopped == pytest.approx((frames - 1) / 4, abs=1)
    assert play.get_attribute("aria-label") == "Play the training"
    page.clock.run_for(1500)
    assert state(page)["cursor"] == stopped


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_figure_follows_the_theme_and_has_no_accessibility_violations(open_page, theme):
    page = open_page(color_scheme=theme)
    page.locator(f"{MAIN} [data-tool=table]").click()
    page.locator(f"{MAIN} [data-tool=python]").click()
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    ground = page.evaluate(f"getComputedStyle(document.querySelector('{MAIN} .le-ui')).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(23, 27, 33)"}[theme]
    found = Axe().run(page, context=MAIN, options={"preload": False}).response
    serious = [v for v in found["violations"] if v["impact"] in ("serious", "critical")]
    assert serious == [], json.dumps([(v["id"], [n["html"] for n in v["nodes"]]) for v in serious], indent=1)
    assert len(found["passes"]) > 10


def test_switching_the_theme_repaints_the_heat_map(open_page):
    page = open_page()
    pixels = f"document.querySelector('{MAIN} canvas').toDataURL()"
    light = page.evaluate(pixels)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.wait_for_function(f"{pixels} !== '{light}'")
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    page.wait_for_function(f"{pixels} === '{light}'")


def test_a_phone_needs_no_sideways_scroll_and_fingers_find_the_controls(open_page):
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.locator(f"{MAIN} [data-tool=table]").click()
    page.locator(f"{MAIN} [data-tool=python]").click()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    wide = page.evaluate(
        f"""[...document.querySelectorAll('{MAIN} .le-ui *')].filter((e) => !e.closest('.le-scroll, .le-code, svg')
        && e.getBoundingClientRect().right > 390).map((e) => e.className)"""
    )
    assert wide == []
    small = page.evaluate(
        f"""[...document.querySelectorAll('{MAIN} button, {MAIN} input')].filter((e) => e.offsetHeight < 44)
        .map((e) => e.outerHTML)"""
    )
    assert small == []


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
    assert picture.get_attribute("alt").startswith("A toy. With Q = 1")


def test_old_browsers_without_decompression_streams_show_the_same_numbers(open_page):
    page = open_page(script="delete globalThis.DecompressionStream")
    assert_drawn(state(page), make(), make().default)


def test_a_figure_whose_data_do_not_load_stays_the_still_picture(open_page, chromium):
    page = open_page(wait=None, quiet=False)
    page.route("**/explorers/*", lambda route: route.abort())
    with page.expect_console_message(lambda m: "did not load" in m.text):
        page.reload()
    assert page.locator(f"{MAIN} .le-still img").is_visible()


def test_less_motion_plays_as_a_few_stills(open_page):
    page = open_page(still=True, reduced_motion="reduce")
    page.locator(f"{MAIN} .le-play").click()
    page.clock.run_for(700)  # of 750 for each still
    assert state(page)["cursor"] == 0
    page.clock.run_for(700)
    assert state(page)["cursor"] == round((len(toy(64, 0.05)["steps"]) - 1) / 8)


def test_a_cached_build_has_its_data_again_and_pages_without_figures_load_no_chart_script(book):
    folder = book.parent.parent
    files = sorted(p.name for p in (book / "_static" / "explorers").iterdir())
    assert [name.rsplit("-", 1)[0] for name in files] == ["toy-main", "toy-side"]
    for path in (book / "_static" / "explorers").iterdir():
        path.unlink()
    for page in book.rglob("*.html"):
        page.unlink()
    (book / "_static" / "explorers" / "toy-main-000000000000.js").write_text("of an older build")
    assert "executed" not in build(folder), "the cache was not used"
    assert sorted(p.name for p in (book / "_static" / "explorers").iterdir()) == files
    assert "explorer.js" not in (book / "index.html").read_text()
    assert "le-payload" not in (book / "book" / "toy.html").read_text()


def test_two_explorers_of_one_name_on_a_page_stop_the_build(book):
    folder = book.parent.parent
    write_notebook(folder / "book" / "toy.ipynb", f"from {MODULE} import second\nsecond()", "second()")
    with pytest.raises(AssertionError, match="expected explorers with different names, got 'toy-side' twice"):
        build(folder)
