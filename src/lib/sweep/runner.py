"""Sweeps: many settings times many seeds, vectorised within a shape, in parallel across, stored point by point.

Used by chapters and claims. For many machines use joblib's Dask backend: `with joblib.parallel_config("dask")` around
the call, with a `dask.distributed.Client` open. Law, tested: batched, parallel, distributed, cached and resumed results
equal the single runs bit for bit (with one thread for linear algebra, OMP_NUM_THREADS=1).
"""

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module, util
from types import SimpleNamespace
from typing import Any

from lib.errors import whole
from lib.sweep.blocks import Rows
from lib.sweep.cache import Cache, text_of
from lib.sweep.depends import fingerprints, places
from lib.sweep.keys import describe_run
from lib.sweep.plan import Plan
from lib.sweep.points import complete
from lib.sweep.pool import compute, workers
from lib.sweep.result import SweepResult
from lib.sweep.worker import Job

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
    depends: Iterable[str | os.PathLike[str]] = (),
) -> SweepResult:
    """Compute every point with every seed.

    A point that raises is recorded as failed with the message, does not stop the others, is never stored and is
    tried again by the next call. So is a point whose process is killed; the others that this process or its pool had in
    hand are computed again. Finished points are stored every few seconds and at an interrupt, after which it resumes.

    Args:
        run: a `vectorised` experiment, or a plain function `run(**settings, seed=...) -> dict of arrays`.
        points: settings, each a dict without "seed"; or a `grid`.
        seeds: whole numbers >= 0; every point is run with each.
        cache: directory of finished points; None keeps nothing. Found again is what the same code computed with the
            same settings: the code that is loaded of the run and of all that it leads to counts, with its values, and
            the files of the modules that it imports. A cache that holds every point may be read-only; where the disk
            is full, a warning says so and results stay in memory.
        n_jobs: processes (-1: all cores); 1 computes here, unless a `joblib.parallel_config` says otherwise.
        progress: show a bar; by default only on a terminal, and after 2 seconds.
        chunk: at most so many points in one call of a vectorised run; bounds memory. Calls are sent and stored
            together as long as they take a quarter of a second, which is what an interrupt or a killed process loses.
        depends: data files, folders, and variables of the environment as "$NAME", that the run reads: found again is
            what was computed with the same contents.

    Returns:
        A `SweepResult`, point by point with the seeds innermost.

    Raises:
        InputError: before any work, if a setting is unknown, a seed is not a whole number >= 0, a point is given twice,
            the cache directory cannot be read, or points are missing and it cannot be written, a cached run uses
            something that cannot be part of a key, or a module that it uses was edited after it was loaded; during
            the work, if other processes have, and keep, other code or data than this one.
    """
    full = complete(run, points, seeds)
    several = workers(n_jobs)
    whole("chunk", chunk, 1)
    named = places(depends)
    held = fingerprints(named)
    store = None if cache is None else Cache(cache, {**describe_run(run), "depends": held})
    texts = [] if store is None else [text_of(point) for point in full]  # refuses settings without, before any work
    found = [] if store is None else list(store.blocks({text: i for i, text in enumerate(texts)}))

    stored = {i for indices, _ in found for i in indices}
    missing = [i for i in range(len(full)) if i not in stored]
    if store is not None and missing:
        store.open()
    job = Job(run, named, held)
    errors = dict.fromkeys(missing, "not computed")
    bar = _bar(len(full), len(stored), progress)
    try:
        for indices, done in compute(job, full, Plan(run, full, missing, chunk, several), n_jobs):
            for rows, block in done.blocks:
                chosen = [indices[row] for row in rows]
                found += [(chosen, block)] if store is None else store.add(chosen, [texts[i] for i in chosen], block)
                for i in chosen:
                    del errors[i]
            errors.update((indices[row], sys.intern(text)) for row, text in done.errors.items())
            bar.update(len(indices))
    finally:
        bar.close()
        if store is not None:
            found += store.flush()
    return SweepResult(tuple(full), Rows.of(len(full), found), errors)


def _bar(total: int, done: int, progress: bool | None) -> Any:
    shown = sys.stderr.isatty() and util.find_spec("tqdm") if progress is None else progress
    if not shown:  # the smallest installation is without tqdm
        return SimpleNamespace(update=lambda count: None, close=lambda: None)
    delay = 0.0 if progress else 2.0  # a bar that would live for less than two seconds is noise
    return import_module("tqdm").tqdm(total=total, initial=done, delay=delay, unit="run", leave=False)
