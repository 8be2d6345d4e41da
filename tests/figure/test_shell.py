"""The shell of the explorer in Python and in the page: tours, phrases, shares of the room, CSV."""

import csv
import io
import json
from functools import partial

from tests.figure.engine import engine, page_value


def page(module):
    """What expressions give in a module of the page."""
    return partial(page_value, engine(module))


def read_csv(spec, arrays):
    text = page("toolrow")(f"csvOf({json.dumps(spec)}, {json.dumps(arrays)})")
    return list(csv.DictReader(io.StringIO(text)))


def flat(*values):
    return {"shape": [len(values)], "data": list(values)}


def test_csv_of_lines_holds_every_run_and_band_in_full_precision():
    spec = {
        "panels": [
            {
                "kind": "lines",
                "title": 'Loss, "raw"',
                "series": [{"label": "measured"}, {"label": "each"}],
                "marks": ["τ"],
            }
        ]
    }
    arrays = {
        "0.x": flat(0, 1), "0.y0": flat(1 / 3, 2e-17), "0.y0.low": flat(0.1, 0.2), "0.m0": flat(4.5),
        "0.y1": {"shape": [2, 2], "data": [1, 2, 3, None]}, "0.y0.ghost": flat(9, 8, 7), "0.y0.ghost.x": flat(0, 5, 6),
    }  # fmt: skip
    rows = read_csv(spec, arrays)
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
    spec = {
        "panels": [
            {"kind": "heatmap", "title": "Map", "clabel": "share", "xticks": ["a", "b"], "yticks": None},
            {"kind": "plane", "title": "Plane", "marks": [{"role": "paths", "label": "runs"}]},
        ]
    }
    arrays = {
        "time": flat(0, 10), "0.z": {"shape": [2, 1, 2], "data": [1, 2, 3, 4]}, "0.t": flat(0, 10),
        "1.x0": {"shape": [2, 2], "data": [1, 2, 3, 4]}, "1.y0": {"shape": [2, 2], "data": [5, 6, 7, 8]},
    }  # fmt: skip
    rows = [(r["panel"], r["run"], r["time"], r["x"], r["y"], r["value"]) for r in read_csv(spec, arrays)]
    assert ("Map", "", "10", "b", "0", "4") in rows
    assert ("Plane", "2", "10", "4", "8", "") in rows
    assert len(rows) == 8
