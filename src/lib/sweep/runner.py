"""Sweeps: many settings times many seeds, vectorised within a shape, in parallel across, stored point by point.

Used by chapters and claims. For many machines use joblib's Dask backend: `with joblib.parallel_config("dask")` around
the call, with a `dask.distributed.Client` open. Law, tested: batched, parallel, distributed, cached and resumed results
equal the single runs bit for bit (with one thread for linear algebra, OMP_NUM_THREADS=1).
"""

from __future__ import annotations

import inspect
import math
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from lib.errors import InputError, is_whole, require
from lib.sweep.cache import Cache
from lib.sweep.result import SweepResult
from lib.sweep.vectorise import Point, Results, Vectorised

__all__ = ["sweep"]

Outcome = Results | str  # the arrays of a point, or why it failed


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
    tried again by the next call. Finished points are stored as they come, so that an interrupted sweep resumes.

    Args:
        run: a `vectorised` experiment, or a plain function `run(**settings, seed=...) -> dict of arrays`.
        points: settings, each a dict without "seed".
        seeds: whole numbers >= 0; every point is run with each.
        cache: directory of finished points; None keeps nothing.
        n_jobs: processes (-1: all cores); 1 computes here, unless a `joblib.parallel_config` says otherwise.
        progress: show a bar; by default only on a terminal, and after 2 seconds.
        chunk: at most so many points in one call of a vectorised run; bounds memory and what an interrupt loses.

    Returns:
        A `SweepResult`, point by point with the seeds innermost.

    Raises:
        InputError: before any work, if a setting is unknown, a seed is not a whole number >= 0, a point is given twice,
            or the cache directory cannot be written.
    """
    full = _complete(run, points, seeds)
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
        for indices, results in _compute(run, full, missing, n_jobs, chunk):
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


def _complete(run: Any, points: Iterable[Mapping[str, Any]], seeds: Sequence[int]) -> list[Point]:
    """Every point with every seed, all settings checked."""
    require(callable(run), "run", "a function", type(run).__name__)
    given = [dict(point) for point in points]
    require(len(given) > 0, "points", "at least one point", "none")
    require(len(seeds) > 0, "seeds", "at least one seed", "none")
    for seed in seeds:
        require(is_whole(seed) and seed >= 0, "seeds", "whole numbers >= 0", seed)
    require(len(set(seeds)) == len(seeds), "seeds", "different seeds", list(seeds))
    for i, point in enumerate(given):
        require("seed" not in point, f"points[{i}]", "settings without 'seed' (see `seeds`)", point)
        if not isinstance(run, Vectorised):
            try:
                inspect.signature(run).bind(**point, seed=0)
            except TypeError as error:
                raise InputError(f"points[{i}]: expected settings that `run` takes, got {point} ({error})") from None
    full = [{**point, "seed": int(seed)} for point in given for seed in seeds]
    if isinstance(run, Vectorised):
        full = [run.complete(point) for point in full]
    seen: set[str] = set()
    for point in full:
        text = repr(sorted(point.items()))
        require(text not in seen, "points", "each point once", point)
        seen.add(text)
    return full


def _compute(
    run: Any, full: list[Point], missing: list[int], n_jobs: int, chunk: int
) -> Iterator[tuple[list[int], list[Outcome]]]:
    """Yield outcomes chunk by chunk, in whatever order they finish."""
    if not missing:
        return
    import joblib  # here, because experiments import this module for `vectorised` alone

    # None lets a surrounding parallel_config decide, and means 1 without one
    jobs = None if n_jobs == 1 else n_jobs
    workers = joblib.effective_n_jobs(jobs)
    if isinstance(run, Vectorised):
        shapes = [[missing[j] for j in group] for group in run.groups([full[i] for i in missing])]
        chunks = [part for group in shapes for part in _split(group, min(chunk, math.ceil(len(group) / workers)))]
    else:
        chunks = [[i] for i in missing]
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
    tasks = (joblib.delayed(_work)(run, indices, [full[i] for i in indices]) for indices in chunks)
    yield from parallel(tasks)


def _work(run: Any, indices: list[int], points: list[Point]) -> tuple[list[int], list[Outcome]]:
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


def _checked(result: Any) -> Results:
    require(isinstance(result, Mapping), "run", "a dict of arrays", type(result).__name__)
    arrays = {str(name): np.asarray(value) for name, value in result.items()}
    for name, values in arrays.items():
        require(not values.dtype.hasobject, f"run's {name!r}", "an array of numbers or text", "Python objects")
    return arrays


def _split(group: list[int], size: int) -> list[list[int]]:
    return [group[i : i + size] for i in range(0, len(group), size)]


def _bar(total: int, done: int, progress: bool | None) -> Any:
    from tqdm import tqdm

    shown = sys.stderr.isatty() if progress is None else progress
    # a bar that would live for less than two seconds is noise
    delay = 2.0 if progress is None else 0.0
    return tqdm(total=total, initial=done, disable=not shown, delay=delay, unit="run", leave=False)
