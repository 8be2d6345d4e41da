"""What a sweep takes beside its runs, and how long one will take: measured in processes of their own."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from typing import Any

import joblib
import numpy as np

from lib.models.one_nn import experiment
from lib.sweep import grid, plan, sweep

HERE, PROCESSES, CLUSTER = "here", "two processes", "a Dask cluster of two processes"
PLACES = (HERE, PROCESSES, CLUSTER)
PILOT = 320  # points of the sweep that a prediction is made of


def nothing(a: int, seed: int) -> dict[str, float]:
    """A run that takes no time: what remains is the sweep's own."""
    return {"y": a + seed, "z": 2.0 * a}


def overhead(place: str, count: int) -> dict[str, float]:
    """Seconds of a sweep of `count` points of `nothing`, cached: computed, found again, its arrays; peak memory, MB."""
    points, found = grid(a=range(count)), {}
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        jobs = _enter(place, stack)
        sweep(nothing, points[:10], [0], n_jobs=jobs)  # the workers are there, and have loaded what they need
        for name in ("computed", "found again"):
            start = time.perf_counter()
            result = sweep(nothing, points, [0], folder, jobs)
            found[name] = time.perf_counter() - start
            assert not result.failed
        start = time.perf_counter()
        assert result["y"].sum() == count * (count - 1) // 2
        found["arrays"] = time.perf_counter() - start
    return found | {"megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def a_task(place: str, count: int = 400) -> dict[str, float]:
    """Seconds for each of `count` tasks of a single point."""
    with ExitStack() as stack:
        jobs = _enter(place, stack)
        sweep(nothing, grid(a=range(10)), [0], n_jobs=jobs)
        plan.SECONDS = plan.SHARE = 0
        start = time.perf_counter()
        sweep(nothing, grid(a=range(count)), [0], n_jobs=jobs)
        return {"seconds": (time.perf_counter() - start) / count}


def prediction(place: str, count: int) -> dict[str, float]:
    """Seconds that a sweep of `count` points of chapter 3's experiment takes, and what a pilot of 320 of them says."""
    short = {"steps": [40], "batch": [16], "N": [16]}
    points = grid(**short, lr=np.geomspace(0.5, 4, count // 20).tolist(), sigma=np.linspace(1, 3, 10).tolist())
    pilot = [points[i] for i in np.random.default_rng(0).permutation(len(points))[: PILOT // 2]]
    with ExitStack() as stack:
        jobs = _enter(place, stack)
        sweep(experiment.learn, pilot, [0, 1], n_jobs=jobs, chunk=16)
        found = sweep(experiment.learn, pilot, [0, 1], n_jobs=jobs, chunk=16)
        each = [one["seconds"] for one in found.provenance]
        start = time.perf_counter()
        result = sweep(experiment.learn, points, [0, 1], n_jobs=jobs, chunk=16)
        took = time.perf_counter() - start
        assert len(result.points) == count
        assert not result.failed
    workers = 1 if place == HERE else 2
    return {"took": took, "predicted": predicted(count, float(np.mean(each)), workers, 50e-6, 0.0)}


def predicted(
    count: int, seconds: float, workers: int, a_point: float, task: float, lasting: float | None = None
) -> float:
    """Seconds that a sweep takes: its runs on all workers, or its own work in one process, whichever is longer.

    Args:
        count: points.
        seconds: of a point, the mean of `SweepResult.provenance` over a pilot.
        workers: tasks that run at a time.
        a_point, task: seconds that the process of the sweep takes for a point, and for a task.
        lasting: seconds of a task; default what a sweep makes of the number of workers.
    """
    lasting = max(plan.SECONDS, plan.SHARE * workers) if lasting is None else lasting
    points = min(max(lasting / seconds, 1), plan.CALLS * 32)
    return max(count * seconds / workers, count * (a_point + task / points))


def apart(name: str, *given: Any, repeats: int = 3) -> list[dict[str, float]]:
    """What a function of this module measures, each time in a process of its own."""
    code = "import json\nfrom parts import sweep_cost\nif __name__ == '__main__':\n"
    code += f"    print(json.dumps(sweep_cost.{name}(*{given!r})))"
    found = []
    for _ in range(repeats):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=_folder())
        found.append(json.loads(done.stdout.splitlines()[-1]))
    return found


def _folder() -> str:
    return __file__.rpartition("/parts/")[0]


def _enter(place: str, stack: ExitStack) -> int:
    """Open the place; the `n_jobs` of its sweeps."""
    if place == CLUSTER:
        import distributed

        stack.enter_context(distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0"))
        stack.enter_context(joblib.parallel_config("dask"))
    return 2 if place == PROCESSES else 1
