"""Points with error bars: arrays, refusals, the still picture, and what the browser draws and says of them."""

import numpy as np
import pytest

from lib.errors import InputError
from lib.explorer import Explorer, Line, Slider, bars, lines
from lib.explorer.assets import script, style
from lib.explorer.picture import picture
from lib.explorer.static import markup
from lib.site import explorers

AXES = {"xlabel": "ratio (no unit)", "ylabel": "entropy (nats)", "title": "Entropy"}
SERIES = [Line("ours", "ours"), Line("old", "published", idea="V", error="spread")]
NAME = "toy_two-bars"


def run(a):
    x = np.arange(1.0, 7)
    old = np.where(x <= 4, 2 + 0.1 * x, np.nan)
    return {"x": x, "ours": a * x, "old": old, "spread": np.where(x <= 4, 0.5 * a, np.nan)}


def make(series=SERIES, function=run, **options):
    panel = lines("x", series, **AXES, **options)
    return Explorer(
        function,
        {"a": [0.5, 1.0]},
        [panel],
        name=NAME,
        title="Bars",
        reading=lambda settings, data: f"a = {settings['a']}.",
        sliders={"a": Slider("a", unit="no unit")},
        min_points=2,
    )


def test_the_half_lengths_are_stored_beside_the_points():
    drawn, _ = make().compute({"a": 1.0})
    np.testing.assert_array_equal(drawn.items["0.y1.error"].array, run(1.0)["spread"])
    assert "0.y0.error" not in drawn.items
    assert [s["error"] for s in make().spec()["panels"][0]["series"]] == [False, True]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"spread": -np.ones(6)}, r"run: expected half lengths of at least 0 in 'spread', got -1"),
        ({"spread": np.ones(5)}, r"run: expected 'spread' with axis 0 as long as 'old' \(6\)"),
        ({"old": np.ones((3, 6))}, r"run: expected 'old' of shape \(K,\), since it has error bars, for panel"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(changed, message):
    with pytest.raises(InputError, match=message):
        make(function=lambda a: {**run(a), **changed}).compute({})


def test_bar_charts_have_no_error_bars():
    with pytest.raises(InputError, match="error: expected a line chart for error bars, got bars 'Entropy'"):
        bars("x", SERIES, **AXES)


def test_the_still_picture_has_the_bars():
    explorer = make()
    drawn, _ = explorer.compute({})
    plain = picture(make([SERIES[0], Line("old", "published", idea="V")]), drawn)
    with_bars = picture(explorer, drawn)
    assert "published" in with_bars
    assert with_bars.count("<use") >= plain.count("<use") + 4 * 2  # a cap at either end of four bars


def test_a_name_with_an_underscore_is_found_by_the_book():
    assert explorers.ROOT.search(markup(make())).group(1) == NAME
    with pytest.raises(InputError, match="name: expected lower case"):
        Explorer(run, {"a": [1.0]}, [lines("x", SERIES, **AXES)], name="-a_", title="t", reading=str, sliders={})


@pytest.mark.browser
def test_the_page_draws_points_with_whiskers_and_says_their_half_length(chromium, tmp_path):
    text = f"<!doctype html><meta charset=utf-8><style>{style()}</style>{markup(make())}<script>{script()}</script>"
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    page = chromium.new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(f"{(tmp_path / 'page.html').as_uri()}#{NAME}:a=1")
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
