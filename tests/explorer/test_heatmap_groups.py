"""Groups of columns of a heat map: neighbours under a bracket with a label."""

import json
from pathlib import Path

import numpy as np
import pytest
import quickjs

from lib.errors import InputError
from lib.explorer import assets, heatmap

AXES = {"xlabel": "x (a)", "ylabel": "y (b)", "clabel": "z (c)", "title": "Map", "frames": False}
GROUPS = {"groups": "sizes", "group_labels": ("left", "right")}


def test_sizes_reach_the_page_with_their_labels():
    panel = heatmap("z", **AXES, **GROUPS)
    items = panel.items({"z": np.zeros((2, 5)), "sizes": [2.0, 3.0]}, None)
    np.testing.assert_array_equal(items["groups"].array, [2, 3])
    assert panel.spec()["group_labels"] == ["left", "right"]
    assert panel.sources()["groups"] == "sizes"
    assert "groups" not in heatmap("z", **AXES).sources()


@pytest.mark.parametrize(
    ("sizes", "message"),
    [([2.0, 4.0], "'sizes' of 5 columns in all, got 6"), ([5.0], "'sizes' with axis 0 as long as 'group_labels'")],
)
def test_sizes_that_do_not_fit_are_refused(sizes, message):
    with pytest.raises(InputError, match=message):
        heatmap("z", **AXES, **GROUPS).items({"z": np.zeros((2, 5)), "sizes": sizes}, None)


def test_groups_without_labels_are_refused():
    for half in ({"groups": "sizes"}, {"group_labels": ("left",)}):
        with pytest.raises(InputError, match="group_labels: expected a text for each group"):
            heatmap("z", **AXES, **half)


def test_a_bracket_spans_its_columns_and_an_empty_group_has_none():
    context = quickjs.Context()
    context.eval((Path(assets.__file__).parent / "js" / "heatmap.js").read_text())
    found = json.loads(context.eval('JSON.stringify(groupsOf(["a", "b", "c"], [0, 2, 3]))'))
    assert found == [[0, 2, "b"], [2, 5, "c"]]
    assert json.loads(context.eval("JSON.stringify(groupsOf([], []))")) == []
    assert context.eval("bracketPath(10, 40, 100)") == "M10.0,100.0v4H40.0v-4"
