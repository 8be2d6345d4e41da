"""The result of a sweep: stacked arrays, failed points, selections, its short form, tables."""

from math import nan

import numpy as np
import pytest

from lib.errors import InputError
from lib.sweep import SweepResult, grid, sweep
from tests.core.sweep_runs import POINTS, SEEDS, plain, walk


def test_arrays_are_stacked_where_shapes_agree():
    result = sweep(walk, POINTS, SEEDS)
    assert result["last"].shape == (18,)
    with pytest.raises(InputError, match=r"x: expected one shape over all points .*\(3,\), \(5,\)"):
        result["x"]
    with pytest.raises(InputError, match=r"name: expected one of .*, got z"):
        result["z"]
    narrow = result.select(T=5, seed=[4, 2])
    assert narrow["x"].shape == (6, 5)
    assert {p["seed"] for p in narrow.points} == {2, 4}
    np.testing.assert_array_equal(narrow.select(lr=0.2, seed=4)["x"][0], walk(T=5, lr=0.2, seed=4)["x"])
    for wrong, message in (({"T": 7}, r"T: expected a value among \[3, 5\], got 7"), ({"Q": 1}, "Q: expected a value")):
        with pytest.raises(InputError, match=message):
            result.select(**wrong)


def test_failed_points_are_rows_of_nan():
    result = sweep(plain, [{"a": 1}, {"a": 13}], [0, 1])
    assert np.isnan(result["y"][2:]).all()
    assert np.isfinite(result["y"][:2]).all()
    np.testing.assert_array_equal(result["whole"], [1, 1, np.nan, np.nan])
    assert [text for _, text in result.select(a=13, seed=1).failed] == ["RuntimeError: unlucky"]
    assert result.select(a=1).failed == []
    with pytest.raises(InputError, match=r"none \(all failed\)"):
        result.select(a=13)["y"]


def test_select_compares_numbers_as_numbers():
    points = grid(a=[1, 2.0, np.float64(3), True, "1"])
    result = SweepResult(tuple(points), ({},) * 5, {})
    for one in (1, 1.0, np.float32(1), [1.0], range(1, 2), np.array([1.0])):
        assert result.select(a=one).points == [{"a": 1}]
    assert result.select(a={2, 3}).points == [{"a": 2.0}, {"a": 3.0}]
    assert result.select(a=True).points == [{"a": True}]
    assert result.select(a="1").points == [{"a": "1"}]
    with pytest.raises(InputError, match=r"b: expected a value among \[0.3, \[1, 2\]\], got 0.30000000000000004"):
        SweepResult(({"b": np.float64(0.3)}, {"b": [1, 2]}), ({},) * 2, {}).select(b=0.1 + 0.2)
    with pytest.raises(InputError, match="c: expected a value among the settings a, got 1"):
        result.select(c=1)
    odd = SweepResult(({"b": nan}, {"b": {"rate": 0.1}}, {"b": np.nan}, {"b": [1, 2]}, {"b": 2}), ({},) * 5, {})
    assert len(odd.select(b=nan).points) == len(odd.select(b=np.float32("nan")).points) == 2
    assert odd.select(b={"rate": 0.1}).points == [{"b": {"rate": 0.1}}]
    assert odd.select(b=(1.0, 2)).points == [{"b": [1, 2]}, {"b": 2}]


def test_a_result_says_in_short_what_it_holds():
    result = sweep(walk, [{"T": T, "lr": lr} for T in (3, 5) for lr in (0.1, 0.2, 0.3, 0.4, 13.0)], [0, 1])
    assert repr(result) == (
        "SweepResult of 20 points, 4 failed\n  seed: 0, 1\n  T: 3, 5\n  lr: 0.1, 0.2, 0.3, 0.4, 13.0\n"
        "  kind: 'plain'\n  arrays: x, last, calls, pid\n  4 x RuntimeError: unlucky, in a call of 1"
    )
    assert "none failed" in repr(result.select(T=3, lr=0.1))
    assert "arrays: none" in repr(result.select(lr=13))
    many = SweepResult(grid(a=range(99)), [{}] * 99, {i: f"ValueError: {i % 6}" for i in range(12)})
    assert many.failures == {f"ValueError: {i}": 2 for i in range(6)}
    assert max(map(len, repr(many).splitlines())) < 90


def test_a_result_as_a_data_frame():
    pandas = pytest.importorskip("pandas", reason="pandas is an extra")
    result = sweep(plain, [{"a": 1}, {"a": 13}], [0, 1])
    frame = result.to_dataframe()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == ["a", "seed", "whole", "failed"]
    assert frame.loc[frame.a == 13, "failed"].tolist() == ["RuntimeError: unlucky"] * 2
