"""What several claims share: flows of a block of seeds, theory's flow beside them, gradients of many small batches."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.one_nn.models import crowded
from hal.chapters.one_nn.runs import reduced_flow
from hal.claims import seed_block
from lib.models import one_nn as model
from lib.sampling import generators
from lib.theory import one_nn as theory
from lib.train import Flow

Array = NDArray[np.float64]

#: settings (d, N) of the claims on long runs
LONG = ((4, 8), (8, 16), (16, 32))
TIMES = np.geomspace(1, 1e8, 65)


@lru_cache(maxsize=160)
def flows(d: int, N: int, sigma: float = 3.0, block: int = 0) -> Flow:
    """The model's flow on weighted rows, times `TIMES`."""
    return reduced_flow(d, N, TIMES, sigma, seed=seed_block(block, 1)[0])


@lru_cache(maxsize=32)
def exact_flow(times: tuple[float, ...], d: int, N: int, sigma: float = 3.0) -> theory.ReducedPath:
    """Theory's flow; the same for all blocks of seeds."""
    return theory.flow(times, d, N, sigma)


def predicted(d: int, N: int, sigma: float = 3.0) -> theory.ReducedPath:
    """Theory's flow at every eighth of `TIMES`, one a decade."""
    return exact_flow(tuple(TIMES[::8]), d, N, sigma)


class Entries(NamedTuple):
    """Mean of a matrix over many batches, and its standard error, entry by entry."""

    mean: Array
    error: Array


def mean_gradient(
    task: model.Task, xi1: float, xi2: float, seeds: range, batch: int, squeeze: float = 1.0
) -> tuple[Entries, Entries]:
    """Dense gradient at a point of the family over len(seeds) batches, and what it has beside the family.

    Args:
        task: what is drawn.
        xi1: of the point.
        xi2: of the point.
        seeds: one a batch.
        batch: prompts in each.
        squeeze: factor of every point's first coordinate before its length is made 1 again; not 1: points crowd.
    """
    prompts = model.sample_prompts(task, batch, generators(seeds))
    if squeeze != 1.0:
        prompts = prompts._replace(x=crowded(prompts.x, squeeze), query=crowded(prompts.query, squeeze))
    many = np.ones(len(seeds))
    point = model.as_matrix(model.Pair(xi1 * many, xi2 * many), task.d)
    _, gradient = model.loss_and_gradient(point, prompts)
    beside = gradient.W - model.as_matrix(model.as_pair(gradient), task.d).W
    return _entries(gradient.W), _entries(beside)


def largest_z(entries: Entries) -> float:
    """Largest mean in units of its standard error, over the entries that vary at all."""
    varies = entries.error > 0
    return float(np.abs(entries.mean[varies] / entries.error[varies]).max())


def slope_of_logs(x: Array, y: Array) -> float:
    """Slope of the line fitted to log y over log x."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def _entries(batches: Array) -> Entries:
    return Entries(batches.mean(axis=0), batches.std(axis=0, ddof=1) / np.sqrt(len(batches)))
