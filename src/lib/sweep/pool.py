"""The work of a sweep, task by task, here or in other processes; the death of a process costs at most one point.

Used by `lib.sweep`. Where work is done is joblib's choice: `n_jobs`, or a `joblib.parallel_config` around the sweep.
"""

import contextlib
import math
import threading
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from lib.errors import InputError, is_whole, require
from lib.sweep.blocks import flat
from lib.sweep.plan import Call, Plan
from lib.sweep.vectorise import Point
from lib.sweep.worker import Done, Job, Refused, packed, work

__all__ = ["compute", "workers"]

WINDOW = 4  # tasks that wait for each worker
PARTS = 32  # calls of a lost task that are tried together: each death takes seconds
DEATHS = 32  # points in a row, each alone, whose death says that it is the run
_DIED = (
    "WorkerDied: the process that computed this point was killed, twice, while it had no other point to compute; "
    "the point may need more memory than there is"
)
_LOST = "ClusterLost: the scheduler of the Dask cluster is gone; open a new cluster and sweep again"
_NO_WORKER = (
    "ClusterLost: the Dask cluster had no worker for {:.0f} seconds; look in the workers' logs why they end, start "
    "others and sweep again, or wait longer with parallel_config('dask', wait_for_workers_timeout=...)"
)
_ALL_DIE = (
    "NotComputed: the last {} points that were tried alone killed their process each; the rest was left, since the run "
    "or the machine seems to be at fault (out of memory?); sweep again when it is mended"
)

Task = tuple[int, Any, list[list[Point]]]  # the arguments of `work`
Found = tuple[int, Done | Refused]
Computing = Generator[tuple[list[int], Done], None, None]


class _Ended(Exception):
    """Nothing more can be computed; says why."""


def workers(n_jobs: int) -> int:
    """How many tasks run at a time, here or on the cluster of a surrounding `parallel_config`.

    Raises:
        InputError: unless `n_jobs` is a whole number other than 0.
    """
    import joblib  # here, because experiments import this package for `vectorised` alone

    require(is_whole(n_jobs) and n_jobs != 0, "n_jobs", "a number of processes, or -1", n_jobs)
    return int(joblib.effective_n_jobs(_jobs(n_jobs)))


def compute(job: Job, full: Sequence[Point], plan: Plan, n_jobs: int) -> Computing:
    """Yield the indices of a task's points with what came of them, tasks in whatever order they finish.

    When a worker dies (killed, out of memory), the tasks that were handed out and not finished are computed again, in
    ever smaller parts, one at a time; a point fails if it kills its worker twice. Then the rest goes on, unless too
    many points in a row did so, or no worker comes any more: then all that is left fails with the reason. Workers that
    have loaded other code are started anew, once; those of a cluster, which may have other work, are not.

    Args:
        job: what all tasks share.
        full: all points, complete.
        plan: which of them to compute.
        n_jobs: processes; 1 leaves the choice to a surrounding `parallel_config`.

    Raises:
        InputError: if workers have, and keep, other code or data than this process.
    """
    if not plan.left:
        return
    place = _place(n_jobs)
    given: Any = job if place.shares_memory else packed(job)  # so that workers compare what they have loaded
    handed: dict[int, list[Call]] = {}  # from when a task is handed out until it comes back
    refused: list[Refused] = []
    anew, deaths = False, 0

    def tasks() -> Iterator[Task]:
        while plan.left and not refused:
            task = plan.next()
            handed[task[0][0]] = task  # by its first point
            yield _task(given, full, task)

    try:
        while plan.left:
            with contextlib.closing(place.run(tasks())) as outcomes:
                for number, found in outcomes:
                    if isinstance(found, Refused):
                        refused.append(found)
                        continue
                    task = handed.pop(number)
                    plan.learn(found.seconds, sum(map(len, task)))
                    yield flat(task), found
            if refused:
                if anew or not place.start_anew():
                    raise _refusal(refused[0])
                anew = True
                for task in handed.values():
                    plan.put_back(task)
                refused.clear()
                handed.clear()
            while handed:
                number = min(handed)
                for indices, done in _alone(place, given, full, handed[number]):
                    deaths = deaths + 1 if done.errors == {0: _DIED} else 0
                    left = [[i for i in call if i not in indices] for call in handed[number]]
                    handed[number] = [call for call in left if call]
                    yield indices, done
                    if deaths == DEATHS:
                        raise _Ended(_ALL_DIE.format(deaths))
                del handed[number]
    except _Ended as why:
        lost = flat([*flat(handed.values()), *plan.calls])
        yield lost, Done([], dict.fromkeys(range(len(lost)), str(why)), 0.0)


