"""The explorer without a browser: encoding, sizes, refusals, the three hosts as far as Python goes."""

import functools
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path as File

import nbformat
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.errors import InputError
from lib.explorer import Explorer, Line, Slider, heatmap, lines, plane
from lib.explorer import explorer as core
from lib.explorer.encode import Codec, Item, pack, quantise, read
from lib.explorer.panels import bars
from lib.explorer.static import QUEUE, markup, payload
from tests.explorer import toy_explorer
from tests.explorer.drawn import assert_same
from tests.explorer.toy_explorer import make, panels, second, toy


@settings(max_examples=60, deadline=None)
@given(
    shape=st.lists(st.integers(1, 6), min_size=1, max_size=3),
    bits=st.sampled_from([None, 2, 6, 7, 8, 11, 15]),
    log=st.booleans(),
    frames=st.booleans(),
    size=st.integers(-25, 25),
    holes=st.sampled_from([0.0, 0.3, 1.0]),
    seed=st.integers(0, 99),
)
def test_every_array_survives_the_payload_within_half_a_step(shape, bits, log, frames, size, holes, seed):
    rng = np.random.default_rng(seed)
    points = []
    for _ in range(3):
        values = rng.normal(size=shape) * 10.0**size
        values[rng.uniform(size=shape) < holes] = rng.choice([np.nan, np.inf, -np.inf, 0, 1e300])
        points.append({"a": Item(values, Codec(bits, log, frames)), "b": Item(np.arange(4.0))})
    packed = pack(points, {"reading": ["one", "two", "one"]})
    for i, point in enumerate(points):
        arrays, texts = read(packed, i)
        assert texts["reading"] == ["one", "two", "one"][i]
        for key, item in point.items():
            assert_same(arrays[key], item)


def test_quantisation_keeps_the_ends_and_codes_what_is_missing_as_zero():
    values = np.array([-3.0, np.nan, 5.0, 1.0], np.float32)
    codes, low, high = quantise(values, Codec(11))
    assert (low, high) == (-3.0, 5.0)
    assert codes.tolist() == [1, 0, 2047, 1024]


def test_equal_arrays_are_stored_once_whichever_key_and_point_they_have():
    rng = np.random.default_rng(0)
    one, codec = rng.normal(size=5000), Codec(11)
    small = len(pack([{"a": Item(one, codec)}], {}))
    shared = len(pack([{"a": Item(one, codec), "b": Item(one, codec)}] * 50, {}))
    other = len(pack([{"a": Item(one, codec)}, {"a": Item(rng.normal(size=5000), codec)}], {}))
    assert shared < small + 200
    assert other > 1.9 * small


def test_the_grid_of_the_static_page_holds_what_run_returns_everywhere():
    explorer = make()
    packed = payload(explorer)
    refused = 0
    for i, point in enumerate(explorer.points()):
        arrays, texts = read(packed, i)
        if texts["error"]:
            with pytest.raises(InputError, match=re.escape(texts["error"])):
                explorer.compute(point)
            refused += 1
            continue
        drawn, _ = explorer.compute(point)
        assert (texts["reading"], texts["notice"], texts["error"]) == (drawn.reading, drawn.notice, "")
        for key, item in drawn.items.items():
            assert_same(arrays[key], item)
    assert len(explorer.points()) == 180
    assert refused == 1 * 6 * 2 * 2  # T = 16 with every learning rate, Q = 2 and 3, both optimisers


def test_many_is_used_when_there_is_one_and_points_are_found_one_by_one_when_it_refuses():
    def many(points):
        seen.append(len(points))
        return [toy(**p) for p in points]

    seen = []
    run = lambda **s: toy(**s)  # noqa: E731 - a function without a name is what is tested
    run.many = many
    options = {"run": run, "name": "toy", "title": "t", "reading": toy_explorer.read, "panels": panels()}
    whole = Explorer(grid={"T": [32, 64], "lr": [0.1]}, sliders=_sliders("T", "lr"), min_points=1, **options)
    toy_explorer.calls.clear()
    assert payload(whole)
    assert seen == [2]
    assert len(toy_explorer.calls) == 2
    part = Explorer(grid={"T": [8, 64], "lr": [0.1]}, sliders=_sliders("T", "lr"), min_points=1, **options)
    assert read(payload(part), 0)[1]["error"].startswith("Q: expected less than T/8")
    assert read(payload(part), 1)[1]["error"] == ""


def _sliders(*names):
    return {name: Slider(name, "no unit") for name in names}


def test_only_the_default_point_is_computed_when_the_figure_is_shown_live():
    toy_explorer.calls.clear()
    explorer = make()
    assert toy_explorer.calls == []
    bundle = explorer._repr_mimebundle_()
    assert toy_explorer.calls == [(64, 0.05, 1, "SGD")]
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert "application/vnd.jupyter.widget-view+json" in data


