"""What the JavaScript of the figures computes, without a browser: runs, panels, weights, CSV, still pictures."""

import base64
import csv
import io
import json

import numpy as np
import pytest
from PIL import Image

from hal.figure.built import _CANVAS, _png
from lib.errors import InputError
from tests.figure import toy_computed
from tests.figure.engine import engine


@pytest.fixture(scope="module")
def page():
    return engine("bars", "heatmap", "computing", "controls")


@pytest.fixture(scope="module")
def toy():
    return toy_computed.explorer()


def test_of_the_cells_that_share_a_pixel_the_largest_is_shown(page):
    cells = "Float64Array.of(99, 99, 0,9,1,3, NaN,2,0,1, 0,8,-12,NaN, 1,1,0,1)"
    assert page.value(f"Array.from(pooled({cells}, 2, 4, 4, 2, 2))") == [9, 3, 8, 1]
    assert page.value(f"Array.from(pooled({cells}, 2, 1, 4, 1, 4))") == [0, 9, 1, 3]


def test_a_curve_of_more_points_than_pixels_keeps_its_extremes_and_its_gaps(page, rng):
    heights = rng.normal(size=5000)
    heights[1000:1200] = np.nan
    points = [[i / 50, None if h != h else h] for i, h in enumerate(heights)]
    code = f"thinnedPoints({json.dumps(points)}.map(([a, b]) => [a, b ?? NaN]))"
    kept = page.value(code)
    assert len(kept) <= 4 * 102
    seen = {p[1] for p in kept if p[1] is not None}
    assert {heights[np.isfinite(heights)].min(), heights[np.isfinite(heights)].max()} <= seen
    assert any(p[1] is None for p in kept)
    assert kept[0] == points[0]
    assert kept[-1] == points[-1]


def test_an_axis_holds_still_while_something_moves(page):
    def held(before, wanted, log, moving):
        return page.value(f"heldDomain({json.dumps(before)}, {wanted}, {log}, {moving})")

    assert held(None, [0.02, 0.93], "false", "false") == [0, 1]
    assert held([0, 1], [0, 0.2], "false", "true") == [0, 1]
    assert held([0, 1], [0.3, 7.2], "false", "true") == [0, 8]
    assert held([0, 1], [0, 0.7], "false", "false") == [0, 1]
    assert held([0, 1], [0, 0.2], "false", "false") == [0, 0.2]
    assert held(None, [0.02, 30], "true", "false") == [0.01, 100]


def test_many_bars_on_a_pixel_show_the_tallest(page):
    found = "Array.from(tallest([0, 1, 2, 3], [1, NaN, 5, -7], (v) => v / 10))"
    assert page.value(found) == [3]
    assert page.value("Array.from(tallest([0, 1, 2], [1, NaN, 5], null))") == [0, 2]


def test_ticks_of_a_log_axis_do_not_crowd_and_numbers_read_well(page):
    def texts(low, high):
        return [text for _, text in page.value(f"ticksOf(scaleFor([{low}, {high}], [0, 100], true), true, 5)")]

    assert texts(1e-3, 3) == ["0.001", "0.01", "0.1", "1"]
    assert texts(2, 30) == ["2", "3", "4", "10", "20", "30"]
    assert len(texts(1e-12, 1e3)) <= 9
    assert texts(1e-12, 1e3)[0] == "10⁻¹²"
    shown = [page.value(f"number({v})") for v in (0, 1234.567, 123456, -0.00012346, 2.5e-7, 3e9, 0.30000000004)]
    assert shown == ["0", "1,235", "123,456", "−0.0001235", "2.5×10⁻⁷", "3×10⁹", "0.3"]


def test_runs_with_times_of_their_own_are_lines_of_their_own():
    toy = toy_computed.explorer(TIME="flow.steps")
    result = toy.compute(runs=3)
    result.runs[1]["steps"] = [2 * t for t in result.runs[1]["steps"]]
    drawn = toy.draw(result).items
    assert drawn["1.x"].shape == drawn["1.y0"].shape == (3, 21)
    np.testing.assert_array_equal(drawn["1.x"], [run["steps"] for run in result.runs])
    assert "1.y0.low" not in drawn


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("7" * 100_000, "^mu: expected a list of numbers, got '7{78}…$"),
        ([0.5, float("nan")], "mu: expected numbers of at least 0"),
        ([1.5, -0.5, 0.0], "mu: expected numbers of at least 0"),
        ([0.5, 0.3, 0.3], "mu: expected numbers with sum 1, got sum 1.1"),
        ([0.5, 0.5], "mu: expected 3 weights, got 2"),
    ],
)
def test_weights_that_are_no_distribution_are_refused(toy, value, message):
    with pytest.raises(InputError, match=message):
        toy.check({"mu": value})


