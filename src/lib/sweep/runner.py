"""Sweeps: many settings times many seeds, vectorised within a shape, in parallel across, stored point by point.

Used by chapters and claims. For many machines use joblib's Dask backend: `with joblib.parallel_config("dask")` around
the call, with a `dask.distributed.Client` open. Law, tested: batched, parallel, distributed, cached and resumed results
equal the single runs bit for bit (with one thread for linear algebra, OMP_NUM_THREADS=1).
"""

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from lib.errors import is_whole, require
from lib.sweep.cache import Cache
from lib.sweep.points import complete
from lib.sweep.pool import Outcome, compute
from lib.sweep.result import SweepResult

__all__ = ["sweep"]


def sweep(
    run: Callable[..., Any],
    points: Iterable[Mapping[str, Any]],
    seeds: Sequence[int],
    cache: str | os.PathLike[str] | None = None,
    n_jobs: int = 1,
    progress: bool | None = None,
    *,
    chunk: int = 32,
) -> SweepResult:
    """Compute every point with every seed.

    A point that raises is recorded as failed with the message, does not stop the others, is never stored and is
    tried again by the next call. So is a point whose process is killed; the others that this process or its pool had in
    hand are computed again. Finished points are stored as they come, so that an interrupted sweep resumes.

    Args:
        run: a `vectorised` experiment, or a plain function `run(**settings, seed=...) -> dict of arrays`.
        points: settings, each a dict without "seed"; or a `grid`.
        seeds: whole numbers >= 0; every point is run with each.
        cache: directory of finished points; None keeps nothing. Found again is what the same code computed with the
            same settings: the modules that the run imports, and what a notebook's function uses, count.
        n_jobs: processes (-1: all cores); 1 computes here, unless a `joblib.parallel_config` says otherwise.
        progress: show a bar; by default only on a terminal, and after 2 seconds.
        chunk: at most so many points in one call of a vectorised run; bounds memory and what an interrupt loses.

    Returns:
        A `SweepResult`, point by point with the seeds innermost.

    Raises:
        InputError: before any work, if a setting is unknown, a seed is not a whole number >= 0, a point is given twice,
            the cache directory cannot be written, or a cached run uses something that cannot be part of a key.
    """
    full = complete(run, points, seeds)
    require(is_whole(n_jobs) and n_jobs != 0, "n_jobs", "a number of processes, or -1", n_jobs)
    require(is_whole(chunk) and chunk >= 1, "chunk", "a whole number >= 1", chunk)
    store = None if cache is None else Cache(cache, run)
    if store is not None:
        for point in full:
            store.path(point)  # refuses settings that have no key, before any work

    outcomes: list[Outcome | None] = [store.load(point) if store else None for point in full]
    missing = [i for i, outcome in enumerate(outcomes) if outcome is None]
    bar = _bar(len(full), len(full) - len(missing), progress)
    try:
        for indices, results in compute(run, full, missing, n_jobs, chunk):
            for i, outcome in zip(indices, results, strict=True):
                outcomes[i] = outcome
                if store is not None and not isinstance(outcome, str):
                    store.save(full[i], outcome)
            bar.update(len(indices))
    finally:
        bar.close()
    done = [outcome if outcome is not None else "not computed" for outcome in outcomes]
    return SweepResult(
        tuple(full),
        tuple({} if isinstance(outcome, str) else outcome for outcome in done),
        {i: outcome for i, outcome in enumerate(done) if isinstance(outcome, str)},
    )


def _bar(total: int, done: int, progress: bool | None) -> Any:
    from tqdm import tqdm

    shown = sys.stderr.isatty() if progress is None else progress
    # a bar that would live for less than two seconds is noise
    delay = 2.0 if progress is None else 0.0
    return tqdm(total=total, initial=done, disable=not shown, delay=delay, unit="run", leave=False)
