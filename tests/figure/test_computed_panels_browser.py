"""Panels of a figure that computes, in headless Chromium on one page: play reveals, handles, held states, switches."""

from functools import partial

import pytest

from tests.browser import explorer_state, press_tool
from tests.figure import drawn, toy_computed
from tests.figure.drawn import barriers, dragged, panel, to_place, typed, unfold

pytestmark = pytest.mark.browser
TOY = "[data-explorer=toy-computed]"
came, state = partial(drawn.settled, which=TOY), partial(explorer_state, which=TOY)


@pytest.fixture(scope="module")
def toy():
    return toy_computed.explorer()


@pytest.fixture
def open_page(alone, toy):
    """open_page(settings): the page with the figure awake and so many runs finished."""

    def go(settings="", runs=5, **context):
        page = alone(toy, anchor=f"#toy-computed:{settings}", **context)
        came(page, runs=runs)
        unfold(page, TOY)
        return page

    return go


def handle(page, title, which=0):
    return panel(page, TOY, title).locator(".le-handle").nth(which)


def reach(page, title, path):
    """The right end of what is drawn of a path, in pixels of the window."""
    return panel(page, TOY, title).locator(path).evaluate("(e) => e.getBoundingClientRect().right")


def caption(page, title):
    """The caption of a panel's data table, once it is that of the present time."""
    page.wait_for_timeout(150)
    return page.locator(f"{TOY} caption").filter(has_text=f"{title}: ").inner_text()


def test_only_the_past_of_the_cursor_is_drawn_in_all_panels(open_page):
    page = open_page()
    clip = panel(page, TOY, "Signals").locator("clipPath rect").nth(1)
    whole, far = float(clip.get_attribute("width")), reach(page, "Plane", ".le-series.le-path")
    mark = panel(page, TOY, "Signals").locator(".le-marks > g")
    assert mark.get_attribute("visibility") == "visible"
    bars_before = panel(page, TOY, "Profile").locator("path.le-bar").get_attribute("d")
    press_tool(page, TOY, "table")
    to_place(page, TOY, 2)  # of 20: step 10; the theory's V is a half at step 15
    assert state(page)["time"] == 10
    assert float(clip.get_attribute("width")) == pytest.approx(whole / 10, abs=4)
    assert mark.get_attribute("visibility") == "hidden"
    assert reach(page, "Plane", ".le-series.le-path") < far - 20
    assert panel(page, TOY, "Profile").locator("path.le-bar").get_attribute("d") != bars_before
    assert "step 10;" in caption(page, "Attention")
    to_place(page, TOY, 20)
    assert float(clip.get_attribute("width")) == whole
    assert "step 100;" in caption(page, "Attention")


def test_the_start_is_dragged_in_the_plane_and_a_run_starts_when_it_is_let_go(open_page, toy):
    page = open_page()
    box = handle(page, "Plane").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = state(page)
    ticks = panel(page, TOY, "Signals").locator(".le-tick").all_text_contents()
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y - 10, steps=4)
    page.wait_for_function(f"document.querySelector('{TOY}').explorerState().drawn.start_V > 0.3")
    moving = state(page)
    assert moving["theory"]["flow.V"][0] == moving["settings"]["start_V"] > before["settings"]["start_V"] + 0.2
    page.wait_for_timeout(300)
    assert (state(page)["count"], moving["reading"]) == (0, "No run has come.")  # nothing trains while it is held
    assert panel(page, TOY, "Signals").locator(".le-ghost[d^=M]").count() >= 1
    assert panel(page, TOY, "Signals").locator(".le-tick").all_text_contents() == ticks
    page.mouse.move(x - 3000, y + 3000, steps=3)  # out of the plane
    page.mouse.up()
    found = came(page, runs=1)
    assert panel(page, TOY, "Signals").locator(".le-ghost[d^=M]").count() >= 1  # what stood before the hand moved stays
    assert (found["settings"]["start_V"], found["settings"]["start_A"]) == (-1.5, -1.5)
    assert handle(page, "Plane").get_attribute("aria-valuetext") == "V −1.5, A −1.5"
    page.wait_for_function("location.hash.includes('start_V=-1.5')")
    press_tool(page, TOY, "python")
    assert "start_V=-1.5" in page.locator(f"{TOY} .le-code").text_content()
    expected = toy.compute({"start_V": -1.5, "start_A": -1.5})
    assert found["runs"][0]["readings"]["V"] == expected.runs[0]["V"]
    assert found["theory"]["flow.V"] == expected.theory["flow.V"]


