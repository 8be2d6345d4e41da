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


def test_duration_is_runs_on_workers_or_the_own_work_of_one_process():
    assert duration(1000, 2.0, 10) == pytest.approx(200)
    assert duration(1000, 1e-6, 10, Own(1e-4)) == pytest.approx(0.1)
    # 10^6 points of a second on 1600 workers: a task lasts 16 seconds, so it has 16 points
    assert duration(10**6, 1.0, 1600, Own(1e-3, 0.01)) == pytest.approx(10**6 * (1e-3 + 0.01 / 16))
    assert Own(1e-3, 0.01).seconds(10**6, 1.0, 1600) == pytest.approx(10**6 * (1e-3 + 0.01 / 16))


def test_calls_do_not_split_and_a_shared_core_is_shared():
    assert duration(32, 1.0, 10, call=32) == pytest.approx(32)  # one call, nine workers idle
    assert duration(1000, 1.0, 2, Own(0.1), cores=2) == pytest.approx(500 + 50)
    assert duration(1000, 1.0, 1, Own(0.1), cores=1) == pytest.approx(1000 + 100)


def even(a, seed):
    return takes(2.0)


def test_equal_points_are_forecast_exactly():
    found = forecast(even, grid(a=range(1000)), [0])
    assert (found.seconds, found.error, found.a_point) == pytest.approx((2000.0, 0.0, 2.0))
    assert (found.tried, found.failed) == (40, 0)
    assert forecast(even, grid(a=range(1000)), [0], own=Own(1.0)).seconds == pytest.approx(3000.0)


def growing(a, seed):
    return takes(1.0 + a)


def test_a_cost_that_grows_along_the_sweep_is_met_at_all_its_values():
    found = forecast(growing, grid(a=range(1000)), [0])
    assert found.seconds == pytest.approx(500_500.0, rel=0.02)
    assert 0 < found.error < 0.02 * found.seconds  # neighbours hardly differ


@vectorised("N", defaults={"N": 1, "lr": 0.1})
def by_the_call(points):
    takes(10.0 * points[0]["N"] + 0.1 * len(points))
    return [{"y": np.array(1.0)} for _ in points]


def test_calls_are_those_of_the_sweep():
    points = grid(N=[1, 2, 3], lr=np.linspace(0.1, 1, 640).tolist())
    found = forecast(by_the_call, points, [0])
    exact = sum(sweep(by_the_call, points, [0])["y"]) * 0.1 + 20 * 10.0 * (1 + 2 + 3)
    assert found.seconds == pytest.approx(exact, rel=0.05)
    alone = 640 * 3 * (20.0 + 0.1)  # what single points would say
    assert alone > 10 * exact


def rare(a, seed):
    return takes(float(np.exp(2 * np.random.default_rng(a).normal())))


def test_points_that_differ_much_are_tried_in_larger_number_and_the_error_says_what_is_left():
    found = forecast(rare, grid(a=range(10_000)), [0])
    exact = sum(math.exp(2 * np.random.default_rng(a).normal()) for a in range(10_000))
    assert found.tried == 640  # twice as many would be more than a tenth
    assert abs(found.seconds - exact) < 3 * found.error
    assert forecast(even, grid(a=range(10_000)), [0]).tried == 40


FIRST = itertools.count()


def imports_first(a, seed):
    return takes(1000.0 if next(FIRST) == 0 else 1.0)


def test_what_the_first_task_of_a_process_takes_is_not_multiplied():
    global FIRST
    FIRST = itertools.count()
    found = forecast(imports_first, grid(a=range(1000)), [0])
    assert found.seconds == pytest.approx(1000.0)
    assert next(FIRST) > 40  # it was computed again


def half_fail(a, seed):
    takes(1.0)
    if a % 2:
        raise ValueError("odd")
    return {"y": 1.0}


def fails(a, seed):
    raise ValueError("always")


def test_failures_take_time_and_are_counted_and_nothing_but_failures_is_refused():
    found = forecast(half_fail, grid(a=range(1000)), [0])
    assert found.seconds == pytest.approx(1000.0)
    assert 0 < found.failed < found.tried
    with pytest.raises(InputError, match="run: expected points that succeed, got 40 failures: ValueError: always"):
        forecast(fails, grid(a=range(1000)), [0])


@pytest.mark.parametrize("count", [1, 2, 7])
def test_a_few_points_are_a_sweep_too(count):
    found = forecast(even, grid(a=range(count)), [0])
    assert found.seconds == pytest.approx(2.0 * count)
    assert found.error == (pytest.approx(0.0) if count > 1 else math.inf)


def test_what_sweep_refuses_is_refused():
    with pytest.raises(InputError, match="seeds"):
        forecast(even, grid(a=[1]), 3)
    with pytest.raises(InputError, match="points"):
        forecast(even, [], [0])
    for name, value in (("n_jobs", 0), ("chunk", 0), ("n_jobs", 1.5)):
        with pytest.raises(InputError, match=name):
            forecast(even, grid(a=[1]), [0], **{name: value})


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
    assert lib.sweep.cost._cores(2, {(lib.sweep.cost.platform.node(), -1)}) == math.inf
    assert lib.sweep.cost._cores(3, {(lib.sweep.cost.platform.node(), -1)}) == 3
    assert lib.sweep.cost._cores(3, {("another", -1)}) == math.inf
