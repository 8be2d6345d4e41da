"""Sweeps: many settings times many seeds, vectorised within a shape, in parallel across, stored point by point.

For many machines use joblib's Dask backend: `with joblib.parallel_config("dask")` around the call, with a
`dask.distributed.Client` open. Law, tested: batched, parallel, distributed, cached and resumed results equal the single
runs bit for bit (with one thread for linear algebra, OMP_NUM_THREADS=1).
"""

import contextlib
import hashlib
import inspect
import itertools
import math
import os
import pickle
import platform
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from lib.errors import InputError, is_whole, require, whole
from lib.keys import describe_run
from lib.sweep.cache import Cache, text_of
from lib.sweep.result import SweepResult
from lib.sweep.vectorise import Point, Results, Vectorised

__all__ = ["grid", "sweep"]

Call = list[int]  # indices of the points of one call of a vectorised run; of a plain function one
Outcomes = Generator[tuple[Call, list[Results | str]], None, None]  # results, or why a point failed
_KILLED = "NotComputed: a process was killed, perhaps for memory, while it had this point or one of {} others in hand"
_LEFT = "NotComputed: the sweep ended before this point"


def grid(**values: Iterable[Any]) -> list[Point]:
    """All combinations of settings, for the `points` of a sweep; the last name changes fastest.

    Grids add up: `grid(...) + grid(...)`. Refused are a setting without values, a single value, and a value twice.

    Example:
        >>> grid(lr=[0.1, 0.2], T=range(3, 5))
        [{'lr': 0.1, 'T': 3}, {'lr': 0.1, 'T': 4}, {'lr': 0.2, 'T': 3}, {'lr': 0.2, 'T': 4}]
    """
    require(values, "grid", "settings with their values such as lr=[0.01, 0.1]", "none")
    require("seed" not in values, "grid", "settings without 'seed' (see `seeds` of sweep)", "seed")
    columns = [_listed(name, given, f"a list of values such as [{given!r}]", "value") for name, given in values.items()]
    return [dict(zip(values, row, strict=True)) for row in itertools.product(*columns)]


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

    A point that raises is recorded as failed with the message, does not stop the others, is never stored and is tried
    again by the next call. Finished points are stored every second and at an interrupt, and found again. If a process
    is killed, a warning says how many points are finished; the result has these, and the others as failed.

    Args:
        run: a `vectorised` experiment, or a plain function `run(**settings, seed=...) -> dict of arrays`.
        points: settings, each a dict without "seed"; or a `grid`.
        seeds: whole numbers >= 0; every point is run with each.
        cache: directory of finished points; None keeps nothing. Found again is what the same code computed with the
            same settings: the code that is loaded of the run and of all that it leads to counts, with its values, and
            the files of the modules that it imports. A cache that holds every point may be read-only.
        n_jobs: processes (-1: all cores); 1 computes here, unless a `joblib.parallel_config` says otherwise.
        progress: one line with the time that is left; by default only on a terminal.
        chunk: at most so many points in one call of a vectorised run; bounds memory.
        depends: data files, folders, and variables of the environment as "$NAME", that the run reads: found again is
            what was computed with the same contents.

    Raises:
        InputError: before any work, if an argument is refused, a point is given twice, the cache cannot be written, or
            a cached run uses something that cannot be part of a key, or a module that was edited after it was loaded;
            during the work, if other processes have, and keep, other code than this one.
    """
    import joblib  # here, because experiments import this package for `vectorised` alone

    full = _complete(run, points, seeds)
    require(is_whole(n_jobs) and n_jobs != 0, "n_jobs", "a number of processes, or -1", n_jobs)
    whole("chunk", chunk, 1)
    held = _contents(depends)
    jobs = None if n_jobs == 1 else int(n_jobs)  # None lets a surrounding parallel_config decide, and is 1 without one
    several = joblib.effective_n_jobs(jobs)
    backend = joblib.parallel.get_active_backend()[0]
    here = not hasattr(backend, "client") and (several == 1 or getattr(backend, "supports_sharedmem", False))
    about = {} if here and cache is None else describe_run(run, refuse=cache is not None)
    store = None if cache is None else Cache(cache, {**about, "depends": held})
    texts = [text_of(point) if store else "" for point in full]
    results: list[Results] = [store.found.get(text, {}) if store else {} for text in texts]
    missing = [i for i, text in enumerate(texts) if not store or text not in store.found]
    if store and missing:
        store.open()
    errors = dict.fromkeys(missing, _LEFT)
    by_value = joblib.wrap_non_picklable_objects(run, keep_wrapper=False)  # of a notebook
    given = run if here else pickle.dumps((by_value, about, list(depends), held))
    shown, started, count = sys.stderr.isatty() if progress is None else progress, time.monotonic(), 0
    try:
        for call, outcomes in _outcomes(given, full, _calls(run, full, missing, chunk, several), jobs):
            for i, outcome in zip(call, outcomes, strict=True):
                if isinstance(outcome, str):
                    errors[i] = outcome
                    continue
                results[i] = outcome
                del errors[i]
                if store:
                    store.add(texts[i], outcome)
            count += len(call)
            if shown:
                _say(count, len(missing), time.monotonic() - started)
    finally:
        if store:
            store.flush()
    if any(text.startswith("NotComputed") for text in errors.values()):
        kept = f"{len(full) - len(errors)} of {len(full)} points are finished and kept, the others are among the failed"
        warnings.warn(f"a process was killed: {kept}; with a cache the same call goes on", RuntimeWarning, stacklevel=2)
    return SweepResult(full, results, errors)


def _calls(run: Any, full: list[Point], missing: list[int], chunk: int, several: int) -> list[Call]:
    """Calls of at most `chunk` points of one shape, and enough of them for all workers."""
    calls = []
    for group in run.groups([full[i] for i in missing]) if isinstance(run, Vectorised) else []:
        size = min(chunk, math.ceil(len(group) / several))
        calls += [[missing[j] for j in group[at : at + size]] for at in range(0, len(group), size)]
    return calls if isinstance(run, Vectorised) else [[i] for i in missing]


def _outcomes(given: Any, full: list[Point], calls: list[Call], jobs: int | None) -> Outcomes:
    """Each call with what came of its points, in whatever order they finish, here or wherever joblib computes."""
    import joblib
    from joblib.externals.loky import get_reusable_executor

    client = getattr(joblib.parallel.get_active_backend()[0], "client", None)  # of Dask
    left, begun, again = list(calls), list[Call](), isinstance(given, bytes) and client is None

    def tasks() -> Generator[Any, None, None]:
        for call in list(left):
            begun.append(call)
            yield joblib.delayed(_work)(given, call, [full[i] for i in call])

    while left:
        parallel = joblib.Parallel(jobs, return_as="generator_unordered")
        try:
            with contextlib.closing(_on_dask(client, tasks()) if client else parallel(tasks())) as found:
                for call, outcomes in found:
                    left.remove(call)
                    yield call, outcomes
        except _Otherwise as error:
            if not again:
                raise InputError(*error.args) from None
            again = False  # processes of this machine, perhaps from before an edit, are started once more
            get_reusable_executor().shutdown(wait=True, kill_workers=True)
        except Exception as error:
            if type(error).__name__ != "TerminatedWorkerError":  # by name: it lies in what joblib carries along
                raise
            lost = [call for call in begun if call in left]
            said: list[Results | str] = [_KILLED.format(sum(map(len, lost)) - 1)]
            yield from ((call, said * len(call)) for call in lost)
            return


def _on_dask(client: Any, tasks: Iterable[Any]) -> Outcomes:
    """By the client of joblib's backend itself: joblib waits without end for a task whose workers were killed."""
    import distributed

    futures = {client.submit(work, *given, pure=False): given[1] for work, given, _ in tasks}
    try:
        for future, found in distributed.as_completed(list(futures), with_results=True, raise_errors=False):
            if future.status == "error" and not isinstance(found[1], distributed.KilledWorker):
                raise found[1]
            call = futures.pop(future)
            yield found if future.status == "finished" else (call, [_KILLED.format(len(call) - 1)] * len(call))
    finally:
        client.cancel(list(futures))


