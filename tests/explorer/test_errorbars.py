"""Points with error bars, curves with bands of their own: the still picture, what the browser draws and says."""

import sys

import pytest

from hal.explorer import Computed, Line, Slider, lines
from hal.explorer.picture import picture
from lib.portable.primitives import Readings, Vector, nan, zeros
from tests.explorer import toy_run
from tests.explorer.changed import changed
from tests.explorer.drawn import write_page
from tests.explorer.toy_run import Settings

AXES = {"xlabel": "ratio (no unit)", "ylabel": "entropy (nats)", "title": "Entropy"}
RUN, NAME, TITLE, RUNS, READING = toy_run, "toy_two-bars", "Bars", 1, []
SLIDERS = {"a": Slider("a", "no unit", 0.5, (0.5, 1.0))}


def settings(a: float) -> Settings:
    """A run whose rate stands for the setting."""
    return Settings(3, 12, a, 0.1, 0.1, [0.5, 0.3, 0.2], 100)


def published(settings: Settings) -> Readings:
    """Six ratios, a line of ours, and numbers at four of them, with their spread."""
    x, ours, old, spread = zeros(6), zeros(6), zeros(6), zeros(6)
    for i in range(6):
        x[i] = float(i + 1)
        ours[i] = settings.lr * x[i]
        old[i] = 2.0 + 0.1 * x[i] if i < 4 else nan
        spread[i] = 0.5 * settings.lr if i < 4 else nan
    return {"x": x, "ours": ours, "old": old, "spread": spread}


def outcome(V: Vector) -> Readings:
    """Where V ends."""
    return {"end": [V[len(V) - 1]]}


def make(error="published.spread", band=None):
    old = Line("published.old", "published", idea="output", error=error, band=band)
    panel = lines("published.x", [Line("published.ours", "ours"), old], **AXES)
    return Computed(changed(sys.modules[__name__], panels=lambda: [panel]))


def test_the_still_picture_has_the_bars():
    plain, with_bars = (picture(figure, figure.draw(figure.compute())) for figure in (make(error=None), make()))
    assert "published" in with_bars
    assert with_bars.count("<use") >= plain.count("<use") + 4 * 2  # a cap at either end of four bars


@pytest.mark.browser
def test_the_page_draws_points_with_whiskers_and_says_their_half_length(chromium, tmp_path):
    page = chromium.new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(f"{write_page(tmp_path, make().html())}#{NAME}:a=1")
    page.wait_for_selector(f"[data-explorer={NAME}][aria-busy=false]")
    assert page.evaluate(f"document.querySelector('[data-explorer={NAME}]').explorerState().settings") == {"a": 1.0}
    path = page.locator(".le-body path.le-whisker").get_attribute("d")
    assert path.count("a3.5,3.5 0 1 0 7,0") == 4  # published at four of six places
    assert path.count("h8") == 2 * 4
    low, high = (float(part) for part in path.split("a3.5")[0].split("M")[3].split(",")[1].split("V"))
    # half a unit up and half down, on the scale that two labels of the y axis give
    heights = {
        text: float(y)
        for text, y, anchor in page.locator(".le-tick").evaluate_all(
            "all => all.map((t) => [t.textContent, t.getAttribute('y'), t.getAttribute('text-anchor')])"
        )
        if anchor == "end"
    }
    assert low - high == pytest.approx(heights["2"] - heights["3"], rel=0.02)
    page.locator("[data-tool=table]").click()
    rows = [row.split("\t") for row in page.locator("table").inner_text().splitlines() if "\t" in row]
    assert rows[0] == ["ratio", "ours", "published", "±"]
    assert rows[1] == ["1", "1", "2.1", "0.5"]
    assert rows[-1][2:] == ["–", "–"]
    chart = page.locator(".le-catcher").bounding_box()
    page.mouse.move(chart["x"] + 2, chart["y"] + 50)
    assert "2.1 ± 0.5" in page.locator(".le-tip").inner_text()
    page.close()
    assert problems == []


@pytest.mark.browser
def test_a_recorded_curve_brings_its_band(chromium, tmp_path):
    figure, ends = make(None, ("published.spread", "published.ours")), ("M", "Z")
    assert "FillBetween" in picture(figure, figure.draw(figure.compute()))
    page = chromium.new_page()
    page.goto(f"{write_page(tmp_path, figure.html())}#{NAME}:a=1")
    page.wait_for_selector(f"[data-explorer={NAME}][aria-busy=false]")
    drawn = [
        path
        for path in page.locator(".le-body path.le-band").evaluate_all("(all) => all.map((p) => p.getAttribute('d'))")
        if path
    ]
    assert [(path[0], path[-1], path.count("L")) for path in drawn] == [(*ends, 2 * 3 + 1)]  # four of six places
    page.locator("[data-tool=table]").click()
    rows = [row.split("\t") for row in page.locator("table").inner_text().splitlines() if "\t" in row]
    assert rows[0] == ["ratio", "ours", "published", "low", "high"]
    assert rows[2] == ["2", "2", "2.2", "0.5", "2"]
    page.close()
