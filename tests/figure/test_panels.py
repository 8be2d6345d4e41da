"""Panels as an author writes them: what they refuse, by name, and what they make of arrays."""

import numpy as np
import pytest

from hal.figure import Heights, Line, Path, Recorded, bars, cloud, heatmap, lines, plane
from hal.figure.facts import Numbers, Result
from lib.errors import InputError

AXES = {"xlabel": "time (steps)", "ylabel": "loss (nats)", "title": "Loss"}
GROUND = Heights("x", "y", "z", [1.0])
MAP = {**AXES, "clabel": "z (no unit)"}
CLOUD = {**AXES, "label": "now", "recorded_label": "then"}


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: lines("steps", ["loss"], **{**AXES, "ylabel": "loss"}), "ylabel of panel 'Loss': expected a label"),
        (lambda: lines("steps", [], **AXES), "y of panel 'Loss': expected at least one series"),
        (lambda: lines("steps", [Line("loss", "x", idea="nonsense")], **AXES).spec(), "idea: expected one of"),
        (lambda: plane([], **AXES), "paths of panel 'Loss': expected something to draw"),
        (lambda: heatmap("a", clabel="share", **AXES), "clabel of panel 'Loss'"),
        (lambda: heatmap("a", outline="c", **MAP), "outline_label: expected what"),
        (lambda: heatmap("z", pick=("a", "b"), xticks="x", yticks=["one"], **MAP), "pick: expected keys of the coord"),
        (lambda: heatmap("z", ynames=["one"], **MAP), "ynames: expected the key of their numbers"),
        (lambda: cloud("x", "y", recorded=[], **CLOUD), "recorded of panel 'Loss'"),
        (lambda: cloud("x", "y", recorded=[Recorded(0, 0, {})], low="l", **CLOUD), "low, high: expected both ends"),
        (lambda: plane(["p"], heights=GROUND, xlim=(0, 1), **AXES), "heights: expected an asinh axis"),
        (lambda: plane(["p"], asinh=1.0, **AXES), "asinh: expected heights"),
    ],
)
def test_what_cannot_be_a_panel_is_refused(build, message):
    with pytest.raises(InputError, match=message):
        build()


@pytest.mark.parametrize(
    ("panel", "data", "message"),
    [
        (lines("steps", ["nothing"], **AXES), {}, r"run: expected numbers 'nothing' for panel 'Loss', got only \["),
        (lines("steps", ["loss"], **AXES), {"loss": np.zeros(4)}, r"'loss' of 3 numbers, as 'steps'"),
        (lines("x", ["loss"], frames=True, **AXES), {"x": np.arange(2)}, "'loss' of whole frames of 2 numbers, got 3"),
        (bars("x", ["loss"], **AXES), {"x": np.arange(2)}, "'loss' of 2 numbers, as 'x'"),
        (heatmap("z", rows=2, columns=5, frames=False, **MAP), {"z": np.zeros(20)}, "one frame in 'z'"),
        (heatmap("z", rows=2, columns=5, xticks=["a"], **MAP), {}, "xticks: expected 5 names of columns"),
        (heatmap("z", rows="x", columns=5, **MAP), {"x": np.arange(2)}, "rows: expected the name of a whole"),
        (plane([Path("steps", "x", "p")], **AXES), {"x": np.arange(2)}, "'x' of 3 numbers, as 'steps'"),
        (cloud("x", "y", recorded=[Recorded(0, 0, {})], curve=("steps", "z", "law"), **CLOUD), {}, "'z' of 3 numbers"),
    ],
)
def test_arrays_that_do_not_fit_their_panel_are_refused_by_name(panel, data, message):
    theory = {"steps": np.arange(3), "loss": np.zeros(3), "z": np.zeros(10), **data}
    with pytest.raises(InputError, match=message):
        panel.check(Numbers(Result(theory, [], {}), panel.title))
