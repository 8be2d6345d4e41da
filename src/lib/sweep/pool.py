"""The work of a sweep, chunk by chunk, here or in other processes; the death of a process costs at most one point.

Used by `lib.sweep`. Where work is done is joblib's choice: `n_jobs`, or a `joblib.parallel_config` around the sweep.
"""

from __future__ import annotations

import contextlib
import math
import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from lib.errors import require
from lib.sweep.vectorise import Point, Results, Vectorised

__all__ = ["Outcome", "compute", "work"]

Outcome = Results | str  # the arrays of a point, or why it failed

# What joblib's processes and Dask's workers raise when a worker dies; by name, because neither need be installed.
_DEATHS = {"TerminatedWorkerError", "KilledWorker"}


def compute(
    run: Any, full: list[Point], missing: list[int], n_jobs: int, chunk: int
) -> Iterator[tuple[list[int], list[Outcome]]]:
    """Yield the outcomes of points, chunk by chunk, in whatever order they finish.

    When a worker dies (killed, out of memory), the points that were handed out and not finished are computed again,
    each alone, and failed if that kills its worker twice; then the rest goes on.

    Args:
        run: the experiment.
        full: all points, complete.
        missing: the indices of those to compute.
        n_jobs: processes; 1 leaves the choice to a surrounding `parallel_config`.
        chunk: at most so many points in one call of a vectorised run.

    Yields:
        Indices, and for each its arrays or the text of its error.
    """
    if not missing:
        return
    import joblib  # here, because experiments import this package for `vectorised` alone

    # None lets a surrounding parallel_config decide, and means 1 without one
    jobs = None if n_jobs == 1 else n_jobs

    def parallel(tasks: Iterable[Any]) -> Any:  # a new one each time: a broken one keeps what it had in hand
        return joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)(tasks)

    waiting = _chunks(run, full, missing, chunk, joblib.effective_n_jobs(jobs))
    while waiting:
        lost: dict[int, list[int]] = {}  # first index -> chunk, from when it is handed out until it comes back

        def tasks(chunks: list[list[int]] = waiting, lost: dict[int, list[int]] = lost) -> Iterator[Any]:
            while chunks:
                indices = chunks.pop(0)
                lost[indices[0]] = indices
                yield joblib.delayed(work)(run, indices, [full[i] for i in indices])

        try:
            with contextlib.closing(parallel(tasks())) as outcomes:
                for indices, results in outcomes:
                    del lost[indices[0]]
                    yield indices, results
        except Exception as error:
            if type(error).__name__ not in _DEATHS:
                raise
        for i in [i for indices in lost.values() for i in indices]:
            yield [i], [_alone(parallel, joblib.delayed(work)(run, [i], [full[i]]))]


def work(run: Any, indices: list[int], points: list[Point]) -> tuple[list[int], list[Outcome]]:
    """Compute one chunk; if it fails, its points one by one, so that only the guilty one is lost."""
    if isinstance(run, Vectorised) and len(points) > 1:
        try:
            return indices, [_checked(result) for result in run.many(points)]
        except Exception:  # found again, and reported, by the single run below
            pass
    outcomes: list[Outcome] = []
    for point in points:
        try:
            outcomes.append(_checked(run(**point)))
        except Exception as error:
            outcomes.append("".join(traceback.format_exception_only(error)).strip())
    return indices, outcomes


def _alone(parallel: Callable[[Iterable[Any]], Any], task: Any) -> Outcome:
    """The outcome of a task while nothing else runs, tried twice."""
    died = ""
    for _ in range(2):
        try:
            [(_, [outcome])] = parallel([task])
            return outcome
        except Exception as error:
            if type(error).__name__ not in _DEATHS:
                raise
            code = re.search(r"\{(.+?)\}", str(error))  # joblib's list of exit codes, such as {SIGKILL(-9)}
            died = f" by {code[1]}" if code else ""
    return (
        f"WorkerDied: the process was ended{died}, twice, while it computed this point and nothing else; "
        "the point may need more memory than there is, or crash what it calls"
    )


def _chunks(run: Any, full: list[Point], missing: list[int], chunk: int, workers: int) -> list[list[int]]:
    """Indices of points to compute in one call: of one shape, and enough calls for all workers."""
    if not isinstance(run, Vectorised):
        return [[i] for i in missing]
    chunks = []
    for group in run.groups([full[i] for i in missing]):
        size = min(chunk, math.ceil(len(group) / workers))
        chunks += [[missing[j] for j in group[start : start + size]] for start in range(0, len(group), size)]
    return chunks


def _checked(result: Any) -> Results:
    require(isinstance(result, Mapping), "run", "a dict of arrays", type(result).__name__)
    arrays = {str(name): np.asarray(value) for name, value in result.items()}
    for name, values in arrays.items():
        require(not values.dtype.hasobject, f"run's {name!r}", "an array of numbers or text", "Python objects")
    return arrays
