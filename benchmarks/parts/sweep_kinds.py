"""Sweeps of several kinds: how long `forecast` says that each will take, and how long it takes."""

from __future__ import annotations

import math
import tempfile
import time
from contextlib import ExitStack
from typing import Any

import numpy as np

from lib.models.one_nn import experiment
from lib.sweep import Own, forecast, grid, sweep
from parts.sweep_cost import CLUSTER, HERE, PROCESSES, enter

COUNT = 10_000


def _turns(count: int) -> dict[str, float]:
    """Work that takes as long as it has turns."""
    total = 0.0
    for i in range(count):
        total += i
    return {"total": total}


def constant(a: int, seed: int) -> dict[str, float]:
    """A run that takes the same time everywhere."""
    return _turns(12_000)


def growing(a: int, seed: int) -> dict[str, float]:
    """A run that takes forty times longer at the end of the grid than at its beginning."""
    return _turns(500 + 2 * a)


def rarely_long(a: int, seed: int) -> dict[str, float]:
    """A run that takes a log-normal time: one in a thousand takes more than twenty times the median."""
    return _turns(int(6_000 * math.exp(np.random.default_rng([a, seed]).normal())))


EACH = grid(a=range(COUNT))
SHAPES = grid(steps=[40], batch=[16], d=[3, 8, 20], N=[8, 16, 64], lr=np.geomspace(0.5, 4, COUNT // 9 + 1).tolist())
KINDS: dict[str, tuple[Any, Any, str]] = {
    f"{what}, {place}": (run, points, place)
    for what, run, points in (
        ("the same cost everywhere", constant, EACH),
        ("a cost that grows with a setting", growing, EACH),
        ("a few points that take long", rarely_long, EACH),
        ("chapter 3's experiment in nine shapes", experiment.learn, SHAPES),
    )
    for place in (HERE, PROCESSES, CLUSTER)
    if place != CLUSTER or run is constant
}


def compared(kind: str, own: tuple[float, float]) -> dict[str, float]:
    """Seconds that a cached sweep of 10^4 points takes, and what was forecast, with its error, before."""
    run, points, place = KINDS[kind]
    with ExitStack() as stack:
        folder, jobs = stack.enter_context(tempfile.TemporaryDirectory()), enter(place, stack)
        said = forecast(run, points, [0], jobs, own=Own(*own))
        start = time.perf_counter()
        result = sweep(run, points, [0], folder, jobs)
        took = time.perf_counter() - start
        assert not result.failed
    return {"took": took, "forecast": said.seconds, "error": said.error, "tried": said.tried}
