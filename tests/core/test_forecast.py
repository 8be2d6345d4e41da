"""How long a sweep will take: the arithmetic, and which calls a forecast computes; clocks are told, not read."""

import itertools
import math
import time

import joblib
import numpy as np
import pytest

import lib.sweep.cost
import lib.sweep.worker
from lib.errors import InputError
from lib.sweep import Own, duration, forecast, grid, sweep, vectorised

CLOCK = {"now": 0.0}


@pytest.fixture(autouse=True)
def told_clock(monkeypatch):
    """Runs move the clock that workers read, so that a test knows how long each takes."""
    CLOCK["now"] = 0.0
    monkeypatch.setattr(lib.sweep.worker.time, "perf_counter", lambda: CLOCK["now"])


def takes(seconds):
    CLOCK["now"] += seconds
    return {"y": 1.0}


@pytest.mark.parametrize(
    ("found", "seconds"),
    [
        (duration(1000, 2.0, 10), 200),
        (duration(1000, 1e-6, 10, Own(1e-4)), 0.1),
        # 10^6 points of a second on 1600 workers: a task lasts 16 seconds, so it has 16 points
        (duration(10**6, 1.0, 1600, Own(1e-3, 0.01)), 10**6 * (1e-3 + 0.01 / 16)),
        (Own(1e-3, 0.01).seconds(10**6, 1.0, 1600), 10**6 * (1e-3 + 0.01 / 16)),
        (duration(32, 1.0, 10, call=32), 32),  # one call, nine workers idle
        (duration(1000, 1.0, 2, Own(0.1), cores=2), 500 + 50),  # a shared core is shared
        (duration(1000, 1.0, 1, Own(0.1), cores=1), 1000 + 100),
    ],
)
def test_duration_is_runs_on_workers_or_the_own_work_of_one_process(found, seconds):
    assert found == pytest.approx(seconds)


def even(a, seed):
    return takes(2.0)


def growing(a, seed):
    return takes(1.0 + a)


FIRST = itertools.count()


def imports_first(a, seed):
    return takes(1000.0 if next(FIRST) == 0 else 1.0)


def half_fail(a, seed):
    takes(1.0)
    if a % 2:
        raise ValueError("odd")
    return {"y": 1.0}


@pytest.mark.parametrize(
    ("run", "count", "seconds", "error"),
    [
        (even, 1000, 2000.0, 0.0),
        (even, 1, 2.0, math.inf),
        (even, 2, 4.0, 0.0),
        (even, 7, 14.0, 0.0),
        (growing, 1000, pytest.approx(500_500.0, rel=0.02), 0.02 * 500_500),  # met at all its values
        (imports_first, 1000, 1000.0, 0.0),  # what the first task of a process takes is not multiplied
        (half_fail, 1000, 1000.0, 0.0),
    ],
)
def test_sweep_of_known_cost_is_forecast(run, count, seconds, error):
    global FIRST
    FIRST = itertools.count()
    found = forecast(run, grid(a=range(count)), [0])
    assert found.seconds == (pytest.approx(seconds) if isinstance(seconds, float) else seconds)
    assert 0 <= found.error <= error + 1e-9
    assert found.tried == min(count, 40)
    assert 0 < found.failed < found.tried if run is half_fail else found.failed == 0


def test_own_work_of_the_sweeping_process_is_added():
    assert forecast(even, grid(a=range(1000)), [0], own=Own(1.0)).seconds == pytest.approx(3000.0)


@vectorised("N", defaults={"N": 1, "lr": 0.1})
def by_the_call(points):
    takes(10.0 * points[0]["N"] + 0.1 * len(points))
    return [{"y": np.array(1.0)} for _ in points]


def test_calls_are_those_of_the_sweep():
    points = grid(N=[1, 2, 3], lr=np.linspace(0.1, 1, 640).tolist())
    found = forecast(by_the_call, points, [0])
    exact = sum(sweep(by_the_call, points, [0])["y"]) * 0.1 + 20 * 10.0 * (1 + 2 + 3)
    assert found.seconds == pytest.approx(exact, rel=0.05)
    assert 10 * exact < 640 * 3 * (20.0 + 0.1)  # what single points would say


def rare(a, seed):
    return takes(float(np.exp(2 * np.random.default_rng(a).normal())))


def test_points_that_differ_much_are_tried_in_larger_number_and_the_error_says_what_is_left():
    found = forecast(rare, grid(a=range(10_000)), [0])
    exact = sum(math.exp(2 * np.random.default_rng(a).normal()) for a in range(10_000))
    assert found.tried == 640  # twice as many would be more than a tenth
    assert abs(found.seconds - exact) < 3 * found.error


def fails(a, seed):
    raise ValueError("always")


@pytest.mark.parametrize(
    ("run", "points", "seeds", "more", "message"),
    [
        (fails, grid(a=range(1000)), [0], {}, "run: expected points that succeed, got 40 failures: ValueError: always"),
        (even, grid(a=[1]), 3, {}, "seeds"),
        (even, [], [0], {}, "points"),
        (even, grid(a=[1]), [0], {"n_jobs": 0}, "n_jobs"),
        (even, grid(a=[1]), [0], {"n_jobs": 1.5}, "n_jobs"),
        (even, grid(a=[1]), [0], {"chunk": 0}, "chunk"),
    ],
)
def test_refused(run, points, seeds, more, message):
    with pytest.raises(InputError, match=message):
        forecast(run, points, seeds, **more)


def sleeps(a, seed):
    time.sleep(0.002)
    return {"y": 1.0}


def test_workers_in_other_processes_are_asked():
    found = forecast(sleeps, grid(a=range(500)), [0], n_jobs=2)
    assert found.a_point > 0.001  # no less than it sleeps, on any machine
    assert found.seconds >= 250 * found.a_point
    assert found.tried >= 40


def test_a_process_with_a_core_of_its_own_takes_none_from_its_workers(monkeypatch):
    monkeypatch.setattr(joblib, "cpu_count", lambda: 3)
    here = (lib.sweep.cost.platform.node(), -1)
    found = [lib.sweep.cost._cores(jobs, {at}) for jobs, at in ((2, here), (3, here), (3, ("another", -1)))]
    assert found == [math.inf, 3, math.inf]
