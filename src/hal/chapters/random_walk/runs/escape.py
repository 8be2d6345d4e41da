"""How long a random start stays on the knife edge: ten decades of starts on four sizes, and starts below rounding.

Chapter `random_walk`. Source: ours; arXiv 2511.23239 has random initialisations of one size. The deterministic walk,
one from every node, tokens that are unit vectors, gradient descent at learning rate 10.
What is out of range, or is not there, raises InputError.
"""

import math
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.random_walk.runs.learning import trained
from hal.chapters.random_walk.theory.escape import escape_clock, escape_depth, escape_step
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib.models import random_walk as rw
from lib.sampling import generators
from lib.theory import random_walk as theory

__all__ = ["FLOOR", "GRID", "SEEDS", "SIGMAS", "SIZES", "Setting", "escapes", "recorded_escapes", "told"]

COMMAND = "python -m hal.chapters.records random_walk escape"
RECORD = path_of("random_walk", "escape")
M, RATE, EPSILON, RECORDS, LONGER = 1000, 10.0, 0.1, 400, 1.6
SEEDS = range(5100, 5124)
SIZES = ((4, 33), (8, 33), (6, 97), (8, 129))  # nodes of the circle and of the walk, K and N
SIGMAS = tuple(10.0**-k for k in range(1, 11))
TINY = (1e-12, 1e-14, 1e-16, 1e-18, 0.0)  # a number near 1 has digits to 1e-16
LEAST = 1e-18  # a start at zero is given the time of this one
DRAWN = 24  # walks, where sums are to be rounded: one from every node has equal terms, in any order

Array = NDArray[np.float64]


class Setting(NamedTuple):
    """A size and a start."""

    K: int  #: nodes on the circle
    N: int  #: nodes of a walk, rK + 1
    sigma: float  #: standard deviation of the entries of V and W at the start
    sums: str  #: "in order" over one walk from every node, or "rolled": over drawn walks, from another on at each place


SWEPT = tuple(Setting(K, N, sigma, "in order") for (K, N), sigma in product(SIZES, SIGMAS))
FLOOR = tuple(
    Setting(6, 97, sigma, sums) for sums, some in zip(rw.SUMS, (TINY, TINY[::2]), strict=True) for sigma in some
)
GRID = (*SWEPT, *FLOOR)


def told(setting: Setting) -> float:
    """The step at which theory says that attention moves; of a start at zero that of one of 1e-18."""
    K, N, sigma, _ = setting
    depth = escape_depth(K, N, max(sigma, LEAST))
    most = math.ceil(2 * depth**2 * (N - 1) / (2 * RATE)) + 100
    return float(escape_step(K, N, M, RATE, max(sigma, LEAST), most, EPSILON))


def escapes(setting: Setting, seeds: Sequence[int] = SEEDS, loss: str = "log") -> dict[str, Any]:
    """Train from every seed for 1.6 times as long as theory says, and 50 steps.

    Args:
        setting: size, start, and how sums are taken.
        seeds: R of them.
        loss: of the layer.

    Returns:
        moved, the step at which a place first has twice the even attention, (R,), and right, that at which all answers
        are first right, (R,), both to a 400th of the run, and None if that does not happen; lost, how many diverged
        before attention moved; steps, of the run.
    """
    K, N, sigma, sums = setting
    walk = rw.Walk(K, N, 1.0)
    walks = walk.population() if sums == "in order" else walk.sample(DRAWN, generators(seeds))
    steps = math.ceil(LONGER * told(setting)) + 50
    at = np.unique(np.round(np.linspace(0, steps, min(RECORDS, steps) + 1)).astype(int))
    model, unit = (
        rw.MinimalTransformer(K=K, N=N, M=M, loss=loss, unit_length=True, sums=sums, sigma=s) for s in (0, 1)
    )
    start = rw.Minimal(*(sigma * x for x in unit.init(len(seeds), generators(seeds, 2))))
    record = {
        "most": lambda p: model.attention(p, walks)[..., :-1].mean(axis=1).max(axis=-1) * (N - 1),
        "right": lambda p: rw.accuracy(model.output(p, walks), walks),
    }
    run = trained(model, walks, seeds, record, RATE, steps, at.tolist(), start)
    moved, right = (_first(run[name] >= least, at) for name, least in (("most", 2.0), ("right", 0.999)))
    gone = (run.diverged_at >= 0) & np.array([step is None for step in moved])
    return {"moved": moved, "right": right, "lost": int(gone.sum()), "steps": steps}


def _first(there: NDArray[np.bool_], at: NDArray[np.int64]) -> list[int | None]:
    return [int(at[row.argmax()]) if row.any() else None for row in there]


def recorded_escapes(path: str | Path = RECORD) -> dict[Setting, dict[str, Any]]:
    """The record: what `escapes` returned, by setting."""
    rows = recorded_rows(path, "the recorded escapes", COMMAND, [one._asdict() for one in GRID])
    return {Setting(*key): row for key, row in rows.items()}


def clocks(setting: Setting, steps: Sequence[float | None], what: str = "moved") -> Array:
    """What theory's clock shows at steps (R,) at which attention moved, or answers were "right"; NaN where it is None.

    For right answers the outputs of different nodes, which a start makes differ, must be passed: they fall like one
    over the output, so half its logarithm is added.
    """
    K, N, _, _ = setting
    at = np.array(steps, float)
    most = math.ceil(np.nanmax(at, initial=0.0)) + 1
    clock = np.array(escape_clock(K, N, M, RATE, most, EPSILON))
    if what == "right":
        clock = clock + np.log(theory.even_output(K, most, RATE, EPSILON) + EPSILON) / 2
    return np.where(np.isnan(at), np.nan, np.interp(np.nan_to_num(at), np.arange(most + 1), clock))