def test_a_headless_notebook_computes_one_point_and_may_ask_for_any_other(tmp_path):
    cells = ["from tests.explorer.toy_explorer import calls, make\ne = make()\ne", "assert len(calls) == 1, calls"]
    cells += ["e.set(T=77, lr=0.0123)\nassert calls[-1][:2] == (77, 0.0123) and e.error == ''"]
    cells += ["e.set(T=32, Q=3); e.set(T=20)\nassert e.error.startswith('Q: expected less than'), e.error"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    nbformat.write(notebook, tmp_path / "headless.ipynb")
    command = [sys.executable, "-m", "jupyter", "execute", str(tmp_path / "headless.ipynb")]
    env = {name: value for name, value in os.environ.items() if name != core.STATIC}
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def test_settings_from_code_and_linked_sliders_reach_the_figure_both_ways():
    explorer = make()
    names = list(explorer.controls_by_name)
    boxes = dict(zip(names, explorer.controls.children, strict=True))
    boxes["T"].value = 100
    assert explorer.settings["T"] == 100
    assert explorer.widget.drawn["settings"]["T"] == 100
    explorer.set(lr=0.3, optimiser="prox")
    assert boxes["lr"].value == pytest.approx(0.3)
    assert boxes["optimiser"].value == "prox"
    assert explorer.settings == {"T": 100, "lr": 0.3, "Q": 1, "optimiser": "prox"}
    np.testing.assert_array_equal(explorer.data["loss"], toy(100, 0.3, 1, "prox")["loss"])


def test_live_answers_carry_the_numbers_of_run_and_errors_in_words():
    explorer = make()
    explorer.set(T=50, lr=0.033)
    loss = explorer.widget.drawn["arrays"]["0.y0"]
    expected = np.median(toy(50, 0.033)["loss"], axis=0).astype("<f4")
    np.testing.assert_array_equal(np.frombuffer(loss["data"], "<f4").reshape(loss["shape"]), expected)
    explorer.widget.settings = {**explorer.settings, "T": 1e9}
    assert explorer.error == "T: expected a value from 16 to 256, got 1e+09"

    def broken(**_):
        raise ZeroDivisionError("by nought")

    explorer.run = broken
    explorer.widget.settings = {**explorer.default, "T": 51}
    assert explorer.error == "ZeroDivisionError: by nought"


def test_divergence_is_said_in_words():
    assert core.divergence({"diverged_at": np.array([-1, -1])}) == core.divergence({}) == ""
    assert "This run diverged at step 1,210" in core.divergence({"diverged_at": 1210})
    assert core.divergence({"diverged_at": [-1, 30, 20]}).startswith("2 of 3 runs diverged, the first at step 20;")
    assert make().compute({"lr": 0.5})[0].notice.startswith("1 of 5 runs diverged")


def test_the_markup_carries_picture_spec_and_payload_and_escapes_them():
    text = make(title='Less < more & "quotes"').html()
    assert text.startswith('<div class="lib-explorer" data-explorer="toy-main" id="toy-main">')
    assert text.endswith(f"</div>{QUEUE}")
    assert text.count("</script>") == 3
    spec = json.loads(re.search(r'class="le-spec">(.*?)</script>', text)[1])
    assert spec["title"] == 'Less < more & "quotes"'
    assert [c["name"] for c in spec["controls"]] == [
        "T",
        "lr",
        "Q",
        "optimiser",
    ]
    assert re.search(r'alt="Less &lt; more &amp; &quot;quotes&quot;\. With Q = 1 [^"]+&lt;nats&gt;\."', text)
    assert text == make(title='Less < more & "quotes"').html(), "the same figure must give the same page"


def test_the_python_that_is_offered_names_the_run_and_its_fixed_arguments():
    explorer = Explorer(
        functools.partial(toy, seed=3),
        grid={"T": [32, 64], "lr": [0.1]},
        panels=panels(),
        sliders=_sliders("T", "lr"),
        fixed={"Q": 2},
        name="toy",
        title="t",
        reading=toy_explorer.read,
    )
    assert explorer.spec()["python"] == {
        "module": "tests.explorer.toy_explorer",
        "name": "toy",
        "fixed": {"seed": "3", "Q": "2"},
    }


AXES = {"xlabel": "time (steps)", "ylabel": "loss (nats)", "title": "Loss"}
GRID = {"T": [16, 32]}
STOPS = {"T": [64], "Q": [1], "optimiser": ["SGD"]}
NONSENSE = Line("loss", "x", idea="nonsense")


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: make(grid={}), "grid: expected at least one setting"),
        (lambda: make(panels=[]), "panels: expected at least one panel"),
        (lambda: make(name="Toy main"), "name: expected lower case"),
        (lambda: make(default={"T": 17}), r"default\['T'\]: expected one of the stops"),
        (lambda: make(default={"S": 17}), r"default: expected settings among .*got \['S'\]"),
        (lambda: make(fixed={"T": 17}), "fixed: expected no setting of the grid"),
        (lambda: make(start="middle"), "start: expected 'start', 'end' or a fraction"),
        (lambda: make(grid={**STOPS, "lr": []}), r"grid\['lr'\]: expected at least one stop"),
        (lambda: make(grid={**STOPS, "lr": [1, np.nan]}), r"grid\['lr'\]: expected finite stops"),
        (lambda: make(grid={**STOPS, "lr": [2, 1]}), r"grid\['lr'\]: expected increasing stops"),
        (lambda: make(grid={**STOPS, "lr": [1, 1]}), r"grid\['lr'\]: expected different stops"),
        (lambda: make(sliders={"T": Slider("T", "tokens")}), r"sliders\['lr'\]: expected a Slider"),
        (lambda: second().__class__(toy, GRID, panels(), name="a", title="t", reading=str, sliders={"T": Slider("T")}),
         r"sliders\['T'\].unit: expected a unit"),
        (lambda: make(sliders={**make_sliders(), "T": Slider("T", "tokens", live=(20, 30))}),
         r"sliders\['T'\].live: expected a range that holds the stops 16 to 256"),
        (lambda: lines("steps", ["loss"], **{**AXES, "ylabel": "loss"}), "ylabel of panel 'Loss': expected a label"),
        (lambda: lines("steps", [], **AXES), "y of panel 'Loss': expected at least one series"),
        (lambda: plane([], **AXES), "paths of panel 'Loss': expected something to draw"),
        (lambda: heatmap("a", clabel="share", **AXES), "clabel of panel 'Loss'"),
        (lambda: heatmap("a", clabel="a (b)", outline="c", **AXES), "outline_label: expected what"),
        (lambda: make(panels=[lines("steps", [NONSENSE], **AXES)]).spec(), "idea: expected one of"),
        (lambda: make().set(T=5), "T: expected a value from 16 to 256, got 5"),
        (lambda: make().set(T=20.5), "T: expected a whole number, got 20.5"),
        (lambda: make().set(lr="fast"), "lr: expected a finite number, got 'fast'"),
        (lambda: make().set(optimiser="Adam"), r"optimiser: expected one of \['SGD', 'prox'\], got 'Adam'"),
        (lambda: make().set(S=1), r"settings: expected names among .*got \['S'\]"),
    ],
)  # fmt: skip
def test_bad_arguments_are_refused_by_name(build, message):
    with pytest.raises(InputError, match=message):
        build()


