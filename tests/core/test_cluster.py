"""A sweep on a Dask cluster of this machine: equal to the single runs, and what a killed worker leaves."""

import re
import subprocess
import sys

import joblib
import pytest

from lib.sweep import grid, sweep
from tests.core.sweep_runs import POINTS, SEEDS, deadly, files, same, stored, walk
from tests.packages import ROOT

dask = pytest.importorskip("dask", reason="dask.distributed is an extra")
distributed = pytest.importorskip("distributed", reason="dask.distributed is an extra")
pytestmark = pytest.mark.deep


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


def test_killed_worker_costs_its_points_and_the_next_call_goes_on(cluster, tmp_path):
    points, store = grid(a=range(40), mark=[str(tmp_path / "mark")]), tmp_path / "store"
    with pytest.warns(RuntimeWarning, match=r"a process was killed: \d+ of 40 points are finished and kept"):
        result = sweep(deadly, points, [0], store)
    assert 13 in [point["a"] for point, _ in result.failed]
    assert stored(store) == 40 - len(result.failed) >= 35
    (tmp_path / "mark").touch()
    same(sweep(deadly, points, [0], store), deadly)
    assert len(files(store)) > 1
    same(sweep(walk, POINTS, SEEDS))
    # the work was done by the cluster, not here
    assert cluster.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.transition_log)) > 0


def test_sweep_of_the_book_on_a_cluster_runs_as_it_stands(tmp_path):
    page = (ROOT / "book" / "api.md").read_text(encoding="utf-8")
    (program,) = [one for one in re.findall(r"```py\n(.*?)```", page, re.S) if "LocalCluster" in one]
    (tmp_path / "example.py").write_text(program, encoding="utf-8")
    done = subprocess.run([sys.executable, "example.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("SweepResult of 16 points, none failed")
    assert stored(tmp_path / "runs") == 16
