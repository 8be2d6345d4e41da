"""A sweep on a Dask cluster: killers of workers, a lost scheduler, many points; equal to the single runs."""

import os
import signal

import joblib
import numpy as np
import pytest

from lib.sweep import grid, sweep
from tests.core.sweep_runs import stored

distributed = pytest.importorskip("distributed", reason="dask.distributed is an extra")


def value(a, seed):
    return {"y": np.random.default_rng(seed).normal(size=3) * a}


def deadly(a, seed):
    if a == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    return value(a, seed)


def losing(a, seed, address):
    """Where a is 13 the scheduler goes."""
    if a == 13:
        distributed.get_worker().loop.add_callback(distributed.get_worker().scheduler.terminate)
    return value(a, seed)


@pytest.fixture
def cluster():
    """One machine's cluster of two processes, reached as that of many machines."""
    settings = {"distributed.scheduler.allowed-failures": 0, "distributed.comm.timeouts.connect": "2s"}
    import dask

    with (
        dask.config.set(settings),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as here,
        distributed.Client(here) as client,
        joblib.parallel_config("dask", wait_for_workers_timeout=20),
    ):
        yield client


def equal(result, failed=()):
    for point, arrays in zip(result.points, result.results, strict=True):
        if point["a"] not in failed:
            np.testing.assert_array_equal(arrays["y"], value(point["a"], point["seed"])["y"])


def test_a_point_that_always_kills_its_worker_fails_and_all_others_are_there(cluster, tmp_path):
    result = sweep(deadly, grid(a=range(40)), [0], tmp_path)
    assert [(point["a"], text[:10]) for point, text in result.failed] == [(13, "WorkerDied")]
    equal(result, [13])
    assert stored(tmp_path) == 39


def test_many_points_go_to_the_cluster_in_few_tasks(cluster):
    result = sweep(value, grid(a=range(2000)), [0, 1])
    equal(result)
    log = cluster.run_on_scheduler(lambda dask_scheduler: [entry[0] for entry in dask_scheduler.transition_log])
    assert 0 < len({key for key in log if str(key).startswith("work-")}) < 400