TRAIN = """
let clock = 0;
globalThis.performance = { now: () => clock };
const sent = [];
const queue = [];
const model = {
  start: (settings, seed) => ({ n: 0, seed, cost: settings.cost }),
  step: (state) => ([state.n, clock] = [state.n + 1, clock + state.cost]),
  done: (state) => state.n >= 100,
  read: (state) => ({ n: [state.n], seed: [state.seed], diverged_at: [NaN] }),
};
const trainer = makeTrainer(model, (message) => sent.push(message), (f) => queue.push(f));
"""


def test_runs_come_one_after_the_other_in_slices():
    context = engine("trainer")
    context.eval(f"{TRAIN} trainer.start({{id: 1, settings: {{cost: 1}}, seed: 5, run: 1, runs: 3}});")
    context.eval("while (queue.length) queue.shift()();")
    sent = context.value("sent.map(({run, readings, finished}) => [run, readings.seed[0], readings.n[0], finished])")
    assert [one for one in sent if one[3]] == [[1, 6, 100, True], [2, 7, 100, True]]
    steps = np.diff([0, *[n for run, _, n, _ in sent if run == 1]])
    assert len(steps) >= 4
    assert steps.max() <= 26  # some 20 ms at 1 ms a step


def test_a_new_job_takes_the_place_of_the_old_and_a_resting_trainer_does_nothing():
    context = engine("trainer")
    context.eval(
        f"{TRAIN} const go = (id, runs) => trainer.start({{id, settings: {{cost: 1}}, seed: 0, run: 0, runs}});"
    )
    context.eval("const turn = () => queue.shift()?.(); go(1, 8); turn(); go(2, 1); turn(); turn();")
    assert context.value("sent.map((m) => m.job)") == [1, 2, 2]
    context.eval("trainer.rest(true); turn(); turn();")
    assert context.value("[sent.length, queue.length]") == [3, 0]
    context.eval("trainer.rest(false); while (queue.length) turn();")
    assert context.value("sent[sent.length - 1].finished") is True
    context.eval("go(3, 1); trainer.stop(); turn();")
    assert context.value("sent[sent.length - 1].job") == 2


@pytest.mark.parametrize(("low", "high"), [(4, 512), (2, 12), (16, 1024)])
def test_a_logarithmic_track_has_a_place_for_every_whole_number(page, low, high):
    places = page.value(f"placesOf({{integer: true, log: true, low: {low}, high: {high}}})")
    track = np.round(low * (high / low) ** (np.arange(places + 1) / places))
    assert set(track) == set(range(low, high + 1))


def read_csv(arrays, *panels):
    text = engine("toolrow").value(f"csvOf({json.dumps({'panels': panels})}, {json.dumps(arrays)})")
    return list(csv.DictReader(io.StringIO(text)))


def flat(*values):
    return {"shape": [len(values)], "data": list(values)}


def test_csv_of_lines_holds_every_run_and_band_in_full_precision():
    series = [{"label": "measured"}, {"label": "each"}]
    arrays = {
        "0.x": flat(0, 1), "0.y0": flat(1 / 3, 2e-17), "0.y0.low": flat(0.1, 0.2), "0.m0": flat(4.5),
        "0.y1": {"shape": [2, 2], "data": [1, 2, 3, None]}, "0.y0.ghost": flat(9, 8, 7), "0.y0.ghost.x": flat(0, 5, 6),
    }  # fmt: skip
    rows = read_csv(arrays, {"kind": "lines", "title": 'Loss, "raw"', "series": series, "marks": ["τ"]})
    assert rows[0] == {
        "panel": 'Loss, "raw"', "series": "measured", "part": "", "run": "1", "time": "", "x": "0", "y": "",
        "value": repr(1 / 3),
    }  # fmt: skip
    found = {(r["series"], r["part"], r["run"], r["x"]): r["value"] for r in rows}
    assert float(found["measured", "", "1", "1"]) == 2e-17
    assert found["measured", "low", "1", "1"] == "0.2"
    assert (found["each", "", "2", "0"], found["each", "", "2", "1"]) == ("3", "")
    assert found["measured", "ghost", "1", "6"] == "7"
    assert ("τ", "mark", "", "4.5") in found


