"""What a sweep takes beside its runs, measured in processes of their own."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import joblib

from lib.sweep import grid, plan, sweep

HERE, PROCESSES, CLUSTER = "here", "two processes", "a Dask cluster of two processes"
PLACES = (HERE, PROCESSES, CLUSTER)


def nothing(a: int, seed: int) -> dict[str, float]:
    """A run that takes no time: what remains is the sweep's own."""
    return {"y": a + seed, "z": 2.0 * a}


def overhead(place: str, count: int) -> dict[str, float]:
    """Seconds of a cached sweep of `count` points of `nothing`, computed, found again, its arrays; files; peak MB."""
    points, found = grid(a=range(count)), {}
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        jobs = enter(place, stack)
        sweep(nothing, points[:10], [0], n_jobs=jobs)  # the workers are there, and have loaded what they need
        for name in ("computed", "found again"):
            start = time.perf_counter()
            result = sweep(nothing, points, [0], folder, jobs)
            found[name] = time.perf_counter() - start
            assert not result.failed
        sizes = [path.stat().st_size for path in Path(folder).rglob("*.npz")]
        found |= {"files": len(sizes), "bytes": sum(sizes)}
        start = time.perf_counter()
        assert result["y"].sum() == count * (count - 1) // 2
        found["arrays"] = time.perf_counter() - start
    return found | {"megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def a_task(place: str, count: int = 400) -> dict[str, float]:
    """Seconds for each of `count` tasks of a single point."""
    with ExitStack() as stack:
        jobs = enter(place, stack)
        sweep(nothing, grid(a=range(10)), [0], n_jobs=jobs)
        plan.SECONDS = plan.SHARE = 0
        start = time.perf_counter()
        sweep(nothing, grid(a=range(count)), [0], n_jobs=jobs)
        return {"seconds": (time.perf_counter() - start) / count}


def apart(module: str, name: str, *given: Any, repeats: int = 1) -> list[dict[str, float]]:
    """What a function of a module beside this one measures, each time in a process of its own."""
    code = f"import json\nfrom parts import {module}\nif __name__ == '__main__':\n"
    code += f"    print(json.dumps({module}.{name}(*{given!r})))"
    found = []
    for _ in range(repeats):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=_folder())
        found.append(json.loads(done.stdout.splitlines()[-1]))
    return found


def _folder() -> str:
    return __file__.rpartition("/parts/")[0]


def enter(place: str, stack: ExitStack) -> int:
    """Open the place; the `n_jobs` of its sweeps."""
    if place == CLUSTER:
        import distributed

        stack.enter_context(distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0"))
        stack.enter_context(joblib.parallel_config("dask"))
    return 2 if place == PROCESSES else 1
