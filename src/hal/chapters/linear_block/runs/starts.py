"""Which starts of the block reach the best step: a grid of tasks, many starts of several sizes each.

Chapter `linear_block`. Source: ours; arXiv 2402.14951 leaves the training of the block open. Down the exact risk, by
Adam whose rate falls from 0.02 along a cosine; H = diag(i^-decay), Psi = I, noise 1.
"""

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.linear_block.runs.training import PopulationBlock, fall
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib.models import linear_block as lb
from lib.sampling import generators
from lib.theory import linear_block as theory
from lib.train import train

__all__ = ["ENDS", "GRID", "SEEDS", "STARTS", "Setting", "ends_of_starts", "recorded_starts", "task_of"]

COMMAND = "python -m hal.chapters.records linear_block starts"
RECORD = path_of("linear_block", "starts")
STEPS, SEEDS, CLOSE = 10_000, 24, 0.02
STARTS = (("generic", 0.1), ("generic", 0.3), ("generic", 0.6), ("near identity", 0.02))  # kind, deviation
ENDS = ("best", "trap", "elsewhere")


class Setting(NamedTuple):
    """A task of the grid."""

    d: int  #: features
    M: int  #: examples
    decay: float  #: power with which the features' variances fall
    norm: float  #: length of the prior mean


GRID = tuple(Setting(*one) for one in product((2, 4, 8), (4, 16, 64), (0.0, 1.0, 2.0), (0.5, 2.0, 8.0)))


def task_of(setting: Setting) -> lb.Task:
    """The task of a setting, with noise 1."""
    return lb.power_task(setting.d, setting.M, 1.0, setting.norm, setting.decay)


def place_of(task: lb.Task, risk: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where risks lie: 0 at that of the best step, 1 in the trap."""
    least = theory.best_risk(task)
    return (risk - least) / (theory.trap_risk(task) - least)


def ends_of_starts(setting: Setting, seeds: Sequence[int], steps: int = STEPS) -> dict[str, list[int]]:
    """Train from every kind of start of `STARTS`, all runs at once, and count where they end.

    Args:
        setting: the task.
        seeds: R seeds, the same for every kind of start.
        steps: of Adam.

    Returns:
        end -> number of runs of each of `STARTS`: "best" and "trap" if the risk is nearer to that of the best step, or
        of the trap, than 2 % of their distance; otherwise "elsewhere".
    """
    task = task_of(setting)
    problem = PopulationBlock(task)
    begun = [
        lb.LinearBlock(task, start=kind, scale=scale).init(len(seeds), generators(list(seeds), 2))
        for kind, scale in STARTS
    ]
    start = lb.Weights(*(np.concatenate(field) for field in zip(*begun, strict=True)))
    params = train(problem, start, fall(0.02, steps), steps, record_at=[0, steps]).params
    place = place_of(task, problem.loss_and_gradient(params)[0])
    best, trap = np.abs(place) < CLOSE, np.abs(place - 1) < CLOSE
    found = (best, trap, ~best & ~trap)
    counts = [where.reshape(len(STARTS), -1).sum(axis=1).tolist() for where in found]
    return dict(zip(ENDS, counts, strict=True))


def recorded_starts(path: str | Path = RECORD) -> dict[Setting, dict[str, Any]]:
    """Counts of the record, as `ends_of_starts` gives them, by setting.

    Raises:
        InputError: if there is no record, or it lacks a setting.
    """
    rows = recorded_rows(path, "the recorded starts", COMMAND, [one._asdict() for one in GRID])
    return {Setting(*key): row["ends"] for key, row in rows.items()}