class _Otherwise(Exception):
    """What a process has otherwise than the sweep; it computed nothing."""


def _work(given: Any, call: Call, points: list[Point]) -> tuple[Call, list[Results | str]]:
    """Compute one call; if it fails, its points one by one, so that only the guilty one is lost."""
    run = _opened(given) if isinstance(given, bytes) else given
    if isinstance(run, Vectorised) and len(points) > 1:
        with contextlib.suppress(Exception, SystemExit):  # found again, and reported, by the single runs
            return call, [_checked(result) for result in run.many(points)]
    outcomes: list[Results | str] = []
    for point in points:
        try:
            outcomes.append(_checked(run(**point)))
        except (Exception, SystemExit) as error:
            outcomes.append("".join(traceback.format_exception_only(error)).strip())
    return call, outcomes


@lru_cache(maxsize=4)
def _opened(given: bytes) -> Any:
    """A run that is loaded here as it is where the sweep is."""
    try:
        run, about, depends, held = pickle.loads(given)
        mine = {**describe_run(run, refuse=False), "depends": _contents(depends)}
        other = ", ".join(name for name, value in {**about, "depends": held}.items() if mine[name] != value)
    except (ImportError, AttributeError, InputError) as error:
        other = str(error)
    if other:
        raise _Otherwise(
            f"run: expected workers that have what this process has loaded, got other {other} in process {os.getpid()} "
            f"on {platform.node()}: save and reload what was edited, restart what was patched, and on a cluster "
            "client.restart()"
        )
    return run