def test_csv_of_maps_and_planes_has_times_and_names():
    plane = {"kind": "plane", "title": "Plane", "marks": [{"role": "paths", "label": "runs"}]}
    arrays = {
        "time": flat(0, 10), "0.z": {"shape": [2, 1, 2], "data": [1, 2, 3, 4]}, "0.t": flat(0, 10),
        "0.xticks": flat(5, 6),
        "1.x0": {"shape": [2, 2], "data": [1, 2, 3, 4]}, "1.y0": {"shape": [2, 2], "data": [5, 6, 7, 8]},
    }  # fmt: skip
    found = read_csv(arrays, {"kind": "heatmap", "title": "Map", "clabel": "share"}, plane)
    rows = [(r["panel"], r["run"], r["time"], r["x"], r["y"], r["value"]) for r in found]
    assert ("Map", "", "10", "6", "0", "4") in rows
    assert ("Plane", "2", "10", "4", "8", "") in rows
    assert len(rows) == 8


# Still pictures: their document, colours and images; what holds of each is in test_figures.

PAPER = engine("paper")
CSS = "/* a */ .x, .z { --c: #0072b2 } .x > g * { fill: var(--c) } .y { fill: none } @media print { .x { fill: red } }"
TEXT = '<text x="1">a &lt; b <tspan dy="3">1</tspan></text>'


def written(markup, css=CSS):
    """The markup as a printer writes it, in a node of class x, and its style sheet."""
    code = f"""(() => {{
      const [root, printer] = [new PaperNode("svg"), makePrinter({css!r}, [])];
      root.setAttribute("class", "x");
      root.innerHTML = {markup!r};
      return [printer.write(root), printer.sheet()];
    }})()"""
    return PAPER.value(code)


@pytest.mark.parametrize(
    ("markup", "inside", "sheet"),
    [
        ('<g><path d="M0,0"/></g>', '<g><path d="M0,0" class="l0"/></g>', ".l0{fill:#0072b2}"),
        ('<g><path style="--c:#111" d="M1,1"/></g>', '<g><path d="M1,1" class="l0"/></g>', ".l0{fill:#111}"),
        ('<path class="y" d="M1,1"/>', '<path d="M1,1" class="l0"/>', ".l0{fill:none}"),
        (TEXT, TEXT, ""),
        ('<g id="a"/><rect clip-path="url(#long)" x="2" role="img"/>', '<rect clip-path="url(#c0)" x="2"/>', ""),
        ('<path/><g></g><text></text><rect visibility="hidden"/><rect class="le-catcher"/>', "", ""),
    ],
)  # fmt: skip
def test_what_is_seen_is_written_with_the_look_that_the_style_sheet_gives(markup, inside, sheet):
    assert written(markup) == [f"<svg>{inside}</svg>" if inside else "<svg/>", sheet]


def test_later_and_narrower_rules_win():
    css = ".a { fill: red } .b { fill: blue } .a.b { fill: green } .c { fill: pink !important } rect { fill: grey }"
    for names, fill in (("a", "red"), ("b a", "green"), ("b", "blue"), ("a b c", "pink"), ("", "grey")):
        assert written(f'<rect class="{names}"/>', css)[1] == f".l0{{fill:{fill}}}"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('resolved("var(--a, #123456)", {})', "#123456"),
        ('resolved("var(--a)", {"--a": "var(--b)", "--b": "#fff"})', "#fff"),
        ('resolved("color-mix(in oklab, var(--a) 100%, #000)", { "--a": "#D55E00" })', "#D55E00"),
        ('mixed("#ffffff", 0.5, "#000000")', "#636363"), ('mixed("#0072b2", 0.24, "#ffffff")', "#c9ddee"),
        ('mixed("#fff", 1, "#000")', "#ffffff"),
    ],
)  # fmt: skip
def test_colours_are_resolved_as_a_browser_does(code, expected):
    assert PAPER.value(code) == expected


def test_canvas_becomes_an_image_of_the_same_pixels():
    colours = [(255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255), (1, 2, 3, 60), (9, 9, 9, 0), (255, 0, 0, 255)]
    data = [one for colour in colours for one in colour]
    address = PAPER.value(f"pixelsOf({{ width: 3, height: 2, data: {data} }})")
    kind, text = _CANVAS.sub(_png, address).split(",")
    assert kind == "data:image/png;base64"
    image = Image.open(io.BytesIO(base64.b64decode(text)))
    assert (image.size, image.mode) == ((3, 2), "RGBA")
    assert [image.getpixel((i % 3, i // 3)) for i in range(6)] == colours