def _alone(place: "_Here", given: Any, full: Sequence[Point], task: list[Call]) -> Computing:
    """A task that was lost with a worker, in parts, and no other beside them: who dies now has nobody else to blame."""
    if len(task) > PARTS:
        parts = [task[at : at + PARTS] for at in range(0, len(task), PARTS)]
    else:
        parts = [[call] for call in task] if len(task) > 1 else [[[i]] for i in task[0]]
    for part in parts:
        points = flat(part)
        for _ in range(2 if len(points) == 1 else 1):
            found = next((found for _, found in list(place.run([_task(given, full, part)]))), None)
            if found is not None:
                break
        if isinstance(found, Refused):
            raise _refusal(found)
        if found is not None:
            yield points, found
        elif len(points) == 1:
            yield points, Done([], {0: _DIED}, 0.0)
        else:
            yield from _alone(place, given, full, part)


def _task(given: Any, full: Sequence[Point], task: list[Call]) -> Task:
    return task[0][0], given, [[full[i] for i in call] for call in task]


def _refusal(refused: Refused) -> InputError:
    names = ", ".join(refused.names[:3]) + (f" and {len(refused.names) - 3} more" if len(refused.names) > 3 else "")
    return InputError(
        f"run: expected workers that have what this process has loaded, got {names} otherwise in {refused.where}: save "
        "and reload what was edited, restart what was patched, and on a cluster client.restart()"
    )


def _jobs(n_jobs: int) -> int | None:
    return None if n_jobs == 1 else n_jobs  # None lets a surrounding parallel_config decide, and means 1 without one


def _place(n_jobs: int) -> "_Here":
    import joblib

    backend = joblib.parallel.get_active_backend()[0]
    if hasattr(backend, "client"):
        return _Dask(backend.client, backend.wait_for_workers_timeout)
    return _Here() if workers(n_jobs) == 1 else _Joblib(_jobs(n_jobs), getattr(backend, "supports_sharedmem", False))


class _Here:
    """Tasks in this process; `run` yields what they return, but for those that are lost with a worker."""

    shares_memory = True

    def run(self, tasks: Iterable[Task]) -> Generator[Found, None, None]:
        for task in tasks:
            yield work(*task)

    def start_anew(self) -> bool:
        """Give back new workers in place of those there are; whether that can be done."""
        return False


class _Joblib(_Here):
    """Tasks in processes or threads of this machine."""

    def __init__(self, jobs: int | None, shares_memory: bool) -> None:
        self._jobs, self.shares_memory = jobs, shares_memory

    def run(self, tasks: Iterable[Task]) -> Generator[Found, None, None]:
        import joblib

        parallel = joblib.Parallel(
            n_jobs=self._jobs, return_as="generator_unordered", batch_size=1, pre_dispatch=f"{WINDOW} * n_jobs"
        )
        try:
            with contextlib.closing(parallel(joblib.delayed(work)(*task) for task in tasks)) as outcomes:
                yield from outcomes
        except Exception as error:
            # joblib's own, by name: its class lies in a package that joblib carries along
            if type(error).__name__ != "TerminatedWorkerError":
                raise

    def start_anew(self) -> bool:
        if not self.shares_memory:
            from joblib.externals.loky import get_reusable_executor  # as joblib's documentation has it

            get_reusable_executor().shutdown(wait=True, kill_workers=True)
        return not self.shares_memory


class _Dask(_Here):
    """Tasks on a cluster, by its client itself: joblib waits without end for a task whose workers were killed."""

    shares_memory = False

    def __init__(self, client: Any, patience: float) -> None:
        self._client, self._patience = client, patience or math.inf  # seconds without any worker

    def run(self, tasks: Iterable[Task]) -> Generator[Found, None, None]:
        import distributed

        waiting = iter(tasks)
        window = WINDOW * max(1, sum(self._client.nthreads().values()))
        first = [self._submit(task) for task in islice(waiting, window)]
        running = distributed.as_completed(first, loop=self._client.loop)
        del first  # so that what has been handed on is forgotten
        over, deserted = threading.Event(), threading.Event()
        threading.Thread(target=self._watch, args=(over, deserted), daemon=True).start()
        try:
            for future in running:
                try:
                    yield future.result()
                except distributed.KilledWorker:
                    pass
                except (distributed.CancelledError, distributed.comm.CommClosedError, TimeoutError):
                    raise _Ended(_NO_WORKER.format(self._patience) if deserted.is_set() else _LOST) from None
                running.update(self._submit(task) for task in islice(waiting, 1))
        finally:
            over.set()

    def _watch(self, over: threading.Event, deserted: threading.Event) -> None:
        """Cancel what waits once there was no worker for too long: Dask itself would wait without end."""
        import distributed

        seen = time.monotonic()
        while not over.wait(1.0) and time.monotonic() - seen < self._patience:
            try:
                seen = time.monotonic() if self._client.nthreads() else seen
            except Exception:  # a scheduler that is gone: the futures say so
                return
        if not over.is_set():
            deserted.set()
            waiting: list[Any] = [distributed.Future(key, self._client) for key in list(self._client.futures)]
            self._client.cancel(waiting, force=True)

    def _submit(self, task: Task) -> Any:
        return self._client.submit(work, *task, pure=False)
