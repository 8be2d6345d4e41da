"""A sweep on a Dask cluster: killers of workers, a lost scheduler, many points; equal to the single runs."""

import os
import re
import signal
import subprocess
import sys
import threading
import time

import joblib
import numpy as np
import pytest

import lib.sweep.pool
from lib.sweep import grid, sweep
from tests.core.sweep_runs import stored
from tests.packages import ROOT

dask = pytest.importorskip("dask", reason="dask.distributed is an extra")
distributed = pytest.importorskip("distributed", reason="dask.distributed is an extra")


def value(a, seed):
    return {"y": np.random.default_rng(seed).normal(size=3) * a}


def deadly(a, seed):
    if a == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    return value(a, seed)


@pytest.fixture
def cluster():
    """One machine's cluster of two processes, reached as that of many machines."""
    # a local cluster gives up a worker that is just being started anew when it looks for it
    settings = {"distributed.scheduler.allowed-failures": 0, "distributed.deploy.lost-worker-timeout": "90s"}
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


def slow(a, seed):
    time.sleep(0.02)
    return value(a, seed)


def start(*what):
    command = [sys.executable, "-m", f"distributed.cli.{what[0]}", "--no-dashboard", *what[1:]]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def test_a_cluster_whose_workers_are_gone_is_said_and_what_was_computed_is_there(tmp_path):
    """No nanny starts the one worker anew: Dask itself would wait for another without end."""
    file = tmp_path / "scheduler.json"
    scheduler = start("dask_scheduler", "--scheduler-file", str(file), "--host", "127.0.0.1", "--port", "0")
    worker = start("dask_worker", "--scheduler-file", str(file), "--no-nanny", "--nthreads", "1")
    try:
        with (
            distributed.Client(scheduler_file=str(file), timeout="30s") as client,
            joblib.parallel_config("dask", wait_for_workers_timeout=30),
        ):
            client.wait_for_workers(1, timeout=60)
            backend, _ = joblib.parallel.get_active_backend()
            backend.wait_for_workers_timeout = 2
            result = sweep(deadly, grid(a=range(40)), [0], tmp_path / "store")
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()
    assert [text[:55] for text in result.failures] == ["ClusterLost: the Dask cluster had no worker for 2 second"[:55]]
    assert result.ok.sum() == stored(tmp_path / "store") < 40
    equal(result, [point["a"] for point, _ in result.failed])


def kills(a, seed):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_run_that_kills_every_worker_ends_with_clear_words(cluster, monkeypatch):
    monkeypatch.setattr(lib.sweep.pool, "DEATHS", 2)
    result = sweep(kills, grid(a=range(60)), [0])
    assert [(text.partition(":")[0], count) for text, count in result.failures.items()] == [
        ("NotComputed", 58),
        ("WorkerDied", 2),
    ]


def test_a_lost_scheduler_is_said_and_what_was_computed_is_there(tmp_path):
    file = tmp_path / "scheduler.json"
    scheduler = start("dask_scheduler", "--scheduler-file", str(file), "--host", "127.0.0.1", "--port", "0")
    worker = start("dask_worker", "--scheduler-file", str(file), "--no-nanny", "--death-timeout", "30")
    killer = threading.Thread(target=kill_when, args=(scheduler, tmp_path / "store"))
    try:
        with (
            dask.config.set({"distributed.comm.timeouts.connect": "2s"}),
            distributed.Client(scheduler_file=str(file), timeout="30s"),
            joblib.parallel_config("dask", wait_for_workers_timeout=30),
        ):
            killer.start()
            result = sweep(slow, grid(a=range(2000)), [0], tmp_path / "store")
    finally:
        killer.join()
        for process in (scheduler, worker):
            process.kill()
            process.wait()
    assert [text[:46] for text in result.failures] == ["ClusterLost: the scheduler of the Dask cluster"]
    assert 0 < result.ok.sum() == stored(tmp_path / "store") < 2000
    equal(result, [point["a"] for point, _ in result.failed])


def kill_when(scheduler, store):
    """Kill the scheduler once something was stored."""
    for _ in range(600):
        if list(store.glob("v*/*.npz")):
            break
        time.sleep(0.1)
    scheduler.kill()


def test_the_book_s_sweep_on_a_cluster_runs_as_it_stands(tmp_path):
    page = (ROOT / "book" / "sweeps.md").read_text(encoding="utf-8")
    (program,) = [one for one in re.findall(r"```py\n(.*?)```", page, re.S) if "LocalCluster" in one]
    (tmp_path / "example.py").write_text(program, encoding="utf-8")
    done = subprocess.run([sys.executable, "example.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("SweepResult of 16 points, none failed")
    assert stored(tmp_path / "runs") == 16
