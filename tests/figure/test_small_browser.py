"""Small figures in headless Chromium: the laws of their size, text and hands, workers, no barriers."""

import csv
import re
from functools import cache

import numpy as np
import pytest

from hal.figure import Small
from tests.browser import explorer_state, press_tool
from tests.figure.drawn import barriers, dragged, settled, state, write_page
from tests.figure.toy_smalls import SMALLS, of_paper, small
from tests.in_page import InPage
from tests.rows import smalls

pytestmark = pytest.mark.browser
FIGURES = {f"toy-{name}": lambda name=name: small(name) for name in SMALLS}
FIGURES |= {name: lambda module=module: Small(module) for name, (module, _) in smalls().items()}
FIGURES |= {
    "toy-paper": lambda: small("long", NAME="toy-paper", settings=of_paper),
}
EVERY = [*(f"toy-{name}" for name in SMALLS), *smalls()]
STYLE = "body { font-family: sans-serif } [data-theme=dark] body { background: #121212; color: #eee }"
HANDS = ".le-handle, input[type=range][data-setting], [role=radio][aria-checked=true]"


@cache
def made(name):
    """A figure by its name."""
    return FIGURES[name]()


def root(name):
    return f"[data-explorer={name}]"


def seen(page, name):
    """The state of a figure, brought into sight and awake."""
    page.locator(root(name)).evaluate("(root) => root.scrollIntoView({ block: 'center' })")
    page.wait_for_selector(f"{root(name)}.le-awake[id] .le-ui")
    return state(page, root(name))


@pytest.fixture
def open_page(alone):
    """open_page(*names, width, **context): figures under each other, the first in sight and awake."""

    def go(*names, width=784, **context):
        page = alone(*map(made, names), width=width + 16, **context)
        page.add_style_tag(content=STYLE)
        seen(page, names[0])
        return page

    return go


def of_size(page, name, width):
    """What is too large or too small of a figure at a width."""
    box, most = (
        page.locator(f"{root(name)} > .le-ui").bounding_box(),
        made(name).tallest if width == 784 else 844,
    )  # a screen
    if box["height"] > most or box["width"] > width:
        yield f"{box['width']} x {box['height']} pixels, where {width} x {most} are given"
    if page.evaluate("document.documentElement.scrollWidth") > width + 16:
        yield "the page scrolls sideways"
    sizes = page.evaluate(f"""[...document.querySelectorAll("{root(name)} .le-ui *")]
      .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
      .filter((one) => one.getBoundingClientRect().width && !one.closest(".le-tip"))
      .map((one) => [parseFloat(getComputedStyle(one).fontSize), one.textContent])""")
    yield from [one for one in sizes if one[0] < 12] if sizes else ["no text"]


def of_barriers(page, name, theme):
    """What axe finds in a figure and in its menu, which lies over the picture while it is open."""
    page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
    yield from barriers(page, root(name))
    page.locator(f"{root(name)} .le-more").focus()
    page.keyboard.press("Enter")
    yield from barriers(page, f"{root(name)} .le-menu")
    page.keyboard.press("Escape")


def press(page, name, key, times=1):
    """The settings after a key."""
    for _ in range(times):
        page.keyboard.press(key)
    return explorer_state(page, root(name))["settings"]


def of_hands(page, name):
    """Keys that move nothing, values without words, and whatever the page then has that its program alone has not."""
    figure, alone = made(name), InPage(made(name))
    hands = page.locator(f"{root(name)} :is({HANDS})").all()
    if not hands and page.locator(f"{root(name)} .le-play").count() == 0:
        yield "no hand"
    for number, hand in enumerate(hands):
        page.locator(f"{root(name)} [data-tool=reset]").evaluate("(button) => button.click()")
        switch = hand.get_attribute("role") == "radio"
        if hand.get_attribute("aria-disabled") == "true":  # it does nothing here, and says so
            continue
        for back, forth in [("ArrowLeft", "ArrowRight"), ("ArrowDown", "ArrowUp")]:
            hand.focus()
            # three times: a step of a slider may be finer than its value's three digits; first away from the end
            start, there, again = (press(page, name, key, 3) for key in (back, forth, back))
            if there in (start, again):
                yield f"{back} or {forth} does not move hand {number}"
        press(page, name, "Shift+ArrowLeft", 3)  # far, so that its sentence is another
        found = state(page, root(name))
        shown = page.locator(f"{root(name)} .le-reading").inner_text()
        expected = alone.compute(found["settings"], found["seed"], 0)
        for key, values in expected.theory.items():
            if not np.array_equal([float(v) for v in found["theory"][key]], values, equal_nan=True):
                yield f"{key} is not of the settings that hand {number} has set"
        if figure.run is None and not shown == found["reading"] == figure.draw(expected).reading:
            yield f"{shown!r}, {found['reading']!r} after hand {number}, not {figure.draw(expected).reading!r}"
        if not switch and not hand.get_attribute("aria-valuetext"):
            yield f"hand {number} has no words for its value"


