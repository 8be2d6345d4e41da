"""How the cost of chapter `scb` grows: with the context and the batch, and over a sweep of settings."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from hal.chapters.scb.runs import learn
from lib.models import scb
from lib.sweep import sweep, vectorised
from parts.report import seconds


def slopes() -> dict[str, Any]:
    """Seconds a step over T and batch, and the log-log slope in T * batch over the larger half of the sizes."""
    sizes = [(T, batch) for T in (500, 2000, 5000, 20000) for batch in (4, 16, 64)]
    took = []
    for T, batch in sizes:
        task, steps = scb.ring_task(T=T, N=3), max(20, 4_000_000 // (T * batch))

        def work(task: scb.Task = task, batch: int = batch, steps: int = steps) -> None:
            learn(task, [0], lr=0.01, batch=batch, steps=steps, record={}, record_at=[0, steps])

        took.append(min(seconds(work) for _ in range(3)) / steps)
    work_a_step = np.array([T * batch for T, batch in sizes])
    large = work_a_step >= np.median(work_a_step)
    slope = float(np.polyfit(np.log(work_a_step[large]), np.log(np.array(took)[large]), 1)[0])
    return {"sizes": sizes, "seconds_a_step": took, "slope": slope}


@vectorised("T", "N", "batch", defaults={"T": 256, "N": 4, "batch": 16, "lr": 0.02, "lam": 0.05})
def one_setting(points: list[dict[str, Any]]) -> list[dict[str, np.ndarray]]:
    """Signals and distances of runs with a threshold, at 70 records: what a study of settings would ask for."""
    first = points[0]
    task = scb.ring_task(T=first["T"], N=first["N"])
    lr = np.array([p["lr"] for p in points])
    lam = np.array([p["lam"] for p in points]) * lr
    run = learn(
        task,
        [p["seed"] for p in points],
        lr=lr,
        batch=first["batch"],
        steps=700,
        switch=300,
        threshold=lam,
        record_at=range(0, 701, 10),
    )
    return [{name: values[i] for name, values in run.arrays.items()} for i in range(len(points))]


def sweep_seconds() -> dict[str, Any]:
    """A sweep of 200 settings with 5 seeds each, on two processes."""
    points = [
        {"T": T, "N": N, "batch": batch, "lr": lr, "lam": lam}
        for T in (64, 128, 256, 512)
        for N, batch in ((3, 16), (4, 32))
        for lr in (0.005, 0.01, 0.02, 0.03, 0.05)
        for lam in (0.0, 0.01, 0.02, 0.05, 0.1)
    ]
    result: list[Any] = []
    start = time.perf_counter()  # wall time: the work is done by other processes
    result.append(sweep(one_setting, points, range(5), n_jobs=2, progress=False))
    took = time.perf_counter() - start
    finite = np.isfinite(result[0].results[0]["distance_A"]).all() and not result[0].failed
    return {"settings": len(points), "seeds": 5, "seconds": took, "complete": bool(finite)}
