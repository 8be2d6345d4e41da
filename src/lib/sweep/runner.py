"""Sweeps: many settings times many seeds, vectorised within a shape, in parallel across, stored as they finish.

For many machines use `with joblib.parallel_config("dask")` around the call, with a `dask.distributed.Client` open. Law,
tested: batched, parallel, distributed, cached and resumed results equal the single runs bit for bit, with one thread
for linear algebra. All that is refused is an `InputError`.
"""

import contextlib
import hashlib
import inspect
import itertools
import os
import pickle
import platform
import sys
import tempfile
import time
import traceback
import uuid
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, as_completed
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from lib.errors import InputError, is_whole, require, whole
from lib.keys import describe, describe_run
from lib.sweep.result import SweepResult
from lib.sweep.vectorise import Point, Results, Vectorised, arrays

__all__ = ["grid", "sweep"]

Outcomes = list[Results | str]  # of each point of a call its results, or why it failed
Computed = Generator[tuple[list[int], Outcomes], None, None]  # each call, as indices of points, with what came of it
_KILLED = "NotComputed: a process was killed, perhaps for memory, before it had done this point"


def grid(**values: Iterable[Any]) -> list[Point]:
    """All combinations of settings, for the `points` of a sweep; the last name changes fastest.

    Grids add up: `grid(...) + grid(...)`. Refused are a setting without values, a single value, and a value twice.

    Example:
        >>> grid(lr=[0.1, 0.2], T=range(3, 5))
        [{'lr': 0.1, 'T': 3}, {'lr': 0.1, 'T': 4}, {'lr': 0.2, 'T': 3}, {'lr': 0.2, 'T': 4}]
    """
    require(values, "grid", "settings with their values such as lr=[0.01, 0.1]", "none")
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
) -> SweepResult:
    """Compute every point with every seed.

    A point that raises is recorded as failed with the message, does not stop the others, is never stored and is tried
    again by the next call. If a process is killed, a warning says how many points are finished; the result has these,
    and the others as failed. What is refused, is before any work, but for processes that have other code than this one.

    Args:
        run: a `vectorised` experiment, or a plain function `run(**settings, seed=...) -> dict of arrays`.
        points: settings, each a dict without "seed", none twice; or a `grid`.
        seeds: whole numbers >= 0; every point is run with each.
        cache: directory where every finished call is stored; None keeps nothing. Found again is what the same code
            computed with the same settings, see `lib.keys`. What a run reads from files is not seen: pass the contents,
            or their hash, as a setting. A cache that holds every point may be read-only.
        n_jobs: processes (-1: all cores); 1 computes here, unless a `joblib.parallel_config` says otherwise.
        progress: one line with the time that is left; by default only on a terminal.
        chunk: at most so many points in one call of a vectorised run; bounds memory.
    """
    import joblib  # here, because experiments import this package for `vectorised` alone

    full = _complete(run, points, seeds)
    require(is_whole(n_jobs) and n_jobs != 0, "n_jobs", "a number of processes, or -1", n_jobs)
    whole("chunk", chunk, 1)
    several = joblib.effective_n_jobs(None if n_jobs == 1 else int(n_jobs))  # None: a parallel_config around decides
    backend = joblib.parallel.get_active_backend()[0]
    client = getattr(backend, "client", None)  # of Dask
    here = client is None and (several == 1 or getattr(backend, "supports_sharedmem", False))
    about = {} if here and cache is None else describe_run(run, refuse=cache is not None)
    store = None if cache is None else _Cache(cache, about)
    texts = [describe(point) if store else "" for point in full]
    results = {i: store.found[text] for i, text in enumerate(texts) if store and text in store.found}
    missing, errors = [i for i in range(len(full)) if i not in results], dict[int, str]()
    if store and missing:
        store.open()
    calls = [[i] for i in missing]
    if isinstance(run, Vectorised):  # at most `chunk` points of one shape, and enough calls for all workers
        groups = [[missing[j] for j in group] for group in run.groups([full[i] for i in missing])]
        sizes = [min(chunk, -(-len(group) // several)) for group in groups]
        calls = [group[at : at + n] for group, n in zip(groups, sizes, strict=True) for at in range(0, len(group), n)]
    if here:
        computed: Computed = ((call, _work(run, [full[i] for i in call])) for call in calls)
    else:
        by_value = joblib.wrap_non_picklable_objects(run, keep_wrapper=False)  # of a notebook
        computed = _elsewhere(pickle.dumps((by_value, about)), full, calls, several, client)
    shown, started, count = sys.stderr.isatty() if progress is None else progress, time.monotonic(), 0
    with contextlib.closing(computed):
        for call, outcomes in computed:
            errors |= {i: one for i, one in zip(call, outcomes, strict=True) if isinstance(one, str)}
            results |= {i: one for i, one in zip(call, outcomes, strict=True) if not isinstance(one, str)}
            if store:
                store.add({texts[i]: results[i] for i in call if i in results})
            count += len(call)
            if shown:
                _say(count, len(missing), time.monotonic() - started)
    if _KILLED in errors.values():
        kept = f"{len(results)} of {len(full)} points are finished and kept, the others are among the failed"
        warnings.warn(f"a process was killed: {kept}; with a cache the same call goes on", RuntimeWarning, stacklevel=2)
    return SweepResult(full, [results.get(i, {}) for i in range(len(full))], errors)


def _elsewhere(given: bytes, full: list[Point], calls: list[list[int]], several: int, client: Any) -> Computed:
    """Each call with what came of its points, as they finish in new processes, or on the cluster of a Dask client."""
    from joblib.externals.loky import ProcessPoolExecutor

    pool = client.get_executor(pure=False) if client else ProcessPoolExecutor(several, env={"OMP_NUM_THREADS": "1"})
    futures, killed = dict[Any, list[int]](), Outcomes([_KILLED])
    try:
        with contextlib.suppress(BrokenExecutor):
            for call in calls:
                futures[pool.submit(_work, given, [full[i] for i in call])] = call
        yield from ((call, killed * len(call)) for call in calls[len(futures) :])
        for future in as_completed(list(futures)):
            call = futures.pop(future)
            try:
                yield call, future.result()
            except Exception as error:
                if not isinstance(error, BrokenExecutor) and type(error).__name__ != "KilledWorker":  # of Dask
                    raise
                yield call, killed * len(call)
    finally:
        for future in futures:
            future.cancel()
        if not client:
            pool.shutdown(kill_workers=True)


def _work(given: Any, points: list[Point]) -> Outcomes:
    """Compute one call; if it fails, its points one by one, so that only the guilty one is lost."""
    run = _opened(given) if isinstance(given, bytes) else given
    if isinstance(run, Vectorised) and len(points) > 1:
        with contextlib.suppress(Exception, SystemExit):  # found again, and reported, by the single runs
            return [*run.many(points)]
    outcomes: Outcomes = []
    for point in points:
        try:
            outcomes.append(arrays("run", run(**point)))
        except (Exception, SystemExit) as error:
            outcomes.append("".join(traceback.format_exception_only(error)).strip())
    return outcomes


@lru_cache(maxsize=4)
def _opened(given: bytes) -> Any:
    """A run that is loaded here as it is where the sweep is; refused if it is not."""
    try:
        run, about = pickle.loads(given)
        other = ", ".join(name for name, text in describe_run(run, refuse=False).items() if about[name] != text)
    except (ImportError, AttributeError, InputError) as error:
        other = str(error)
    wanted = "workers that have what is loaded here (save and reload what was edited, client.restart() on a cluster)"
    require(not other, "run", wanted, f"other {other} on {platform.node()}")
    return run


class _Cache:
    """Finished points of one run, in a folder that is named by what the run uses; `found` are those there, by text.

    A file holds the points of a call, after a digest of what the run uses and of them: it is whole, or computed again.
    """

    def __init__(self, directory: str | os.PathLike[str], about: dict[str, str]) -> None:
        named = isinstance(directory, str | os.PathLike) and os.fspath(directory) and "\0" not in os.fspath(directory)
        require(named, "cache", "a directory such as 'runs'", repr(directory))
        self._key = hashlib.sha256(repr(["format 5", *about.items()]).encode()).digest()
        self.folder, self.found = Path(directory) / self._key.hex()[:32], dict[str, Results]()
        self._stored, self._full = 0, False
        for path in sorted(self.folder.glob("*.points")):
            try:
                content = path.read_bytes()
                require(content[:32] == self._digest(content[32:]), "file", "what this cache wrote", "something else")
                self.found |= pickle.loads(content[32:])
            except (OSError, InputError) as error:
                told = f"{path} cannot be read ({error}) and can be deleted; computing again what it held"
                warnings.warn(told, RuntimeWarning, stacklevel=3)

    def open(self) -> None:
        """Make the folder, before any work; refused if it cannot be written."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=self.folder).close()
        except OSError as error:
            wanted = "a directory that can be written, since points are missing"
            raise InputError(f"cache: expected {wanted}, got {self.folder.parent} ({error})") from error

    def add(self, found: dict[str, Results]) -> None:
        """Store points; if the disk refuses, a warning says so once, and it is tried again with the next."""
        content, path = pickle.dumps(found), self.folder / f"{uuid.uuid4().hex}.tmp"
        try:
            if found:
                path.write_bytes(self._digest(content) + content)
                path.replace(path.with_suffix(".points"))
            self._stored += len(found)
        except OSError as error:
            told = f"{self.folder} cannot be written ({error}): {self._stored} points of this sweep are stored"
            if not self._full:
                warnings.warn(f"{told}, what follows is in memory alone until it can", RuntimeWarning, stacklevel=3)
            self._full = True
        finally:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)

    def _digest(self, content: bytes) -> bytes:
        return hashlib.sha256(self._key + content).digest()


def _complete(run: Any, points: Any, seeds: Any) -> list[Point]:
    """Every point with every seed, seeds innermost, the defaults of a `vectorised` run filled in."""
    require(callable(run), "run", "a function", type(run).__name__)
    wanted = "a list of settings such as [{'lr': 0.1}], or grid(lr=[0.1, 0.2])"
    chosen = _listed("seeds", seeds, "a sequence such as range(5)", "seed")
    for seed in chosen:
        require(is_whole(seed) and seed >= 0, "seeds", "whole numbers >= 0", repr(seed))
    full: list[Point] = []
    for i, point in enumerate(_listed("points", points, wanted, "point")):
        require(isinstance(point, Mapping), f"points[{i}]", "settings such as {'lr': 0.1}", repr(point))
        require("seed" not in point, f"points[{i}]", "settings without 'seed' (see `seeds`)", point)
        # Python's numbers for NumPy's: a run gets the same whoever wrote them, and is found again by them
        plain = {name: value.item() if isinstance(value, np.generic) else value for name, value in point.items()}
        several = [{**plain, "seed": int(seed)} for seed in chosen]
        try:
            full += [run.complete(one) for one in several] if isinstance(run, Vectorised) else several
            inspect.signature(run, follow_wrapped=not isinstance(run, Vectorised)).bind(**several[0])
        except TypeError as error:
            raise InputError(f"points[{i}]: expected settings that `run` takes, got {plain} ({error})") from None
    return _listed("points", full, wanted, "point")


def _listed(name: str, given: Any, wanted: str, what: str) -> list[Any]:
    """Values as a list: at least one, each once."""
    listable = isinstance(given, Iterable) and not isinstance(given, str | Mapping) and getattr(given, "ndim", True)
    require(listable, name, wanted, repr(given))
    listed = given.tolist() if isinstance(given, np.ndarray) else list(given)
    require(listed, name, f"at least one {what}, in {wanted}", "none")
    texts = [repr(sorted(one.items())) if isinstance(one, dict) else repr(one) for one in listed]
    require(len(set(texts)) == len(texts), name, f"each {what} once", Counter(texts).most_common(1)[0][0])
    return listed


def _say(done: int, total: int, seconds: float) -> None:
    """One line: how many points are done, and how long the others will take."""
    left = seconds / done * (total - done)
    said = f"{left:.0f} s" if left < 100 else f"{left / 60:.0f} min" if left < 6000 else f"{left / 3600:.0f} h"
    print(f"\r{done} of {total} points, {said} left   ", end="\n" * (done == total), file=sys.stderr, flush=True)
