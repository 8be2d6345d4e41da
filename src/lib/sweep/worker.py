"""What a worker does with a task: see that it has loaded what the sweep has, compute, and send back few arrays.

Used by `lib.sweep.pool`, here, in other processes and on other machines.
"""

import os
import pickle
import platform
import time
import traceback
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lib.errors import InputError
from lib.sweep.blocks import Block, blocks_of
from lib.sweep.depends import fingerprints
from lib.sweep.keys import describe, differing
from lib.sweep.vectorise import Point, Results, Vectorised

__all__ = ["Done", "Job", "Refused", "packed", "work"]


class Job(NamedTuple):
    """What all tasks of a sweep share."""

    run: Any
    named: dict[str, Path | None]  # data files and variables, and what they held
    held: dict[str, str | None]
    table: dict[str, str] | None = None  # what the run leads to in the process of the sweep, see `lib.sweep.keys`


class Done(NamedTuple):
    """A task's results by the places of its points, and why the others failed."""

    blocks: list[tuple[list[int], Block]]
    errors: dict[int, str]
    seconds: float


class Refused(NamedTuple):
    """What a worker has otherwise than the sweep, and which worker it is; it computed nothing."""

    names: list[str]
    where: str


class _Otherwise(Exception):
    """Names of what differs; an exception, so that it is not remembered."""


def packed(job: Job) -> bytes:
    """A job for other processes: functions of modules by name, those of notebooks by value."""
    import joblib

    table = describe(job.run, strict=False).table
    return pickle.dumps(job._replace(run=joblib.wrap_non_picklable_objects(job.run, keep_wrapper=False), table=table))


def work(number: int, job: Job | bytes, calls: list[list[Point]]) -> tuple[int, Done | Refused]:
    """Compute a task; `number` comes back with what was found."""
    try:
        run = job.run if isinstance(job, Job) else _opened(job).run
    except _Otherwise as error:
        return number, Refused(list(error.args), f"process {os.getpid()} on {platform.node()}")
    at = time.time()
    results: list[Results | None] = []
    errors: dict[int, str] = {}
    seconds: list[float] = []
    start = before = time.perf_counter()
    for points in calls:
        for outcome in _called(run, points):
            if isinstance(outcome, str):
                errors[len(results)] = outcome
            results.append(None if isinstance(outcome, str) else outcome)
        now = time.perf_counter()
        seconds += [(now - before) / len(points)] * len(points)
        before = now
    made = {"seconds": seconds, "at": at, "host": platform.node(), "process": os.getpid()}
    return number, Done(blocks_of(results, made), errors, before - start)


@lru_cache(maxsize=4)
def _opened(job: bytes) -> Job:
    """A job whose run is loaded here as it is where the sweep is."""
    try:
        opened: Job = pickle.loads(job)
    except (ImportError, AttributeError) as error:  # a name that this process's module does not have
        raise _Otherwise(str(error)) from None
    here = fingerprints(opened.named)
    names = differing(opened.table or {}) + [name for name, value in opened.held.items() if here[name] != value]
    if names:
        raise _Otherwise(*names)
    return opened


def _called(run: Any, points: list[Point]) -> list[Results | str]:
    """One call; if it fails, its points one by one, so that only the guilty one is lost."""
    if isinstance(run, Vectorised) and len(points) > 1:
        try:
            return [_checked(result) for result in run.many(points)]
        except (Exception, SystemExit):  # found again, and reported, by the single run below
            pass
    return [_alone(run, point) for point in points]


def _alone(run: Any, point: Point) -> Results | str:
    try:
        return _checked(run(**point))
    except (Exception, SystemExit) as error:
        return "".join(traceback.format_exception_only(error)).strip()


def _checked(result: Any) -> Results:
    if not isinstance(result, Mapping):
        raise InputError(f"run: expected a dict of arrays, got {type(result).__name__}")
    arrays = {str(name): np.asarray(value) for name, value in result.items()}
    for name, values in arrays.items():
        if values.dtype.hasobject:
            raise InputError(f"run's {name!r}: expected an array of numbers or text, got Python objects")
    return arrays