def test_bars_of_a_law_are_dragged_and_follow_the_number_of_tokens(open_page, toy):
    page = open_page("mu=0.2/0.3/0.5")
    assert state(page)["settings"]["mu"] == [0.2, 0.3, 0.5]
    bar = handle(page, "Law", 2)
    dragged(page, bar, 0, -3000)
    came(page, runs=1)
    assert state(page)["settings"]["mu"] == [0, 0, 1]
    bar.press("Shift+ArrowDown")
    came(page, runs=1)
    assert state(page)["settings"]["mu"] == [0.05, 0.05, 0.9]
    assert bar.get_attribute("aria-valuetext") == "90%"
    page.wait_for_function("location.hash.includes('mu=0.05/0.05/0.9')")
    page.locator(f"{TOY} input[data-setting=N]").press("ArrowRight")
    came(page, runs=1)
    found = state(page)
    assert len(found["settings"]["mu"]) == 4
    assert sum(found["settings"]["mu"]) == pytest.approx(1, abs=1e-5)
    assert found["theory"]["task.mu"] == toy.compute({"N": 4, "mu": found["settings"]["mu"]}).theory["task.mu"]


def test_up_to_three_states_are_held_and_named_by_what_differs(open_page):
    page = open_page()
    for lr in ("0.1", "0.2", "0.4", "0.8"):
        typed(page, TOY, "lr", lr)
        came(page, runs=5)
        press_tool(page, TOY, "hold")
    names = page.locator(f"{TOY} .le-held-name")
    assert names.all_inner_texts() == ["1: lr = 0.2 ×", "2: lr = 0.4 ×", "3: lr = 0.8 ×"]
    assert panel(page, TOY, "Plane").locator(".le-held[d^=M]").count() == 2 * 3  # runs and flow
    assert panel(page, TOY, "Signals").locator(".le-held[d^=M]").count() == 4 * 3
    assert set(panel(page, TOY, "Signals").locator(".le-held-number").all_text_contents()) == {"1", "2", "3"}
    assert panel(page, TOY, "Profile").locator(".le-held[d^=M]").count() >= 3  # bars keep their tops
    for theme in ("light", "dark"):
        page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        assert barriers(page, f"{TOY} .le-panels") == []
    names.first.click()
    assert names.all_inner_texts() == ["1: lr = 0.4 ×", "2: lr = 0.8 ×"]
    assert panel(page, TOY, "Signals").locator(".le-held[d^=M]").count() == 4 * 2


def test_a_switch_shows_the_axis_the_other_way(open_page):
    page = open_page()

    def ticks():
        return panel(page, TOY, "Signals").locator(".le-tick[text-anchor=end]").all_text_contents()

    button = panel(page, TOY, "Signals").get_by_role("button", name="log y")
    assert button.get_attribute("aria-pressed") == "false"
    assert "0.0" in ticks()
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    assert "0.0" not in ticks()
    assert {"0.1", "1"} <= set(ticks())
    page.wait_for_function("location.hash.includes('log=')")
    turned = page.evaluate("location.hash.match(/log=([^,;]*)/)[1]")
    assert turned.endswith("y")
    button.click()
    page.wait_for_function("!location.hash.includes('log=')")
    page.evaluate(f"location.hash = '#toy-computed:log={turned}'")  # a link keeps the switches
    page.wait_for_function(f"document.querySelector('{TOY} .le-switch[aria-pressed=true]')")
    assert "0.0" not in ticks()
    panel(page, TOY, "Signals").get_by_role("button", name="log x").click()
    assert "NaN" not in panel(page, TOY, "Signals").locator(".le-band").first.get_attribute("d")


