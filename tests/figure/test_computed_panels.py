"""Panels of a figure that computes, without a browser: pure functions of the page, weights, refusals."""

import json

import numpy as np
import pytest

from hal.figure import Weights
from hal.figure.controls import WeightsControl
from lib.errors import InputError
from tests.figure import toy_computed
from tests.figure.engine import engine, page_value
from tests.figure.test_computed import bound


@pytest.fixture(scope="module")
def page():
    return engine("bars", "heatmap", "computing")


@pytest.fixture(scope="module")
def toy():
    return toy_computed.explorer()


@pytest.mark.parametrize(("diverging", "expected"), [("false", [9, 3, 8, 1]), ("true", [9, 3, 8, -12])])
def test_of_the_cells_that_share_a_pixel_the_largest_is_shown(page, diverging, expected):
    cells = "Float64Array.of(99, 99, 0,9,1,3, NaN,2,0,1, 0,8,-12,NaN, 1,1,0,1)"
    assert page_value(page, f"Array.from(pooled({cells}, 2, 4, 4, 2, 2, {diverging}))") == expected
    assert page_value(page, f"Array.from(pooled({cells}, 2, 1, 4, 1, 4, {diverging}))") == [0, 9, 1, 3]


def test_a_curve_of_more_points_than_pixels_keeps_its_extremes_and_its_gaps(page, rng):
    heights = rng.normal(size=5000)
    heights[1000:1200] = np.nan
    points = [[i / 50, None if h != h else h] for i, h in enumerate(heights)]
    code = f"thinnedPoints({json.dumps(points)}.map(([a, b]) => [a, b ?? NaN]))"
    kept = page_value(page, code)
    assert len(kept) <= 4 * 102
    seen = {p[1] for p in kept if p[1] is not None}
    assert {heights[np.isfinite(heights)].min(), heights[np.isfinite(heights)].max()} <= seen
    assert any(p[1] is None for p in kept)
    assert kept[0] == points[0]
    assert kept[-1] == points[-1]


def test_a_curve_says_that_another_hides_it_only_if_it_does_so_everywhere(page):
    frame = "{top: 0, h: 100}"
    under = [[10 * i, 20 + i] for i in range(10)]
    over = [[5 * i, 20.5 + i / 2] for i in range(20)]

    def hides(a, b):
        return page_value(page, f"hides({json.dumps(a)}, {json.dumps(b)}, {frame})")

    assert hides(over, under) is True  # by half a pixel: within a line's width
    assert page_value(page, f"hides({json.dumps(over)}, {json.dumps(under)}, {frame}, 0.1)") is False  # not equal
    assert page_value(page, f"hides({json.dumps(under)}, {json.dumps(under)}, {frame}, 0.1)") is True
    assert hides([*over[:10], [50, 28], *over[11:]], under) is False
    assert hides(over[:10], under) is False
    assert hides([[x, 300] for x, _ in over], [[x, 300] for x, _ in under]) is False  # neither is to be seen


def test_an_axis_holds_still_while_something_moves(page):

    def held(before, wanted, log, moving):
        return page_value(page, f"heldDomain({json.dumps(before)}, {wanted}, {log}, {moving})")

    assert held(None, [0.02, 0.93], "false", "false") == [0, 1]
    assert held([0, 1], [0, 0.2], "false", "true") == [0, 1]
    assert held([0, 1], [0.3, 7.2], "false", "true") == [0, 8]
    assert held([0, 1], [0, 0.7], "false", "false") == [0, 1]
    assert held([0, 1], [0, 0.2], "false", "false") == [0, 0.2]
    assert held(None, [0.02, 30], "true", "false") == [0.01, 100]


