"""Keys go to both ends of every slider in the page; theory at all ends is compared without a browser."""

import pytest

from hal.chapters import written
from hal.figure.controls import WeightsControl
from tests.browser import press_tool
from tests.chapters import explorers
from tests.figure.drawn import slider, state


@pytest.mark.browser
@pytest.mark.law
@pytest.mark.parametrize("slug", [row.slug for row in written()])
def test_keys_go_to_both_ends_of_every_slider_and_theory_follows(tab, serve, slug):
    """Of the chapter's figure with most sliders."""
    figure = max(explorers(slug).values(), key=lambda one: len(one.controls_by_name))
    page, which = tab(serve), f"[data-explorer={figure.name}]"
    page.goto(f"{serve}embed/{figure.name}.html")
    state(page, which)
    weights = {key for key, control in figure.controls_by_name.items() if isinstance(control, WeightsControl)}
    tracks = {key: control for key, control in figure.controls_by_name.items() if not control.slider.hidden}
    for key, control in tracks.items():
        knob = slider(page, key, which)
        idle = any(way.applies(figure.default) for way in control.slider.idle_ways)  # does nothing, and stays
        for press, end in (("Home", control.low), ("End", control.high)):
            knob.press(press)
            found = state(page, which)
            wanted = {**figure.default, **({} if idle else {key: end})}
            # bars follow the setting that says how many there are
            assert {k: v for k, v in found["settings"].items() if k not in weights} == {
                k: v for k, v in wanted.items() if k not in weights
            }
            theory = figure.compute(found["settings"], runs=0).theory
            assert {k: list(map(str, map(float, v))) for k, v in theory.items()} == {
                k: list(map(str, map(float, v))) for k, v in found["theory"].items()
            }
        press_tool(page, which, "reset")
    # the page goes on to its own first run, at the last of the settings
    slider(page, key, which).press("End")
    page.wait_for_function(f"document.querySelector('{which}').explorerState().count > 0")
    assert state(page, which)["drawn"][key] == control.high