def test_a_curve_under_another_says_so_and_the_first_run_is_called_so(open_page):
    page = open_page()
    ends = panel(page, TOY, "Signals").locator(".le-end")
    assert [one for one in ends.all_text_contents() if one.startswith("= ")] == ["= V, theory 1"]
    page.set_viewport_size({"width": 900, "height": 900})  # no room for names beside the plots
    foot = panel(page, TOY, "Signals").locator(".le-axis-remark")
    foot.filter(has_text="equal here: ").wait_for()
    assert "V, theory = A, theory" in foot.text_content()
    # whole: what has no room beside the title of the axis stands in lines inside the plot
    for line in foot.locator("tspan[x]").all():
        box, chart = line.bounding_box(), panel(page, TOY, "Signals").locator(".le-chart").bounding_box()
        assert box["x"] >= chart["x"]
        assert box["x"] + box["width"] <= chart["x"] + chart["width"] + 1
    handle(page, "Plane").press("Shift+ArrowUp")
    came(page, runs=1)
    assert "V, theory = A, theory" not in foot.text_content()
    assert panel(page, TOY, "Attention").locator(".le-note").inner_text() == "(first run)"
    assert panel(page, TOY, "Signals").locator(".le-note").inner_text() == "(own positions: first run)"
    assert panel(page, TOY, "Plane").locator(".le-note").inner_text() == ""


def test_more_columns_than_pixels_are_said(open_page):
    page = open_page("T=1800", runs=1)
    remark = panel(page, TOY, "Attention").locator(".le-axis-remark")
    assert remark.text_content().strip() == "each pixel: largest of 5 columns"
    dark = """(canvas) => { const { data, width } = canvas.getContext("2d").getImageData(0, 0, canvas.width, 1);
      let best = 0;
      for (let i = 0; i < width; i++) if (data[4 * i] < data[4 * best]) best = i;
      return best; }"""
    assert panel(page, TOY, "Attention").locator("canvas").evaluate(dark) == 0
    typed(page, TOY, "T", "12")
    came(page, runs=1)
    assert remark.text_content() == ""


def test_a_recorded_point_is_chosen_by_key_or_click_and_sets_the_sliders(open_page):
    page = open_page()
    keys = panel(page, TOY, "Share").locator(".le-cloud-keys")
    keys.press("ArrowRight")
    came(page, runs=1)
    assert state(page)["settings"]["lr"] == 0.04
    keys.press("ArrowRight")
    came(page, runs=1)
    assert (state(page)["settings"]["lr"], state(page)["settings"]["N"]) == (0.16, 2)
    assert keys.get_attribute("aria-valuetext").endswith(": lr = 0.16, N = 2")
    box = panel(page, TOY, "Share").locator(".le-chart").bounding_box()
    points = panel(page, TOY, "Share").locator(".le-cloud").last.get_attribute("d")
    px, py = (float(v) for v in points[1:].split("a")[0].split(","))
    page.mouse.click(box["x"] + px + 4, box["y"] + py)
    came(page, runs=1)
    assert state(page)["settings"]["lr"] == 0.04


def test_a_touch_drags_the_start(open_page):
    page = open_page(has_touch=True, viewport={"width": 390, "height": 844})
    start = handle(page, "Plane")
    start.scroll_into_view_if_needed()
    assert min(start.bounding_box()[side] for side in ("width", "height")) >= 44
    touched = """(node, [kind, far]) => {
      globalThis.from ??= node.getBoundingClientRect();
      const place = { clientX: from.x + 22 + far, clientY: from.y + 22 };
      node.setPointerCapture = () => {};
      const touch = { pointerId: 1, pointerType: "touch", button: 0, bubbles: true };
      node.dispatchEvent(new PointerEvent(kind, { ...touch, ...place }));
    }"""
    lens = page.locator(f"{TOY} .le-lens")
    here = start.bounding_box()
    start.evaluate(touched, ["pointerdown", 0])
    shown = lens.bounding_box()
    assert shown["y"] + shown["height"] <= here["y"] + 22 - 20, "it stands above the finger"
    assert abs(shown["x"] + shown["width"] / 2 - here["x"] - 22) <= 2
    start.evaluate(touched, ["pointermove", 60])
    assert lens.bounding_box()["x"] > shown["x"] + 40
    middle = lens.locator("svg").evaluate(
        "(one) => { const { x, width } = one.viewBox.baseVal; return x + width / 2; }"
    )
    plot = page.locator(f"{TOY} .le-plot:has(.le-lens)").bounding_box()
    assert abs(middle - (here["x"] + 22 + 60 - plot["x"])) <= 2, "it shows what lies under the finger"
    start.evaluate(touched, ["pointerup", 60])
    assert lens.count() == 0
    came(page, runs=1)
    assert state(page)["settings"]["start_V"] > 0.4
    assert page.evaluate("document.documentElement.scrollWidth") == 390
