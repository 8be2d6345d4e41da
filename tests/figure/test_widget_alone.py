"""A widget in a host that brings nothing: neither the book's style nor JupyterLab's, and a dark page of its own."""

import itertools
import json

import pytest

from hal.chapters.random_walk.figures import guess
from hal.figure import show
from tests.figure import toy_flow as flow
from tests.figure.drawn import barriers

pytestmark = pytest.mark.browser
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
        page.wait_for_function("!document.getAnimations().some((one) => one.playState === 'running')")
        assert [what for rule, what in barriers(page, "#here") if rule == "color-contrast"] == []
        page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")  # it draws itself anew
    assert complaints == []
    page.close()