def make_sliders():
    return {n: c.slider for n, c in make().controls_by_name.items()}


@pytest.mark.parametrize(
    ("panel", "data", "message"),
    [
        (lines("steps", ["nothing"], **AXES), {}, r"run: expected an array 'nothing' for panel 'Loss', got only \["),
        (lines("steps", ["loss"], **AXES), {"loss": np.zeros((2, 2, 3))}, r"'loss' of shape \(K,\) or \(seeds, K\)"),
        (lines("steps", ["loss"], **AXES), {"loss": np.zeros(4)}, r"'loss' with axis -1 as long as 'steps' \(3\)"),
        (lines("steps", ["loss"], **AXES), {"loss": np.array(["a"] * 3)}, "run: expected numbers in 'loss', got dtype"),
        (lines("steps", ["loss"], **AXES), {"loss": np.zeros((0, 3))}, "run: expected a non-empty 'loss'"),
        (
            lines("x", ["loss"], frames=True, **AXES),
            {"loss": np.zeros((4, 2)), "x": np.arange(2)},
            "as long as 'steps'",
        ),
        (heatmap("z", clabel="z (no unit)", **AXES), {"z": np.zeros((4, 2, 2))}, "'z' with axis 0 as long as 'steps'"),
        (heatmap("z", clabel="z (no unit)", xticks=["a"], **AXES), {"z": np.zeros((2, 2))}, "'z' with axis -1"),
        (bars("x", ["loss"], **AXES), {"x": np.arange(2), "loss": np.arange(3)}, "as long as 'x'"),
    ],
)
def test_arrays_that_do_not_fit_their_panel_are_refused_by_name(panel, data, message):
    def run(T):
        return {"steps": np.arange(3), "loss": np.zeros(3), **data}

    e = Explorer(run, GRID, [panel], name="a", title="t", reading=lambda s, d: "x", sliders=_sliders("T"), time="steps")
    with pytest.raises(InputError, match=message):
        e.compute({})


def test_a_static_page_refuses_too_few_points_and_too_much_data():
    with pytest.raises(InputError, match="explorer 'toy-main': expected at least 181 grid points, got 180"):
        markup(make(min_points=181))
    with pytest.raises(InputError, match="explorer 'toy-main': expected at most 20,000 bytes of data after gzip, got"):
        markup(make(budget=20_000))


def test_the_vendored_library_is_the_recorded_one():
    folder = File(core.__file__).parent / "vendor"
    recorded = re.findall(r"`([0-9a-f]{64})` \| `([^`]+)`", (folder / "VENDOR.md").read_text())
    assert recorded == [(hashlib.sha256((folder / "d3.min.js").read_bytes()).hexdigest(), "d3.min.js")]
    assert "ISC" in (folder / "VENDOR.md").read_text()
    assert (folder / "LICENSES.txt").stat().st_size > 1000


def test_importing_the_explorer_loads_no_widget_and_no_plotting_library():
    heavy = ("matplotlib", "ipywidgets", "anywidget", "torch")
    code = f"import sys, lib.explorer; print(*set({heavy}) & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == ""
