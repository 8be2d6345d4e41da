"""A sweep on a Dask cluster: killers of workers, a lost scheduler, many points; equal to the single runs."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import joblib
import numpy as np
import pytest

import lib.sweep.pool
from lib.sweep import grid, sweep
from tests.core.sweep_runs import stored
from tests.packages import ROOT

dask = pytest.importorskip("dask", reason="dask.distributed is an extra")
distributed = pytest.importorskip("distributed", reason="dask.distributed is an extra")
pytestmark = pytest.mark.deep


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


def test_a_point_that_always_kills_its_worker_fails_and_all_others_are_there(cluster, tmp_path, monkeypatch):
    result = sweep(deadly, grid(a=range(40)), [0], tmp_path)
    assert [(point["a"], text[:10]) for point, text in result.failed] == [(13, "WorkerDied")]
    equal(result, [13])
    assert stored(tmp_path) == 39
    monkeypatch.setattr(lib.sweep.pool, "DEATHS", 1)
    ended = sweep(deadly, grid(a=[13]), range(3))  # nothing but killers: the run seems to be at fault
    assert sorted(text.partition(":")[0] for text in ended.errors.values()) == ["NotComputed"] * 2 + ["WorkerDied"]


def test_many_points_go_to_the_cluster_in_few_tasks(cluster):
    result = sweep(value, grid(a=range(2000)), [0, 1])
    equal(result)
    log = cluster.run_on_scheduler(lambda dask_scheduler: [entry[0] for entry in dask_scheduler.transition_log])
    assert 0 < len({key for key in log if str(key).startswith("work-")}) < 400


def slow(a, seed):
    time.sleep(0.02)
    return value(a, seed)


@contextmanager
def scheduler_and_worker(file, *more):
    """A cluster that nobody starts anew: the process of its scheduler."""
    started = []
    for name, given in (("dask_scheduler", ["--host", "127.0.0.1", "--port", "0"]), ("dask_worker", ["--no-nanny"])):
        command = [sys.executable, "-m", f"distributed.cli.{name}", "--no-dashboard", "--scheduler-file", str(file)]
        more_of = more if name == "dask_worker" else ()
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        started.append(subprocess.Popen([*command, *given, *more_of], **quiet))
    try:
        yield started[0]
    finally:
        for process in started:
            process.kill()
            process.wait()


def test_a_cluster_whose_workers_are_gone_is_said_and_what_was_computed_is_there(tmp_path):
    """No nanny starts the one worker anew: Dask itself would wait for another without end."""
    file = tmp_path / "scheduler.json"
    with (
        scheduler_and_worker(file, "--nthreads", "1"),
        distributed.Client(scheduler_file=str(file), timeout="30s") as client,
        joblib.parallel_config("dask", wait_for_workers_timeout=30),
    ):
        client.wait_for_workers(1, timeout=60)
        backend, _ = joblib.parallel.get_active_backend()
        backend.wait_for_workers_timeout = 2
        result = sweep(deadly, grid(a=range(40)), [0], tmp_path / "store")
    assert [text[:55] for text in result.failures] == ["ClusterLost: the Dask cluster had no worker for 2 second"[:55]]
    assert result.ok.sum() == stored(tmp_path / "store") < 40
    equal(result, [point["a"] for point, _ in result.failed])


def test_a_lost_scheduler_is_said_and_what_was_computed_is_there(tmp_path):
    file, store = tmp_path / "scheduler.json", tmp_path / "store"
    with (
        scheduler_and_worker(file, "--death-timeout", "30") as scheduler,
        dask.config.set({"distributed.comm.timeouts.connect": "2s"}),
        distributed.Client(scheduler_file=str(file), timeout="30s"),
        joblib.parallel_config("dask", wait_for_workers_timeout=30),
    ):
        killer = threading.Thread(target=kill_when, args=(scheduler, store))
        killer.start()
        result = sweep(slow, grid(a=range(2000)), [0], store)
        killer.join()
    assert [text[:46] for text in result.failures] == ["ClusterLost: the scheduler of the Dask cluster"]
    assert 0 < result.ok.sum() == stored(store) < 2000
    equal(result, [point["a"] for point, _ in result.failed])


def kill_when(scheduler, store):
    """Kill the scheduler once something was stored."""
    for _ in range(600):
        if list(store.glob("v*/*.npz")):
            break
        time.sleep(0.1)
    scheduler.kill()


def test_the_book_s_sweep_on_a_cluster_runs_as_it_stands(tmp_path):
    page = (ROOT / "book" / "api.md").read_text(encoding="utf-8")
    (program,) = [one for one in re.findall(r"```py\n(.*?)```", page, re.S) if "LocalCluster" in one]
    (tmp_path / "example.py").write_text(program, encoding="utf-8")
    done = subprocess.run([sys.executable, "example.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("SweepResult of 16 points, none failed")
    assert stored(tmp_path / "runs") == 16
