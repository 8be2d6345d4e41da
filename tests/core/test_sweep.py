"""Sweeps: every way of computing gives the single runs bit for bit; grids; what is refused; the result."""

import os
from contextlib import nullcontext
from math import nan

import joblib
import numpy as np
import pytest

from lib.errors import InputError
from lib.sweep import SweepResult, grid, sweep, vectorised
from lib.sweep.runner import _say
from tests.core.sweep_runs import POINTS, SEEDS, counting, deadly, plain, same, stored, walk


def test_many_points_equal_single_points_in_the_order_given():
    points = [{"T": 5, "seed": 3}, {"T": 3, "lr": 0.1}, {"T": 5, "lr": 0.2, "seed": 1}, {}]
    results = walk.many(points)
    assert [int(r["calls"]) for r in results] == [2, 1, 2, 1]  # one call a shape
    for point, result in zip(points, results, strict=True):
        np.testing.assert_array_equal(result["x"], walk(**point)["x"])
    assert isinstance(results[0]["last"], np.ndarray)


def test_vectorised_refuses():
    with pytest.raises(InputError, match="settings: expected names among seed, T, lr, kind, got Q"):
        walk(Q=2)
    with pytest.raises(InputError, match="got Q"):
        walk.many([{}, {"Q": 2}])
    with pytest.raises(InputError, match="shape_settings: expected names that have a default, got N"):
        vectorised("N", defaults={"T": 1})(lambda points: [])
    for bad in (lambda points: [], lambda points: None, lambda points: [1.0]):
        with pytest.raises(InputError, match=r"expected a (list of 1 results|dict of arrays for each point)"):
            vectorised(defaults={})(bad)()


@pytest.mark.parametrize("chunk", [1, 2, 32])
def test_sweep_equals_single_runs(chunk):
    result = sweep(walk, POINTS, SEEDS, chunk=chunk)
    assert [p["seed"] for p in result.points[:4]] == [0, 4, 2, 0]  # seeds innermost
    assert [(p["T"], p["lr"]) for p in result.points[::3]] == [(p["T"], p["lr"]) for p in POINTS]
    assert max(result["calls"]) == min(chunk, 9)
    same(result)


@pytest.mark.parametrize(("backend", "points"), [("loky", POINTS), ("threading", POINTS), (None, [{"a": 1}, {"a": 2}])])
def test_processes_equal_single_runs(backend, points, tmp_path):
    run, around = (walk if backend else plain), joblib.parallel_config(backend, n_jobs=2) if backend else nullcontext()
    with around:
        result = sweep(run, points, SEEDS, n_jobs=1 if backend else 2, cache=tmp_path)
    same(result, run)
    if backend:
        assert (os.getpid() in result["pid"]) == (backend == "threading")
        assert max(result["calls"]) == 5  # nine points of a shape, cut for two processes and no further
    same(sweep(run, points, SEEDS, cache=tmp_path), run)


def test_nested_vectorised_run_in_processes():
    @vectorised("T", defaults={"T": 3})
    def nested(points):
        return [{"x": np.arange(p["T"]) + p["seed"]} for p in points]

    same(sweep(nested, [{"T": 3}, {"T": 4}], SEEDS, n_jobs=2), nested)


@vectorised(defaults={"a": 1})
def leaving(points):
    if any(point["a"] == 13 for point in points):
        raise SystemExit("no more")
    return [{"y": point["a"] + point["seed"]} for point in points]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_point_that_would_end_the_process_fails_alone(n_jobs):
    result = sweep(leaving, grid(a=range(10, 20)), [0, 1], n_jobs=n_jobs)
    assert result.failures == {"SystemExit: no more": 2}
    for point, arrays in zip(result.points, result.results, strict=True):
        assert arrays == ({} if point["a"] == 13 else {"y": point["a"] + point["seed"]})


def test_a_result_that_is_not_arrays_is_a_failure():
    for found, message in (([1, 2], "a dict of arrays for each point, got list"), ({"x": object()}, "got Python obj")):
        ((_, text),) = sweep(lambda seed: found, [{}], [0]).failed  # noqa: B023  # called at once
        assert message in text