@pytest.mark.law
@pytest.mark.parametrize("name", EVERY)
def test_small_figure_on_wide_page_is_drawn_readable_reachable_and_moved_by_keys(open_page, name):
    page = open_page(name)
    found = [*of_size(page, name, 784)]
    for theme in ("light", "dark"):
        found += of_barriers(page, name, theme)
    assert [*found, *of_hands(page, name)] == []


@pytest.mark.law
@pytest.mark.parametrize("name", EVERY)
def test_small_figure_on_phone_is_small_and_readable(open_page, name):
    assert list(of_size(open_page(name, width=358), name, 358)) == []


def test_handle_under_a_finger_has_room(open_page):
    name = "linear_block-plane"
    page = open_page(name, width=358, has_touch=True)
    for handle in page.locator(f"{root(name)} .le-handle").all():
        box = handle.bounding_box()
        assert min(box["width"], box["height"]) > 43.9
    assert page.locator(f"{root(name)} .le-more").evaluate("(node) => getComputedStyle(node).opacity") == "1"


def test_link_python_table_and_file_wait_behind_one_button_and_what_is_no_number_is_a_gap(open_page):
    page, name = open_page("toy-stems"), root("toy-stems")
    menu, more = page.locator(f"{name} .le-tools"), page.locator(f"{name} .le-more")
    assert not menu.is_visible()
    page.locator(f"{name} .le-ui").hover()
    more.click()
    assert menu.locator("button").all_inner_texts() == ["Reset", "Copy link", "Copy Python", "Data table", "CSV"]
    menu.locator("[data-tool=table]").click()
    rows = page.locator(f"{name} .le-tables tbody tr")
    assert (rows.count(), rows.first.locator("td").last.inner_text()) == (400, "–")
    with page.expect_download() as waiting:
        menu.locator("[data-tool=csv]").click()
    rows = list(csv.DictReader(waiting.value.path().read_text(encoding="utf-8").splitlines()))
    drawn = made("toy-stems").drawn()["net.values"]
    found = [float(row["value"] or "nan") for row in rows if row["series"] == "net.values"]
    np.testing.assert_array_equal(found, drawn)
    menu.locator("[data-tool=python]").click()
    assert "for law in (toy_smalls.net,):" in page.locator(f"{name} .le-code").inner_text()
    page.keyboard.press("Escape")
    assert not menu.is_visible()
    assert more.evaluate("(node) => node === document.activeElement")


def test_key_moves_a_handle_and_shift_moves_it_farther_while_picture_stays(open_page):
    page, name = open_page("linear_block-plane"), "linear_block-plane"
    start = state(page, root(name))["settings"]["start"]
    picture = page.locator(f"{root(name)} .le-plot")
    place = picture.bounding_box()
    page.locator(f"{root(name)} .le-handle").focus()
    found = [press(page, name, key)["start"] - start for key in ("ArrowRight", "Shift+ArrowRight", "Shift+ArrowLeft")]
    assert found[0] > 0
    assert found[1] - found[0] > 5 * found[0]
    assert found[2] == pytest.approx(found[0], rel=0.05)
    assert picture.bounding_box() == place