def test_dragged_weights_keep_their_sum_and_the_others_their_proportions(page):
    moved = page_value(page, "reweighted([0.5, 0.3, 0.2], 0, 0.2)")
    assert moved == pytest.approx([0.2, 0.48, 0.32])
    for value in (-1, 0, 0.3, 1, 2):
        for weights in ([1, 0, 0], [0.2, 0.3, 0.5], [1]):
            found = page_value(page, f"reweighted({weights}, 0, {value})")
            assert sum(found) == pytest.approx(1, abs=1e-5)
            assert min(found) >= 0
    assert page_value(page, "refitted([0.5, 0.3, 0.2], 2)") == pytest.approx([0.625, 0.375])
    assert page_value(page, "refitted([0.5, 0.3, 0.2], 4)") == pytest.approx([0.375, 0.225, 0.15, 0.25])
    assert page_value(page, "refitted([0, 0, 1], 2)") == [0.5, 0.5]


def test_many_bars_on_a_pixel_show_the_tallest(page):
    found = "Array.from(tallest([0, 1, 2, 3], [1, NaN, 5, -7], (v) => v / 10))"
    assert page_value(page, found) == [3]
    assert page_value(page, "Array.from(tallest([0, 1, 2], [1, NaN, 5], null))") == [0, 2]


def test_the_frame_at_a_time_is_the_last_one_before_it(page):
    assert [page_value(page, f"lastAt([0, 10, 20], {when})") for when in (-1, 0, 9.9, 10, 99)] == [0, 0, 0, 1, 2]


def test_ticks_of_a_log_axis_do_not_crowd_and_numbers_read_well(page):

    def texts(low, high):
        return [text for _, text in page_value(page, f"ticksOf(scaleFor([{low}, {high}], [0, 100], true), true, 5)")]

    assert texts(1e-3, 3) == ["0.001", "0.01", "0.1", "1"]
    assert texts(2, 30) == ["2", "3", "4", "10", "20", "30"]
    assert len(texts(1e-12, 1e3)) <= 9
    assert texts(1e-12, 1e3)[0] == "10⁻¹²"
    shown = [page_value(page, f"number({v})") for v in (0, 1234.567, 123456, -0.00012346, 2.5e-7, 3e9, 0.30000000004)]
    assert shown == ["0", "1,235", "123,456", "−0.0001235", "2.5×10⁻⁷", "3×10⁹", "0.3"]


def test_states_are_named_by_what_differs(page):
    controls = json.dumps([{"name": "T"}, {"name": "lr"}, {"name": "mu"}])
    states = [{"T": 64, "lr": 0.1, "mu": [0.5, 0.5]}, {"T": 1024, "lr": 0.1, "mu": [0.25, 0.75]}]
    found = page_value(page, f"namesOfStates({controls}, {json.dumps(states)})")
    assert found == ["T = 64, mu = 0.5/0.5", "T = 1,024, mu = 0.25/0.75"]
    assert page_value(page, f"namesOfStates({controls}, {json.dumps(states[:1] * 2)})") == ["the same settings"] * 2


def test_states_before_and_states_held_are_bound_beneath_the_present_one(toy):
    result = toy.compute({"T": 7}, runs=3)
    drawn = bound(toy, result, under="{ghost: state, held: [state, state]}")
    assert drawn["1.y0.ghost"].shape == (3, 21)
    np.testing.assert_array_equal(drawn["1.y0.held1"].ravel(), drawn["1.y0"])
    np.testing.assert_array_equal(drawn["1.y1.held0"], drawn["1.y1"])
    np.testing.assert_array_equal(drawn["1.y3.held0.x"], drawn["1.y3.x"])
    np.testing.assert_array_equal(drawn["0.x0.held0"], drawn["0.x0"])
    assert "1.y3.ghost" not in drawn
    none = bound(toy, result._replace(runs=[]))
    assert none["2.z"].shape == (0, 3, 7)
    assert none["1.y1"].shape == (3, 0)


def test_runs_with_times_of_their_own_are_lines_of_their_own(toy):
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


def test_weights_have_no_track_and_go_to_the_run(toy):
    control = toy.controls_by_name["mu"]
    assert isinstance(control, WeightsControl)
    assert control.spec()["hidden"]
    assert WeightsControl("mu", Weights("law", 2), (0.5, 0.5)).check([1, 0]) == [1.0, 0.0]
    assert toy.compute({"N": 2, "mu": [0.25, 0.75]}).theory["task.mu"] == [0.25, 0.75]
    assert set(toy.sliders) == {"N", "T", "lr"}
