"""Panels as an author writes them: what they refuse, by name, and what they make of arrays."""

import numpy as np
import pytest

from hal.explorer import Heights, Line, Recorded, bars, cloud, heatmap, lines, over_steps, plane
from hal.explorer.charts import band
from lib.errors import InputError

AXES = {"xlabel": "time (steps)", "ylabel": "loss (nats)", "title": "Loss"}
GROUND = Heights("x", "y", "z", [1.0])
MAP = {**AXES, "clabel": "z (no unit)"}
CLOUD = {**AXES, "label": "now", "recorded_label": "then"}
GROUPS = {"groups": "sizes", "group_labels": ("left", "right")}
SPREAD = [Line("loss", "loss", error="spread")]
ENDS = [Line("loss", "loss", band=("spread", "steps"))]


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: lines("steps", ["loss"], **{**AXES, "ylabel": "loss"}), "ylabel of panel 'Loss': expected a label"),
        (lambda: lines("steps", [], **AXES), "y of panel 'Loss': expected at least one series"),
        (lambda: lines("steps", [Line("loss", "x", idea="nonsense")], **AXES).spec(), "idea: expected one of"),
        (lambda: plane([], **AXES), "paths of panel 'Loss': expected something to draw"),
        (lambda: bars("x", SPREAD, **AXES), "error: expected a line chart for error bars, got bars 'Loss'"),
        (lambda: bars("x", ENDS, **AXES), "band: expected a line chart for a band of its own, got bars 'Loss'"),
        (lambda: heatmap("a", clabel="share", **AXES), "clabel of panel 'Loss'"),
        (lambda: heatmap("a", outline="c", **MAP), "outline_label: expected what"),
        (lambda: heatmap("a", groups="sizes", **MAP), "group_labels: expected a text for each group"),
        (lambda: heatmap("a", group_labels=("left",), **MAP), "group_labels: expected a text for each group"),
        (lambda: heatmap("z", pick=("a", "b"), xticks="x", yticks=["one"], **MAP), "pick: expected keys of the coord"),
        (lambda: heatmap("z", ynames=["one"], **MAP), "ynames: expected the key of their numbers"),
        (lambda: cloud("x", "y", recorded=[], **CLOUD), "recorded of panel 'Loss'"),
        (lambda: cloud("x", "y", recorded=[Recorded(0, 0, {})], low="l", **CLOUD), "low, high: expected both ends"),
        (lambda: plane(["p"], basin="b", basin_labels=["x"], **AXES), "basin: expected a field"),
        (lambda: plane(["p"], heights=GROUND, xlim=(0, 1), **AXES), "heights: expected an asinh axis"),
        (lambda: plane(["p"], asinh=1.0, **AXES), "asinh: expected heights"),
        (lambda: plane(["p"], basin_labels=["x"], **AXES), "basin_labels: expected what the regions"),
    ],
)
def test_what_cannot_be_a_panel_is_refused(build, message):
    with pytest.raises(InputError, match=message):
        build()


@pytest.mark.parametrize(
    ("panel", "data", "message"),
    [
        (lines("steps", ["nothing"], **AXES), {}, r"run: expected an array 'nothing' for panel 'Loss', got only \["),
        (lines("steps", ["loss"], **AXES), {"loss": np.zeros((2, 2, 3))}, r"'loss' of shape \(K,\) or \(seeds, K\)"),
        (lines("steps", ["loss"], **AXES), {"loss": np.zeros(4)}, r"'loss' with axis -1 as long as 'steps' \(3\)"),
        (lines("steps", ["loss"], **AXES), {"loss": np.array(["a"] * 3)}, "run: expected numbers in 'loss', got dtype"),
        (lines("steps", ["loss"], **AXES), {"loss": np.zeros((0, 3))}, "run: expected a non-empty 'loss'"),
        (lines("steps", SPREAD, **AXES), {"spread": -np.ones(3)}, r"half lengths of at least 0 in 'spread', got -1"),
        (lines("steps", SPREAD, **AXES), {"spread": np.ones(2)}, r"'spread' with axis 0 as long as 'loss' \(3\)"),
        (lines("steps", ENDS, **AXES), {"spread": np.ones(2)}, r"'spread' with axis 0 as long as 'steps' \(3\)"),
        (lines("steps", ENDS, **AXES), {"spread": np.ones((3, 3))}, r"'spread' of shape \(K,\) for panel"),
        (lines("steps", SPREAD, **AXES), {"loss": np.ones((3, 3))}, r"'loss' of shape \(K,\), since it has error bars"),
        (lines("x", ["loss"], frames=True, **AXES), {"loss": np.zeros((4, 2)), "x": np.arange(2)}, "long as 'steps'"),
        (bars("x", ["loss"], **AXES), {"x": np.arange(2), "loss": np.arange(3)}, "as long as 'x'"),
        (heatmap("z", **MAP), {"z": np.zeros((4, 2, 2))}, "'z' with axis 0 as long as 'steps'"),
        (heatmap("z", xticks=["a"], **MAP), {"z": np.zeros((2, 2))}, "'z' with axis -1"),
        (heatmap("z", **MAP, **GROUPS), {"sizes": [2.0, 4.0]}, "'sizes' of 5 columns in all, got 6"),
        (heatmap("z", **MAP, **GROUPS), {"sizes": [5.0]}, "'sizes' with axis 0 as long as 'group_labels'"),
    ],
)
def test_arrays_that_do_not_fit_their_panel_are_refused_by_name(panel, data, message):
    with pytest.raises(InputError, match=message):
        panel.items({"steps": np.arange(3), "loss": np.zeros(3), "z": np.zeros((2, 5)), **data}, "steps")


def test_error_bars_are_kept_beside_their_points():
    panel = lines("steps", ["ours", *SPREAD], **AXES)
    data = {"steps": np.arange(3), "ours": np.ones(3), "loss": np.arange(3), "spread": np.full(3, 0.5)}
    items = panel.items(data, "steps")
    np.testing.assert_array_equal(items["y1.error"], data["spread"])
    assert "y0.error" not in items
    assert [series["error"] for series in panel.spec()["series"]] == [False, True]


def test_groups_of_columns_reach_the_page_with_their_labels():
    panel = heatmap("z", frames=False, **MAP, **GROUPS)
    items = panel.items({"z": np.zeros((2, 5)), "sizes": [2.0, 3.0]}, "steps")
    np.testing.assert_array_equal(items["groups"], [2, 3])
    assert panel.spec()["group_labels"] == ["left", "right"]
    assert panel.sources()["groups"] == "sizes"
    assert "groups" not in heatmap("z", **MAP).sources()


def test_a_band_leaves_diverged_runs_out():
    middle, low, high = band(np.array([[0.0, 1.0], [2.0, np.nan], [4.0, np.inf]]))
    np.testing.assert_allclose([middle[0], low[0], high[0]], [2.0, 0.4, 3.6])
    np.testing.assert_array_equal([middle[1], low[1], high[1]], 1.0)


@pytest.mark.parametrize(("ylog", "ynear"), [(False, 0.01), (True, 0.0), (True, -1.0)])
def test_a_log_axis_goes_on_below_zero_only_where_it_is_one(ylog, ynear):
    with pytest.raises(InputError, match="ynear: expected a number above 0, with ylog"):
        over_steps("Signals", "signal (no unit)", Line("V", "V"), ylog=ylog, ynear=ynear)
    assert over_steps("Signals", "signal (no unit)", Line("V", "V"), ylog=True, ynear=0.01).spec()["ynear"] == 0.01
