"""What a task of a sweep is: some calls of the run, as many as take about a quarter of a second together."""

import math
from collections import deque
from collections.abc import Sequence
from typing import Any

from lib.errors import whole
from lib.sweep.vectorise import Point, Vectorised

__all__ = ["Call", "Plan", "points_of_task"]

Call = list[int]  # indices of the points of one call of a vectorised run; of a plain function one
SECONDS = 0.25  # what is lost with a killed process, and what makes a task's own cost of some milliseconds small
SHARE = 0.01  # seconds of a task for each worker: what a cluster takes to hand one out, so that no worker waits
CALLS = 32  # at most so many full calls in a task


def points_of_task(workers: int, a_point: float, most: float = CALLS * 32) -> float:
    """How many points of `a_point` seconds each a task has, on average, away from the end of a sweep."""
    return min(most, max(SECONDS, SHARE * workers) / max(a_point, 1e-9))


class Plan:
    """The points that are left to compute, handed out task by task.

    A vectorised run is called with at most `chunk` points of one shape, and often enough for all workers.
    """

    def __init__(self, run: Any, full: Sequence[Point], missing: list[int], chunk: int, workers: int) -> None:
        whole("chunk", chunk, 1)
        self.calls: deque[Call] = deque([i] for i in missing)
        self.left = len(missing)  # points
        if isinstance(run, Vectorised):
            self.calls.clear()
            for group in run.groups([full[i] for i in missing]):
                size = min(chunk, math.ceil(len(group) / workers))
                self.calls += [[missing[j] for j in group[at : at + size]] for at in range(0, len(group), size)]
        self._most, self._workers = CALLS * chunk, workers
        self._seconds_a_point = math.inf  # of the last task that came back

    def next(self) -> list[Call]:
        """A task, taken from what is left; near the end smaller, so that all workers end together."""
        fair = math.ceil(self.left / (2 * self._workers))
        points = min(fair, points_of_task(self._workers, self._seconds_a_point, self._most))
        task = [self.calls.popleft()]
        taken = len(task[0])
        while self.calls and taken + len(self.calls[0]) <= points:
            task.append(self.calls.popleft())
            taken += len(task[-1])
        self.left -= taken
        return task

    def put_back(self, task: list[Call]) -> None:
        """What was handed out and not computed."""
        self.calls.extendleft(reversed(task))
        self.left += sum(map(len, task))

    def learn(self, seconds: float, points: int) -> None:
        """How long a task took."""
        self._seconds_a_point = seconds / points