def test_another_draw_is_another_seed_and_stands_in_the_link(open_page):
    page, figure = open_page("toy-stems", anchor="#toy-stems:level=0.05"), made("toy-stems")
    page.get_by_role("button", name="Another draw").click()
    page.wait_for_function(f"document.querySelector('{root('toy-stems')}').explorerState().seed === 1")
    found = state(page, root("toy-stems"))
    assert found["reading"] == figure.draw(figure.compute({"level": 0.05}, seed=1)).reading
    page.wait_for_function("location.hash.includes('level=0.05,seed=1')")


DRAGS = [
    ("scb-sample", (160, 0), "place"),
    ("linear_block-plane", (60, -40), "start"),
]


@pytest.mark.parametrize(("name", "to", "moved"), DRAGS)
def test_dragged_handle_sets_what_it_stands_for(open_page, name, to, moved):
    page, figure = open_page(name), made(name)
    before = state(page, root(name))["settings"]
    dragged(page, page.locator(f"{root(name)} .le-handle").first, *to)
    after = state(page, root(name))
    assert after["settings"][moved] != before[moved]
    assert after["reading"] == figure.draw(figure.compute(after["settings"])).reading


def trained(page, trainer="worker", **rates):
    """Move the rates of figures in one moment, to shares of their sliders; the runs are of each one's settings."""
    page.evaluate(
        """(rates) => {
          for (const [name, share] of Object.entries(rates)) {
            const input = document.querySelector(`[data-explorer=${name}] input[data-setting=lr]`);
            input.value = Number(input.min) + share * (input.max - input.min);
            input.dispatchEvent(new Event("input", { bubbles: true }));
          }
        }""",
        rates,
    )
    for name in rates:
        found = settled(page, root(name))
        (run,) = made("toy-run").compute(found["settings"], runs=1).runs
        assert (found["trainer"], found["count"]) == (trainer, 1)
        assert found["settings"]["lr"] != 0.1
        for key in ("steps", "attention"):
            assert found["runs"][0]["readings"][key] == list(run[key])


def test_of_thirty_figures_those_in_sight_wake_and_train_in_workers_of_their_own_and_others_rest(tab, tmp_path):
    names = [f"many{i}" for i in range(30)]
    address = write_page(tmp_path, "".join(made("toy-run").html().replace("toy-run", name) for name in names))
    page = tab(address, viewport={"width": 800, "height": 844})
    page.goto(address)
    page.wait_for_selector(f"{root(names[0])}.le-awake")
    assert page.locator(".le-awake").count() < 15
    for name in names:
        seen(page, name)
    assert len(page.workers) == len(names)
    page.wait_for_function(
        """(names) => {
          const find = (name) => document.querySelector(`[data-explorer=${name}]`);
          const resting = names.map((name) => find(name).explorerState().resting);
          return resting.slice(0, 25).every(Boolean) && !resting.at(-1);
        }""",
        arg=names,
    )
    trained(page, many28=0.9, many29=0.1)


def test_row_of_5000_tokens_is_one_path_a_kind_and_its_table_counts_all(open_page):
    """One mark for each pixel, 200 arcs, the others as a comb that says how many they are."""
    page, which = open_page("toy-paper"), root("toy-paper")
    paths = [path.get_attribute("d") for path in page.locator(f"{which} .le-tokens").all()]
    assert len(paths) == len(set(made("toy-paper").compute(runs=0).theory["look.tokens"])) == 3
    at = np.sort([float(re.match(r"[\d.]+", part)[0]) for path in paths for part in path.split("M")[1:]])
    wide = page.locator(f"{which} .le-chart").bounding_box()["width"]
    assert len(at) <= wide
    assert np.diff(at).max() < 2
    assert at[-1] - at[0] > 0.9 * wide
    arcs = [path.get_attribute("d") for path in page.locator(f"{which} .le-arc").all()]  # one for each width
    assert sum(path.count("M") for path in arcs) == 200
    assert len(arcs) <= 2 * 65  # of each sign
    assert page.locator(f"{which} .le-comb").get_attribute("d").count("M") <= wide
    assert page.locator(f"{which} .le-words").first.inner_html().startswith("4,800 others share")
    page.locator(f"{which} .le-more").click()
    press_tool(page, which, "table")
    assert page.locator(f"{which} .le-tables tbody tr").count() == 5000