def _checked(result: Any) -> Results:
    require(isinstance(result, Mapping), "run", "a dict of arrays", type(result).__name__)
    arrays = {str(name): np.asarray(value) for name, value in result.items()}
    for name, values in arrays.items():
        require(not values.dtype.hasobject, f"run's {name!r}", "an array of numbers or text", "Python objects")
    return arrays


def _complete(run: Any, points: Any, seeds: Any) -> list[Point]:
    """Every point with every seed, seeds innermost, the defaults of a `vectorised` run filled in."""
    require(callable(run), "run", "a function", type(run).__name__)
    wanted = "a list of settings such as [{'lr': 0.1}], or grid(lr=[0.1, 0.2])"
    require(not isinstance(points, Mapping), "points", wanted, "one dict: put it into a list")
    some = f"a sequence such as range({seeds if is_whole(seeds) and seeds > 0 else 3})"
    chosen = _listed("seeds", seeds, some, "seed")
    for seed in chosen:
        require(is_whole(seed) and seed >= 0, "seeds", "whole numbers >= 0", repr(seed))
    full: list[Point] = []
    for i, point in enumerate(_listed("points", points, wanted, "point")):
        require(isinstance(point, Mapping), f"points[{i}]", "settings such as {'lr': 0.1}", repr(point))
        require("seed" not in point, f"points[{i}]", "settings without 'seed' (see `seeds`)", point)
        plain = {name: _python(value) for name, value in point.items()}
        several = [{**plain, "seed": int(seed)} for seed in chosen]
        try:
            full += [run.complete(one) for one in several] if isinstance(run, Vectorised) else several
            inspect.signature(run, follow_wrapped=not isinstance(run, Vectorised)).bind(**several[0])
        except TypeError as error:
            raise InputError(f"points[{i}]: expected settings that `run` takes, got {plain} ({error})") from None
    return _listed("points", full, wanted, "point")


def _listed(name: str, given: Any, wanted: str, what: str) -> list[Any]:
    """Values as a list: at least one, each once."""
    listable = isinstance(given, Iterable) and not isinstance(given, str | Mapping)
    require(listable and (not isinstance(given, np.ndarray) or given.ndim), name, wanted, repr(given))
    listed = given.tolist() if isinstance(given, np.ndarray) else list(given)
    require(listed, name, f"at least one {what}, in {wanted}", "none")
    texts = [repr(sorted(one.items())) if isinstance(one, dict) else repr(one) for one in listed]
    require(len(set(texts)) == len(texts), name, f"each {what} once", Counter(texts).most_common(1)[0][0])
    return listed


def _python(value: Any) -> Any:
    """A setting with Python's numbers for NumPy's: a run gets the same whoever wrote it, and is found again by it."""
    if isinstance(value, np.generic):
        return value.item()
    if type(value) in (list, tuple):
        return type(value)(_python(v) for v in value)
    return {key: _python(v) for key, v in value.items()} if type(value) is dict else value


def _contents(depends: Any) -> dict[str, Any]:
    """Of each file or folder that `depends` names a hash of each file, of each variable its value."""
    wanted = "a list of files, folders and variables of the environment, such as ['data.csv', '$SCALE']"
    require(isinstance(depends, Iterable) and not isinstance(depends, str), "depends", wanted, repr(depends))
    found: dict[str, Any] = {}
    for i, one in enumerate(depends):
        require(isinstance(one, str | os.PathLike), f"depends[{i}]", "a path or '$NAME'", repr(one))
        text, path = os.fspath(one), Path(one)
        if text.startswith("$"):
            found[text] = os.environ.get(text[1:])
            continue
        require(path.exists(), f"depends[{i}]", "a file that exists", repr(text))
        files = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
        found[text] = [(os.path.relpath(file, path), hashlib.sha256(file.read_bytes()).hexdigest()) for file in files]
    return found


def _say(done: int, total: int, seconds: float) -> None:
    """One line: how many points are done, and how long the others will take."""
    left = seconds / done * (total - done)
    said = f"{left:.0f} s" if left < 100 else f"{left / 60:.0f} min" if left < 6000 else f"{left / 3600:.0f} h"
    print(f"\r{done} of {total} points, {said} left   ", end="\n" * (done == total), file=sys.stderr, flush=True)
