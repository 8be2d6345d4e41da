"""The shell of the explorer in Python and in the page: tours, phrases, shares of the room, CSV."""

import csv
import io
import json
from functools import partial

import pytest

from hal.site.phrases import fault
from tests.figure.engine import engine, page_value
from tests.figure.toy_computed import explorer as bars
from tests.figure.toy_tour import make


def page(module):
    """What expressions give in a module of the page."""
    return partial(page_value, engine(module))


def test_the_page_gets_the_steps_with_panels_by_their_number():
    steps = make().spec()["tour"]
    assert [step["point"] for step in steps] == [None, 1, "T", 0]
    assert steps[1]["say"][0] == {"text": "At step {reached} the signal is 0.1.", "when": []}
    assert (steps[2]["settings"], steps[2]["seed"], steps[0]["time"]) == ({"T": 256, "lr": 0.1}, 3, 0)
    assert make(TOUR=()).spec()["tour"] == []


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("T", "100", ""),
        ("lr", "0.0321", ""),
        ("seed", "7", ""),
        ("t", "12.5", ""),
        ("tour", "4", ""),
        ("T", "2", "T: expected a whole number from 4 to 512, got '2'"),
        ("T", "4.5", "T: expected a whole number from 4 to 512, got '4.5'"),
        ("T", "", "T: expected a whole number from 4 to 512, got ''"),
        ("lr", "nan", "lr: expected a number from 0.01 to 0.2, got 'nan'"),
        ("tour", "5", "tour: expected a number from 1 to 4, got '5'"),
        ("seed", "-1", "seed: expected a number from 0 to 1e+09, got '-1'"),
        ("D", "3", "expected one of ['T', 'N', 'Q', 'skew', 'lr', 'start_V', 'start_A'], got 'D'"),
    ],
)
def test_a_phrase_is_checked_against_the_sliders(name, text, reason):
    assert fault(make().spec(), name, text) == reason


@pytest.mark.parametrize(
    ("text", "good"),
    [("0.5/0.3/0.2", True), ("1/0", True), ("0.5/0.4", False), ("1.1/-0.1", False), ("0.5/x", False), ("", False)],
)
def test_a_phrase_that_sets_bars(text, good):
    reason = "" if good else f"mu: expected numbers of at least 0 with sum 1, got {text!r}"
    assert fault(bars().spec(), "mu", text) == reason


@pytest.mark.parametrize(
    ("panels", "columns", "rows"),
    [
        ([(270, False), (270, False), (110, True)], 2, [330, 170]),
        ([(200, False), (260, False)], 2, [320]),
        ([(200, False), (260, False)], 1, [260, 320]),
        ([(90, True), (200, False), (150, False), (100, False)], 2, [150, 260, 160]),
        ([(90, False), (200, True), (150, False)], 2, [150, 260, 210]),
    ],
)
def test_rows_share_the_room_by_their_tallest_panel(panels, columns, rows):
    given = json.dumps([{"height": height, "wide": wide} for height, wide in panels])
    found = page("layout")(f"rowShares({given}, {columns})")
    assert found == " ".join(f"minmax(min-content, {share}fr)" for share in rows)


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


def test_links_give_settings_a_time_and_a_step():
    run = page("links")
    spec = json.dumps(make().spec())
    got = run(f"settingsFrom({spec}, [['T', '64'], ['tour', '3'], ['t', '5']])")
    assert got == {"settings": {"T": 64}, "tour": 3, "t": 5, "remark": ""}
    for text in ("0", "5", "1.5", "x"):
        assert run(f"settingsFrom({spec}, [['tour', '{text}']])")["remark"] == f"Ignored in the link: tour={text}."