def test_a_killed_worker_keeps_what_is_finished_and_the_next_call_goes_on(tmp_path, monkeypatch):
    points, store = grid(a=[*range(20), *range(30, 90)], mark=[str(tmp_path / "mark")]), tmp_path / "store"
    with pytest.warns(RuntimeWarning, match=r"a process was killed: \d+ of 80 points are finished and kept") as seen:
        result = sweep(deadly, points, [0], store, n_jobs=2)
    lost = len(result.failed)
    assert f" {80 - lost} of 80 " in str(seen[0].message)
    assert 0 < lost < 80
    assert 13 in [point["a"] for point, _ in result.failed]
    assert {"NotComputed"} == {text.partition(":")[0] for text in result.errors.values()}
    assert stored(store) == 80 - lost
    (tmp_path / "mark").touch()
    computed = counting(monkeypatch)
    same(sweep(deadly, points, [0], store), deadly)
    assert len(computed) == lost


def test_a_grid_is_all_combinations_with_the_last_name_fastest():
    assert grid(lr=[0.1, 0.2], T=range(3, 5), kind=("plain",)) == [
        {"lr": lr, "T": T, "kind": "plain"} for lr in (0.1, 0.2) for T in (3, 4)
    ]
    assert [type(p["lr"]) for p in grid(lr=np.geomspace(0.1, 1, 2))] == [float, float]
    same(sweep(walk, grid(T=(3, 5), lr=[0.1, 0.2]) + grid(T=[4]), range(2)))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, r"grid: expected settings with their values such as lr=\[0.01, 0.1\], got none"),
        ({"kind": "plain"}, r"kind: expected a list of values such as \['plain'\], got 'plain'"),
        ({"lr": []}, "lr: expected at least one value"),
        ({"lr": [0.1, 0.1]}, "lr: expected each value once"),
    ],
)
def test_a_grid_refuses(values, message):
    with pytest.raises(InputError, match=message):
        grid(**values)


@pytest.mark.parametrize(("progress", "shown"), [(True, True), (False, False), (None, False)])
def test_progress_is_one_line_with_the_time_left_when_asked_for(progress, shown, capsys):
    sweep(walk, POINTS, SEEDS, progress=progress)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == shown
    assert captured.err.endswith("18 of 18 points, 0 s left   \n" if shown else "")
    for done, seconds, said in ((1, 3, "27 s left"), (5, 600, "10 min left"), (2, 9000, "10 h left")):
        _say(done, 10, seconds)
        assert f"{done} of 10 points, {said}" in capsys.readouterr().err


REFUSED = {
    "unknown setting": ({"points": [{"Q": 1}]}, "settings: .*got Q"),
    "unknown setting of a plain run": ({"run": plain, "points": [{"Q": 1}]}, r"points\[0\]: .*'Q'"),
    "missing setting of a plain run": ({"run": plain, "points": [{}]}, r"points\[0\]: .*missing"),
    "no run": ({"run": 3}, "run: expected a function, got int"),
    "no points": ({"points": []}, "points: expected at least one"),
    "one point": ({"points": {"T": 3}}, r"points: .* grid\(lr=\[0.1, 0.2\]\), got {'T': 3}"),
    "number as a point": ({"points": [{"T": 3}, 4]}, r"points\[1\]: expected settings such as {'lr': 0.1}, got 4"),
    "no seeds": ({"seeds": []}, "seeds: expected at least one"),
    "one seed": ({"seeds": 5}, r"seeds: expected a sequence such as range\(5\), got 5"),
    "zero in a directory": ({"cache": "a\0b"}, r"cache: expected a directory such as 'runs', got 'a\\x00b'"),
    "broken seed": ({"seeds": [0.5]}, "seeds: .*got 0.5"),
    "seed twice": ({"seeds": [1, 1]}, "seeds: expected each seed once, got 1"),
    "seed in a point": ({"points": [{"seed": 1}]}, r"points\[0\]: expected settings without 'seed'"),
    "point twice": ({"points": [{"T": 4}, {"lr": 0.5}]}, "points: expected each point once"),
    "no processes": ({"n_jobs": 0}, "n_jobs: "),
    "chunk": ({"chunk": 0}, "chunk: "),
}


@pytest.mark.parametrize(("change", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_refused_before_any_work(change, message, monkeypatch):
    computed = counting(monkeypatch)
    with pytest.raises(InputError, match=message):
        sweep(**({"run": walk, "points": POINTS, "seeds": SEEDS} | change))
    assert computed == []


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
