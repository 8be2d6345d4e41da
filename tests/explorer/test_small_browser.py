"""Small figures in headless Chromium: the laws of their size, text and hands, workers, no barriers."""

import csv
import json
import re

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

from hal.chapters.scb.figures import lookup
from hal.explorer import Small
from tests.browser import Watch, explorer_state
from tests.explorer.drawn import state, write_page
from tests.explorer.toy_book import make_book
from tests.explorer.toy_smalls import SMALLS, of_paper, small
from tests.rows import smalls

pytestmark = pytest.mark.browser
FIGURES = {f"toy-{name}": small(name) for name in SMALLS}
FIGURES |= {name: Small(module) for name, (module, _) in smalls().items()}
SECOND_RUN = small("run", NAME="toy-rerun")
every = pytest.mark.parametrize("name", FIGURES)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A page on disk with every small figure, under each other."""
    figures = [*FIGURES.values(), SECOND_RUN]
    html = "".join(f"<h2>{i}</h2><p>Words.</p>{figure.html()}" for i, figure in enumerate(figures))
    return write_page(tmp_path_factory.mktemp("small"), f"<h1>Toy</h1>{html}")


@pytest.fixture
def open_page(tab, address):
    """open_page(name, width, anchor, **context): the page at that width of its text, the figure in sight and awake."""

    def go(name, width=784, anchor="", theme="light", **context):
        page = tab(address, viewport={"width": width + 16, "height": 844}, **context)
        page.goto(f"{address}{anchor}")
        page.add_style_tag(content="body { margin: 8px; font-family: sans-serif } h2, p { font-size: 16px }")
        if theme == "dark":
            page.add_style_tag(content="body { background: #121212; color: #eee }")
            page.evaluate("document.documentElement.dataset.theme = 'dark'")
        page.locator(f"[data-explorer={name}]").evaluate("(root) => root.scrollIntoView({ block: 'center' })")
        page.wait_for_selector(f"[data-explorer={name}].le-awake[id] .le-ui")
        state(page, f"[data-explorer={name}]")
        return page

    return go


def root(name):
    return f"[data-explorer={name}]"


@every
@pytest.mark.parametrize("width", [784, 358])
def test_it_is_small_and_its_text_can_be_read(open_page, name, width):
    page = open_page(name, width)
    box = page.locator(f"{root(name)} > .le-ui").bounding_box()
    assert box["height"] <= (FIGURES[name].tallest if width == 784 else 520)
    assert box["width"] <= width
    sizes = page.evaluate(f"""[...document.querySelectorAll("{root(name)} .le-ui *")]
      .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
      .filter((one) => one.getBoundingClientRect().width && !one.closest(".le-tip"))
      .map((one) => parseFloat(getComputedStyle(one).fontSize))""")
    assert sizes
    assert min(sizes) >= 12
    assert page.evaluate("document.documentElement.scrollWidth") <= width + 16


@every
def test_every_hand_moves_by_keyboard_and_the_sentence_follows(open_page, name):
    page, figure = open_page(name), FIGURES[name]
    kinds = ".le-handle, input[type=range][data-setting], [role=radio][aria-checked=true]"
    hands = page.locator(f"{root(name)} :is({kinds})")
    assert hands.count() >= 1
    for hand in hands.all():
        before = state(page, root(name))["settings"]
        hand.focus()
        switch = hand.get_attribute("role") == "radio"
        at_its_end = hand.evaluate(
            "(one) => one.role === 'radio' ? !one.nextElementSibling : one.value !== undefined && one.value === one.max"
        )
        for key in ("ArrowLeft",) if at_its_end else ("ArrowRight",) if switch else ("ArrowRight", "ArrowUp"):
            page.keyboard.press(key)
        page.wait_for_function(
            "([which, before]) => JSON.stringify(document.querySelector(which).explorerState().settings) !== before",
            arg=[root(name), json.dumps(before, separators=(",", ":"))],
        )
        found = state(page, root(name))
        expected = figure.compute(found["settings"], seed=found["seed"], runs=0)
        for key, values in expected.theory.items():
            np.testing.assert_array_equal([float(v) for v in found["theory"][key]], values, key)
        if figure.run is None:
            assert found["reading"] == figure.draw(expected).reading
            assert switch or hand.get_attribute("aria-valuetext")


@every
def test_the_page_draws_what_the_still_picture_does(open_page, name):
    page, figure = open_page(name), FIGURES[name]
    items = figure.draw(figure.compute(runs=figure.first)).items
    found = state(page, root(name))["arrays"]
    for role, array in items.items():
        values = [np.nan if v is None else v for v in found[role]["data"]]
        np.testing.assert_array_equal(np.array(values, dtype=float), array.ravel(), role)


def barriers(page, which):
    """What axe-core finds in a figure with all of its rules."""
    page.evaluate(Axe().axe_script)
    return page.evaluate(f"""async () => {{
      const rules = Object.fromEntries(axe.getRules().map((rule) => [rule.ruleId, {{ enabled: true }}]));
      const {{ violations }} = await axe.run("{which}", {{ preload: false, resultTypes: ["violations"], rules }});
      return violations.map((one) => [one.id, one.nodes.map((node) => node.html.slice(0, 200))]);
    }}""")


@every
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_at_all_with_every_rule_on(open_page, name, theme):
    page = open_page(name, theme=theme)
    assert barriers(page, root(name)) == []
    more = page.locator(f"{root(name)} .le-more")
    more.focus()
    page.keyboard.press("Enter")
    assert barriers(page, f"{root(name)} .le-menu") == []  # it lies over the picture while it is open


def test_link_python_table_and_file_wait_behind_one_button(open_page):
    page, name = open_page("toy-stems"), root("toy-stems")
    menu, more = page.locator(f"{name} .le-tools"), page.locator(f"{name} .le-more")
    assert not menu.is_visible()
    page.locator(f"{name} .le-ui").hover()
    more.click()
    assert menu.locator("button").all_inner_texts() == ["Copy link", "Copy Python", "Data table", "CSV", "Reset"]
    menu.locator("[data-tool=table]").click()
    assert page.locator(f"{name} .le-tables tbody tr").count() == 400
    with page.expect_download() as waiting:
        menu.locator("[data-tool=csv]").click()
    rows = list(csv.DictReader(waiting.value.path().read_text(encoding="utf-8").splitlines()))
    drawn = small("stems").drawn()["net.values"]
    assert [float(row["value"]) for row in rows if row["series"] == "net.values"] == list(drawn)
    menu.locator("[data-tool=python]").click()
    assert "for law in (toy_smalls.net,):" in page.locator(f"{name} .le-code").inner_text()
    page.keyboard.press("Escape")
    assert not menu.is_visible()
    assert more.evaluate("(node) => node === document.activeElement")


def test_what_to_do_goes_away_at_the_first_touch_and_nothing_moves(open_page):
    page, name = open_page("toy-columns"), root("toy-columns")
    hint, picture = page.locator(f"{name} .le-hint"), page.locator(f"{name} .le-plot")
    assert hint.is_visible()
    place = picture.bounding_box()
    page.locator(f"{name} .le-handle").focus()
    page.keyboard.press("ArrowUp")
    assert not hint.is_visible()
    assert picture.bounding_box() == place


def test_another_batch_is_another_seed_and_stands_in_the_link(open_page):
    page, name = open_page("scb-lookup"), root("scb-lookup")
    page.get_by_role("button", name="Another batch").click()
    page.wait_for_function("document.querySelector('[data-explorer=scb-lookup]').explorerState().seed === 1")
    found = state(page, name)
    assert found["reading"] == Small(lookup).draw(Small(lookup).compute(seed=1)).reading
    page.wait_for_function("location.hash.includes('seed=1')")


def test_a_link_sets_it(open_page):
    page = open_page("toy-landscape", anchor="#toy-landscape:x=-1,y=-0.5")
    assert state(page, root("toy-landscape"))["reading"] == "It rolls into the mirrored valley."


DRAGS = [
    ("toy-landscape", (60, -60), "x"),
    ("toy-columns", (0, -40), "level"),
    ("toy-arcs", (160, 0), "at"),
    ("toy-grid", (-60, 0), "at"),
    ("toy-ink", (140, 0), "at"),
    ("toy-arrows", (-60, -60), "x"),
    ("toy-points", (60, -40), "x"),
    ("toy-walk", (-100, -100), "at"),
]


@pytest.mark.parametrize(("name", "to", "moved"), DRAGS)
def test_a_handle_is_dragged(open_page, name, to, moved):
    page = open_page(name)
    before = state(page, root(name))["settings"]
    box = page.locator(f"{root(name)} .le-handle").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + to[0], y + to[1], steps=4)
    page.mouse.up()
    after = state(page, root(name))
    assert after["settings"][moved] != before[moved]
    expected = FIGURES[name].compute(after["settings"])
    assert after["reading"] == FIGURES[name].draw(expected).reading


@pytest.mark.parametrize("width", [784, 358])
def test_a_phrase_sets_it_and_the_way_back_moves_nothing(open_page, width):
    page, name = open_page("toy-columns", width), root("toy-columns")
    top = "document.querySelector('{}').getBoundingClientRect().top".format
    below = f"{top(f'{name} .le-plot')} - {top(name)}"
    place = page.evaluate(below)
    page.evaluate("""() => {
      const phrase = document.createElement("a");
      Object.assign(phrase, { href: "#toy-columns:level=0.5", textContent: "there", className: "explorer-phrase" });
      document.querySelector("main").prepend(phrase);
    }""")
    page.locator("a.explorer-phrase").click()
    back = page.get_by_role("button", name="Back to the text")
    back.wait_for()
    assert state(page, name)["settings"]["level"] == 0.5
    assert page.evaluate(below) == pytest.approx(place, abs=0.6)
    assert not page.locator(f"{name} .le-hint").is_visible()
    back.click()
    assert state(page, name)["settings"]["level"] == 0.3


@pytest.mark.parametrize("name", ["toy-landscape", "toy-stems", "toy-grid"])
def test_a_finger_has_room(open_page, name):
    page = open_page(name, 358, has_touch=True)
    for handle in page.locator(f"{root(name)} .le-handle").all():
        box = handle.bounding_box()
        assert min(box["width"], box["height"]) >= 44
    assert page.locator(f"{root(name)} .le-more").evaluate("(node) => getComputedStyle(node).opacity") == "1"


def test_small_figures_train_in_workers_and_rest_out_of_sight(open_page):
    page = open_page("toy-run")
    page.locator(root("toy-rerun")).evaluate("(root) => root.scrollIntoView()")
    found = state(page, root("toy-rerun"))
    assert found["trainer"] == "worker"
    assert 1 <= len(page.workers) < len(FIGURES)  # those that have been near the window have one each
    for name in ("toy-run", "toy-rerun"):
        page.locator(root(name)).evaluate("(root) => root.scrollIntoView({ block: 'center' })")
        slider = page.locator(f"{root(name)} input[data-setting=lr]")
        slider.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function(f"""(() => {{ const s = document.querySelector("{root(name)}").explorerState();
          return s.count === 1 && s.drawn.lr === s.settings.lr && s.settings.lr > 0.1; }})()""")
        found = state(page, root(name))
        (run,) = FIGURES["toy-run"].compute(found["settings"], runs=1).runs
        for key in ("steps", "attention"):
            assert found["runs"][0]["readings"][key] == list(run[key])
    page.locator(root("toy-arcs")).evaluate("(root) => root.scrollIntoView()")
    page.wait_for_function(f"document.querySelector('{root('toy-rerun')}').explorerState().resting")


def test_a_run_plays_by_its_time_bar_and_the_space_key_does_nothing_without_one(open_page):
    page = open_page("toy-run")
    time = page.locator(f"{root('toy-run')} input[data-role=time]")
    time.fill("0")
    start = state(page, root("toy-run"))
    assert start["time"] == 0
    page.locator(f"{root('toy-run')} .le-play").click()
    page.wait_for_function(f"document.querySelector('{root('toy-run')}').explorerState().cursor > 1")
    quiet = page.locator(f"{root('toy-grid')}")
    quiet.evaluate("(root) => root.scrollIntoView({ block: 'center' })")
    state(page, root("toy-grid"))
    assert quiet.locator(".le-time").count() == 0
    quiet.locator(".le-handle").focus()
    page.keyboard.press("Space")
    assert state(page, root("toy-grid"))["cursor"] == 0


def test_the_ground_of_points_has_the_tint_of_its_sign(open_page):
    """In every square whose four corners agree, wherever the query is; none where they have no number."""
    page = open_page("toy-points")
    for key in ("Home", "End"):
        page.locator(f"{root('toy-points')} .le-handle").focus()
        for _ in range(3):
            page.keyboard.press("Shift+ArrowRight" if key == "End" else "Shift+ArrowLeft")
        ground = state(page, root("toy-points"))["arrays"]["0.ground"]["data"]
        inside = page.evaluate(
            """([which, wide, high]) => {
              const tints = [...document.querySelectorAll(`${which} .le-tint`)];
              const { x, y, width, height } = tints[0].ownerSVGElement.viewBox.baseVal;
              const middle = (k) => new DOMPoint(x + (width * ((k % wide) + 0.5)) / wide,
                y + height * (1 - (Math.floor(k / wide) + 0.5) / high));
              return tints.map((tint) => Array.from({ length: wide * high }, (_, k) => tint.isPointInFill(middle(k))));
            }""",
            [root("toy-points"), 14, 10],
        )
        seen = set()
        for k in range(14 * 10):
            at = (k // 14) * 15 + k % 14
            corners = [ground[at], ground[at + 1], ground[at + 15], ground[at + 16]]
            if min(corners) > 0 or max(corners) < 0:
                assert [inside[0][k], inside[1][k]] == [max(corners) < 0, min(corners) > 0], k
                seen.add(min(corners) > 0)
        assert seen == {True, False}


def test_without_a_worker_the_page_trains_itself(chromium, address):
    page = chromium.new_page(viewport={"width": 800, "height": 844}, alone=True)
    page.add_init_script("globalThis.Worker = undefined")
    page.goto(address)
    page.locator(root("toy-rerun")).evaluate("(root) => root.scrollIntoView()")
    slider = page.locator(f"{root('toy-rerun')} input[data-setting=lr]")
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"""(() => {{ const s = document.querySelector("{root("toy-rerun")}").explorerState();
      return s.count === 1 && s.trainer === "page" && s.drawn.lr > 0.1; }})()""")
    page.close()


def test_thirty_on_one_page_wake_as_they_come_into_sight(chromium, tmp_path):
    html = "".join(small("grid", NAME=f"toy-grid-{i}").html() for i in range(30))
    address = write_page(tmp_path, html)
    page = chromium.new_page(viewport={"width": 800, "height": 844})
    watch = Watch(page, address)
    page.goto(address)
    page.wait_for_selector("[data-explorer=toy-grid-0].le-awake")
    assert page.locator(".le-awake").count() < 15
    page.locator("[data-explorer=toy-grid-29]").evaluate("(root) => root.scrollIntoView()")
    found = state(page, "[data-explorer=toy-grid-29]")
    assert found["reading"] == "The cell holds 0.14."
    page.close()
    assert watch.problems == []


def test_a_row_of_the_papers_length_is_one_path_a_kind_and_its_table_counts_all(chromium, tmp_path):
    """5000 tokens: one mark for each pixel, 200 arcs, the others as a comb that says how many they are."""
    figure = small("long", NAME="toy-paper", settings=of_paper)
    page = chromium.new_page(viewport={"width": 800, "height": 844})
    watch = Watch(page, address := write_page(tmp_path, figure.html()))
    page.goto(address)
    root = "[data-explorer=toy-paper]"
    state(page, root)
    paths = [path.get_attribute("d") for path in page.locator(f"{root} .le-tokens").all()]
    assert len(paths) == len(set(figure.compute(runs=0).theory["look.tokens"])) == 3
    at = np.sort([float(re.match(r"[\d.]+", part)[0]) for path in paths for part in path.split("M")[1:]])
    wide = page.locator(f"{root} .le-chart").bounding_box()["width"]
    assert len(at) <= wide
    assert np.diff(at).max() < 2
    assert at[-1] - at[0] > 0.9 * wide
    arcs = [path.get_attribute("d") for path in page.locator(f"{root} .le-arc").all()]  # one for each width
    assert sum(path.count("M") for path in arcs) == 200
    assert len(arcs) <= 2 * 65  # of each sign
    assert page.locator(f"{root} .le-comb").get_attribute("d").count("M") <= wide
    assert page.locator(f"{root} .le-words").first.inner_html().startswith("4,800 others share")
    page.locator(f"{root} .le-more").click()
    page.locator(f"{root} [data-tool=table]").click()
    assert page.locator(f"{root} .le-tables tbody tr").count() == 5000
    page.close()
    assert watch.problems == []


def test_numbers_that_are_none_are_gaps(open_page):
    """Of 400 expected heights two are numbers: two ticks are drawn, and the table has a dash for the others."""
    page = open_page("toy-stems")
    path = page.locator(f"{root('toy-stems')} .le-theory").get_attribute("d")
    assert path.count("M") == 2
    page.locator(f"{root('toy-stems')} .le-more").focus()
    page.keyboard.press("Enter")
    page.locator(f"{root('toy-stems')} [data-tool=table]").click()
    assert page.locator(f"{root('toy-stems')} .le-tables tbody tr").first.locator("td").last.inner_text() == "–"


def test_a_book_holds_them_their_scenes_travel_with_the_programs_of_the_page(chromium, tmp_path):
    start = "from tests.explorer.toy_smalls import small\n"
    pages = make_book(tmp_path, "toy", f'{start}small("grid")', f'{start}small("stems")')
    shown = (pages / "book" / "toy.html").read_text(encoding="utf-8")
    (programs,) = set(re.findall(r'data-programs="([^"]+)"', shown))  # embedded, each figure has a file of its own
    text = (pages / "_static" / "explorers" / f"{programs}.js").read_text(encoding="utf-8")
    assert [f"part-{kind}-" in text for kind in ("small", "grid", "stems", "arcs")] == [True, True, True, False]
    assert "function makeGrid(" not in (pages / "_static" / "explorer.js").read_text(encoding="utf-8")
    page = chromium.new_page(viewport={"width": 1200, "height": 844})
    page.goto(f"{pages.as_uri()}/book/toy.html")
    page.locator("[data-explorer=toy-grid]").evaluate("(root) => root.scrollIntoView()")
    assert state(page, "[data-explorer=toy-grid]")["reading"] == "The cell holds 0.14."
    page.locator("[data-explorer=toy-stems]").evaluate("(root) => root.scrollIntoView()")
    state(page, "[data-explorer=toy-stems]")
    assert explorer_state(page, "[data-explorer=toy-grid]")["error"] == ""
    page.close()
