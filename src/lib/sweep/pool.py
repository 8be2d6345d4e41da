"""The work of a sweep, chunk by chunk, here or in other processes; the death of a process costs at most one point.

Used by `lib.sweep`. Where work is done is joblib's choice: `n_jobs`, or a `joblib.parallel_config` around the sweep.
"""

import contextlib
import math
import traceback
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from lib.errors import require
from lib.sweep.vectorise import Point, Results, Vectorised

__all__ = ["Outcome", "compute", "work"]

Outcome = Results | str  # the arrays of a point, or why it failed

_DIED: Outcome = (
    "WorkerDied: the process that computed this point was killed, twice, while it had no other point to compute; "
    "the point may need more memory than there is"
)


def compute(
    run: Any, full: list[Point], missing: list[int], n_jobs: int, chunk: int
) -> Iterator[tuple[list[int], list[Outcome]]]:
    """Yield indices of points, and for each its arrays or its error in words: chunks in whatever order they finish.

    When a worker dies (killed, out of memory), the points that were handed out and not finished are computed again,
    each alone, and failed if that kills its worker twice; then the rest goes on.

    Args:
        run: the experiment.
        full: all points, complete.
        missing: the indices of those to compute.
        n_jobs: processes; 1 leaves the choice to a surrounding `parallel_config`.
        chunk: at most so many points in one call of a vectorised run.
    """
    if not missing:
        return
    import joblib  # here, because experiments import this package for `vectorised` alone

    # None lets a surrounding parallel_config decide, and means 1 without one
    jobs = None if n_jobs == 1 else n_jobs

    def task(indices: list[int]) -> Any:
        return joblib.delayed(work)(run, indices, [full[i] for i in indices])

    waiting = deque(_chunks(run, full, missing, chunk, joblib.effective_n_jobs(jobs)))
    while waiting:
        lost: dict[int, list[int]] = {}  # first index -> chunk, from when it is handed out until it comes back

        def tasks(lost: dict[int, list[int]] = lost) -> Iterator[Any]:
            while waiting:
                indices = waiting.popleft()
                lost[indices[0]] = indices
                yield task(indices)

        with contextlib.closing(_surviving(jobs, tasks())) as outcomes:
            for indices, results in outcomes:
                del lost[indices[0]]
                yield indices, results
        for i in [i for indices in lost.values() for i in indices]:
            # one after the other, twice at most: whoever dies now has nobody else to blame
            found = list(_surviving(jobs, [task([i])])) or list(_surviving(jobs, [task([i])]))
            yield found[0] if found else ([i], [_DIED])


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


def _surviving(jobs: int | None, tasks: Iterable[Any]) -> Generator[tuple[list[int], list[Outcome]], None, None]:
    """What tasks return, but for those that were lost with a worker."""
    import joblib

    backend, _ = joblib.parallel.get_active_backend()
    try:
        if hasattr(backend, "client"):
            yield from _on_dask(backend.client, tasks)
        else:
            parallel = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
            with contextlib.closing(parallel(tasks)) as outcomes:
                yield from outcomes
    except Exception as error:
        # joblib's own, by name: its class lies in a package that joblib carries along
        if type(error).__name__ != "TerminatedWorkerError":
            raise


def _on_dask(client: Any, tasks: Iterable[Any]) -> Iterator[Any]:
    """The same by a Dask client itself: joblib waits without end for a task whose workers were killed."""
    import distributed

    futures = [client.submit(function, *given, pure=False) for function, given, _ in tasks]
    finished = distributed.as_completed(futures)
    del futures  # so that what has been handed on is forgotten
    for future in finished:
        with contextlib.suppress(distributed.KilledWorker):
            yield future.result()


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
