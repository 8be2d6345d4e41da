"""Workers that are killed: nothing finished is lost, lost points get a second try alone, killers are reported."""

import os
import signal
from pathlib import Path

import joblib
import numpy as np
import pytest

import lib.sweep.pool
from lib.sweep import grid, sweep, vectorised
from tests.core.sweep_runs import stored


def deadly(a, seed, marks):
    """Kills its process where a is 13; where a is 7, the first time only. Leaves a mark for each try."""
    mark = Path(marks) / f"{a}-{seed}-{len(list(Path(marks).glob(f'{a}-{seed}-*')))}"
    mark.touch()
    if a == 13 or (a == 7 and mark.name.endswith("-0")):
        os.kill(os.getpid(), signal.SIGKILL)
    return {"y": np.random.default_rng(seed).normal(size=3) * a}


@vectorised(defaults={"a": 1, "marks": ""})
def deadly_together(points):
    return [deadly(**point) for point in points]


@pytest.fixture
def marks(tmp_path):
    (tmp_path / "marks").mkdir()
    return tmp_path / "marks"


def tries(marks, a):
    return len(list(marks.glob(f"{a}-*")))


def deep(*values):
    return pytest.param(*values, marks=pytest.mark.deep)


@pytest.mark.parametrize(("run", "cached"), [(deadly, True), deep(deadly, False), deep(deadly_together, True)])
def test_a_killed_worker_does_not_end_the_sweep(run, cached, marks, tmp_path):
    points = grid(a=[1, 2, 13, 3, 7, *range(20, 30)], marks=[str(marks)])
    store = tmp_path / "store" if cached else None
    result = sweep(run, points, [0], store, n_jobs=2, chunk=3)
    assert [point["a"] for point, _ in result.failed] == [13]
    assert result.failed[0][1].startswith("WorkerDied: the process that computed this point was killed, twice")
    for point, arrays in zip(result.points, result.results, strict=True):
        if point["a"] != 13:
            np.testing.assert_array_equal(arrays["y"], np.random.default_rng(0).normal(size=3) * point["a"])
    assert 2 <= tries(marks, 13) <= 6  # twice alone, and before among ever fewer others
    if store:
        assert stored(store) == len(points) - 1
        before = tries(marks, 1)
        again = sweep(run, points, [0], store, n_jobs=2, chunk=3)  # the killer alone is tried again
        assert [point["a"] for point, _ in again.failed] == [13]
        assert tries(marks, 1) == before


@pytest.mark.deep
def test_a_parallel_config_around_the_sweep_survives_too(marks):
    points = grid(a=[1, 13, 2], marks=[str(marks)])
    with joblib.parallel_config("loky", n_jobs=2):
        result = sweep(deadly, points, [0, 1])
    assert [point["a"] for point, _ in result.failed] == [13, 13]
    assert result.ok.sum() == 4


def kills(a, seed):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_run_that_always_kills_its_process_ends_with_clear_words(monkeypatch):
    monkeypatch.setattr(lib.sweep.pool, "DEATHS", 2)
    result = sweep(kills, grid(a=range(40)), [0], n_jobs=2)
    assert [(text.partition(":")[0], count) for text, count in result.failures.items()] == [
        ("NotComputed", 38),
        ("WorkerDied", 2),
    ]
    assert result.failed[-1][1].startswith("NotComputed: the last 2 points that were tried alone killed their process")


def test_threads_equal_single_runs(marks):
    points = grid(a=[1, 2, 3], marks=[str(marks)])
    with joblib.parallel_config("threading", n_jobs=2):
        result = sweep(deadly, points, [0])
    np.testing.assert_array_equal(result["y"], [deadly(**point)["y"] for point in result.points])


def leaving(a, seed):
    if a == 13:
        raise SystemExit("no more")
    return {"y": a + seed}


@vectorised(defaults={"a": 1})
def leaving_together(points):
    return [leaving(**point) for point in points]


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("run", [leaving, leaving_together])
def test_a_point_that_would_end_the_process_fails_alone(run, n_jobs):
    result = sweep(run, grid(a=range(10, 20)), [0, 1], n_jobs=n_jobs)
    assert result.failures == {"SystemExit: no more": 2}
    for point, arrays in zip(result.points, result.results, strict=True):
        assert arrays == ({} if point["a"] == 13 else {"y": point["a"] + point["seed"]})
