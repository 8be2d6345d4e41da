"""How long a sweep will take: some of its calls are computed, and what the process that sweeps does itself is added.

A pilot of single points would be called in other sizes than the sweep's, and a vectorised run costs by the call.
"""

import math
import os
import platform
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from lib.errors import require
from lib.sweep.plan import SECONDS, Call, Plan, points_of_task
from lib.sweep.points import complete
from lib.sweep.pool import compute, workers
from lib.sweep.vectorise import Point
from lib.sweep.worker import Job

__all__ = ["Forecast", "Own", "duration", "forecast"]

LEAST, WITHIN = 40, 0.1  # calls that are tried at least; standard error, and share of the sweep, at which it ends


class Own(NamedTuple):
    """Seconds that the process that sweeps takes beside the runs."""

    point: float = 0.0
    task: float = 0.0

    def seconds(self, count: int, a_point: float, workers: int, call: float = 1.0) -> float:
        """Seconds of a sweep, arguments as of `duration`."""
        return count * self.point + count / max(points_of_task(workers, a_point), call) * self.task


NO_COST = Own()


class Forecast(NamedTuple):
    """How long a sweep takes if the machines stay as busy as they were."""

    seconds: float  #: from its first point to its last
    error: float  #: standard error of `seconds`, from the spread between the calls that were computed
    a_point: float  #: seconds of a run, the mean over the points of the sweep
    tried: int  #: points that were computed
    failed: int  #: how many of these failed; a failure counts with the time it took


def duration(
    count: int, a_point: float, workers: int, own: Own = NO_COST, call: float = 1.0, cores: float = math.inf
) -> float:
    """Seconds that a sweep takes: its runs on all workers, or its own work in one process, whichever is longer.

    Args:
        count: points.
        a_point: seconds of a run, the mean.
        workers: calls that run at a time.
        own: what the process that sweeps takes.
        call: points of a call; a call does not split.
        cores: on which the process that sweeps takes time from its workers; by default it has a core for itself.

    Source: our own.
    """
    busy = own.seconds(count, a_point, workers, call)
    rounds = math.ceil(count / call / workers - 1e-9)  # of calls
    return max(busy, rounds * call * a_point + busy / cores)


def forecast(
    run: Callable[..., Any],
    points: Iterable[Mapping[str, Any]],
    seeds: Sequence[int],
    n_jobs: int = 1,
    *,
    chunk: int = 32,
    own: Own = NO_COST,
) -> Forecast:
    """How long `sweep` takes with the same arguments and no cache, from some of its calls; nothing is stored.

    One call is drawn at random from each of 40 equal stretches of the sweep, then from each of 80, and so on, until
    their standard error is a tenth and they took as long as a task of every worker, or until they are a tenth of the
    sweep. What was the first task of a process is computed again, since it may have had to import and compile.

    Args:
        run, points, seeds, n_jobs, chunk: as of `sweep`.
        own: what the process that sweeps takes for a point and for a task; by default nothing: the runs alone.

    Raises:
        InputError: as `sweep` does, and if all points that are tried fail.

    Source: the error is that of neighbours' differences (von Neumann and others, "The mean square successive
    difference", 1941), which a cost that grows along the sweep hardly enlarges.
    """
    full, several, rng = complete(run, points, seeds), workers(n_jobs), np.random.default_rng(0)
    calls = list(Plan(run, full, list(range(len(full))), chunk, several).calls)
    count, good = min(LEAST, len(calls)), False
    while not good:
        bounds = np.linspace(0, len(calls), count + 1).astype(int)
        chosen = [calls[i] for i in rng.integers(bounds[:-1], bounds[1:])]
        seconds, where, errors = _tried(run, full, [chosen[i] for i in rng.permutation(count)], several, n_jobs)
        require(where, "run", "points that succeed", f"{len(errors)} failures: {'; '.join({*errors.values()})}")
        each = np.array([sum(seconds[i] for i in call) for call in chosen])
        share = math.sqrt((np.diff(each) ** 2).mean() / (2 * count)) / each.mean() if count > 1 else math.inf
        good = (share <= WITHIN and each.sum() >= several * SECONDS) or 2 * count > WITHIN * len(calls)
        count *= 2
    a_point = float(each.mean()) * len(calls) / len(full)
    took = duration(len(full), a_point, several, own, len(full) / len(calls), _cores(several, where))
    return Forecast(took, float(share * took), a_point, len(seconds), len(errors))


def _tried(
    run: Any, full: list[Point], calls: list[Call], several: int, n_jobs: int
) -> tuple[dict[int, float], set[tuple[str, int]], dict[int, str]]:
    """Of points the seconds, which failures of a task share; the processes, by host; and why points failed."""
    seconds: dict[int, float] = {}
    where: set[tuple[str, int]] = set()
    errors: dict[int, str] = {}
    for _ in range(2):
        plan, early = Plan(None, full, [], 1, several), set[int]()
        plan.calls, plan.left = deque(calls), sum(map(len, calls))
        for indices, done in compute(Job(run, {}, {}), full, plan, n_jobs):
            rest = done.seconds - sum(block.made["seconds"].sum() for _, block in done.blocks)
            for row, text in done.errors.items():
                seconds[indices[row]], errors[indices[row]] = rest / len(done.errors), text
            for rows, block in done.blocks:
                seconds |= {indices[row]: float(took) for row, took in zip(rows, block.made["seconds"], strict=True)}
                process = str(block.made["host"][0]), int(block.made["process"][0])
                early |= set() if process in where else set(indices)
                where.add(process)
        calls = [call for call in calls if call[0] in early]
    return seconds, where, errors


def _cores(several: int, where: set[tuple[str, int]]) -> float:
    """On how many cores the process that sweeps takes time from its workers; infinite if one is left for it."""
    import joblib  # here, as in `lib.sweep.pool`

    if where == {(platform.node(), os.getpid())}:
        return 1.0
    cores = float(joblib.cpu_count())
    return cores if several >= cores and {host for host, _ in where} == {platform.node()} else math.inf
