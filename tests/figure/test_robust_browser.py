"""What figures bear: numbers that are none, a window that changes, theory that is slow, a host that brings nothing."""

import itertools
import json

import pytest

from hal.chapters.random_walk.figures import guess
from hal.figure import Computed, Slider, show
from lib.portable.primitives import Readings, inf, nan
from tests.browser import press_tool
from tests.figure import drawn, toy_side
from tests.figure import toy_flow as flow
from tests.figure.changed import changed
from tests.figure.toy_run import Settings, State
from tests.figure.toy_smalls import small

pytestmark = pytest.mark.browser
ROOT = "[data-explorer=toy-side]"


def settings(lr: float) -> Settings:
    return Settings(3, 12, lr, 0.1, 0.1, [0.5, 0.3, 0.2], 100)


def probe(state: State) -> Readings:
    """V is no number at step 15, and infinite at 30 and 35."""
    return {"V": [nan if state.step == 15 else inf if state.step == 30 else -inf if state.step == 35 else state.V]}


def test_numbers_that_are_none_are_gaps_and_infinite_ones_are_counted_in_words(alone):
    own = {"settings": settings, "probe": probe, "SLIDERS": {"lr": Slider("Rate", "no unit", 0.1, (0.01, 0.5))}}
    page = alone(Computed(changed(toy_side, **own, run_metrics=None, READING=[])), runs=2)
    assert drawn.state(page, ROOT)["notice"] == "4 numbers of the runs are infinite: there the curves have gaps."
    paths = "(all) => all.map((one) => one.getAttribute('d') ?? '')"
    for path in page.locator(f"{ROOT} .le-chart path").evaluate_all(paths):
        assert "NaN" not in path
        assert "Infinity" not in path
    curve = max(page.locator(f"{ROOT} .le-series").evaluate_all(paths), key=len)
    assert curve.count("M") == 2 * 3  # two runs, each of three pieces: before, between and after
    press_tool(page, ROOT, "table")
    assert "Infinity" not in page.locator(f"{ROOT} .le-tables").inner_text()


# What a figure of slow theory shows while its slider moves; then it moves on and comes to rest.
DRAG = """async () => {
  const root = document.querySelector("[data-explorer=toy-long]");
  const input = root.querySelector("input[data-setting=at]");
  const wait = globalThis.setTimeout;
  // A pause of a minute: on a slow machine two frames may take longer than the pause of the page.
  globalThis.setTimeout = (call, time, ...rest) => wait(call, time === 120 ? 60_000 : time, ...rest);
  const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const move = async (share) => {
    input.value = Number(input.min) + share * (input.max - input.min);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await painted();
  };
  await move(0.2);
  await move(0.9);
  const { theory, reading } = root.explorerState();
  const found = { theory, reading, busy: root.ariaBusy, seen: root.querySelectorAll(".le-waits").length };
  globalThis.setTimeout = wait;
  await move(0.2);
  await move(0.9);
  return found;
}"""


def test_a_figure_that_waits_as_a_whole_is_pale_until_a_pause(alone):
    figure, root = small("long", DEFERRED_THEORY=("look",)), "[data-explorer=toy-long]"
    page = alone(figure, alone=True)
    before = drawn.state(page, root)
    found = page.evaluate(DRAG)
    assert (found["busy"], found["seen"]) == ("true", 1)
    after = drawn.state(page, root)  # at rest again
    last = figure.compute({**before["settings"], "at": round(1 + 399 * 0.9)}).theory["look.weights"]
    assert found["theory"]["look.weights"] == before["theory"]["look.weights"]  # of the settings before the hand
    assert [float(v) for v in after["theory"]["look.weights"]] == last
    assert found["reading"] != after["reading"]
    assert page.locator(f"{root} .le-waits").count() == 0


# What VS Code and Colab give a widget: an element, and a model to read.
PAGE = "margin:8px;background:#1e1e1e;color:#fff;font:16px serif"
HOST = f"<!doctype html><body style='{PAGE}'><div id='here'></div>"
READ = ("spec", "settings", "seed", "compared", "in_kernel")  # of the model
START = """async ([esm, css, traits]) => {
  const style = document.head.appendChild(document.createElement("style"));
  style.textContent = css;
  const { default: widget } = await import(URL.createObjectURL(new Blob([esm], { type: "text/javascript" })));
  const nothing = () => {};
  const model = { get: (name) => traits[name], set: (name, value) => { traits[name] = value; }, save_changes: nothing,
                  on: nothing, off: nothing, send: nothing };
  await widget.render({ model, el: document.getElementById("here") });
}"""


@pytest.mark.parametrize("figure", [guess, flow], ids=["random_walk-guess", "scb-flow"])
def test_in_a_dark_host_without_a_style_every_text_of_a_widget_can_be_read(chromium, figure):
    widget = show(figure).widget
    traits = {name: getattr(widget, name) for name in READ if widget.has_trait(name)}
    page = chromium.new_page(viewport={"width": 1000, "height": 900})
    page.set_default_timeout(10_000)
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.set_content(HOST)
    page.evaluate(START, [widget._esm, widget._css, json.loads(json.dumps(traits))])
    page.wait_for_selector("#here button")
    for theme, width in itertools.product(("", "vscode-dark"), (1000, 390)):
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate(f"document.body.className = '{theme}'")
        page.wait_for_function(f"innerWidth === {width}")
        page.wait_for_timeout(100)  # it draws itself anew
        page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")
        page.wait_for_function("!document.getAnimations().some((one) => one.playState === 'running')")
        assert [what for rule, what in drawn.barriers(page, "#here") if rule == "color-contrast"] == []
    assert complaints == []
    page.close()
