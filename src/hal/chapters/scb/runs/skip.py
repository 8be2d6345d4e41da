"""How much correlation skips Stage 1: one attention step from an old task, against training from scratch.

Chapter `scb`. Source: arXiv 2410.23438, Section 4 and Theorem 4.1; the measurement is ours. From scratch is what
`samples` recorded of gradient descent.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scb.runs.samples import fewest, goal_samples, recorded_samples
from hal.chapters.scb.runs.transfer import first_step, transferred_V
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib.models import scb

COMMAND = "python -m hal.chapters.records scb skip"
RECORD = path_of("scb", "skip")
SEEDS, THETA = range(7000, 7016), 0.5
CORRELATIONS = (0.1, 0.14, 0.2, 0.28, 0.4, 0.57, 0.8, 1.0)
BATCHES = np.unique(np.round(np.geomspace(16, 16384, 60)).astype(int)).tolist()
LENGTHS, TOKENS = (32, 64, 128, 256, 512, 1024), (3, 4, 6, 8)  # with two tokens all transitions are alike
CROSS = (*((T, 4) for T in LENGTHS), *((128, N) for N in TOKENS if N != 4))  # first; then the rest of the map
MAPPED = LENGTHS[:-1]  # what the longest takes from scratch is dear
MAP = (*CROSS, *((T, N) for T in MAPPED for N in TOKENS if (T, N) not in CROSS))
GRID = [{"T": T, "N": N, "rho": rho} for T, N in MAP for rho in CORRELATIONS]


def step_samples(T: int, N: int, rho: float, seeds: Sequence[int], transposed: bool = False) -> NDArray[np.int64]:
    """Samples of one attention step that finds the two true positions, equal in weight, of every last token.

    Args:
        T, N: context and vocabulary.
        rho: correlation of the old transition with the new one; each run has an old task of its own.
        seeds: R seeds of old tasks and samples.
        transposed: whether the old model is read the wrong way round, rows for columns.

    Returns:
        (R,); 0 where 16,384 samples do not find them.

    Raises:
        InputError: if rho is no correlation or a size is out of range.
    """
    task = scb.ring_task(T, N, weights=scb.even_weights(2), rng=0)
    V = np.stack([transferred_V(task, rho, THETA, seed) for seed in seeds])
    V = V.swapaxes(-1, -2).copy() if transposed else V
    scores = first_step(task, V, BATCHES, seeds)
    found = np.stack([scb.support_recovered(scb.Params(V, score + 1 / T), task) for score in scores])  # (M, R)
    return np.where(found.any(axis=0), np.array(BATCHES)[found.argmax(axis=0)], 0)


def cell(T: int, N: int, rho: float) -> dict[str, Any]:
    """Samples of each seed at one setting."""
    return {"samples": step_samples(T, N, rho, SEEDS).tolist()}


def recorded_steps(path: Path | str = RECORD) -> dict[tuple, dict[str, Any]]:
    """The record: (T, N, rho) -> what `cell` returned.

    Raises:
        InputError: if there is no record, or it lacks a row.
    """
    return recorded_rows(path, "the recorded steps", COMMAND, GRID)


def worth(T: int, N: int, draws: int = 400) -> NDArray[np.float64]:
    """(correlations, 1 + draws) samples of one step over those from scratch, three of four runs each, bootstrapped."""
    steps, scratch = recorded_steps(), recorded_samples()[T, N, 2, "gradient descent", "linear"]
    step = [fewest([[0, 0, steps[T, N, rho]["samples"]]], False, draws, 1) for rho in CORRELATIONS]
    return np.stack(step) / goal_samples(scratch, "where, true sign", draws)


def least_correlation(ratio: NDArray) -> NDArray[np.float64]:
    """Correlation (draws,) at which `ratio` (correlations, draws) falls below one; infinite if not even a correlation
    of 1 saves samples, 0 if all do.
    """
    x, found = np.log(CORRELATIONS), np.where(ratio[-1] > 1, np.inf, 0.0)
    for b, column in enumerate(ratio.T):
        over = np.flatnonzero(column > 1)
        j = over[-1] if over.size else -1
        if 0 <= j < len(column) - 1:
            y = np.log(np.minimum(column[j : j + 2], 1e3))
            found[b] = np.exp(x[j] + (x[j + 1] - x[j]) * y[0] / (y[0] - y[1]))
    return found


def border_powers(draws: int = 400) -> NDArray[np.float64]:
    """Powers of T and of N of the smallest correlation that saves samples, (2, 1 + draws), fitted to the whole map."""
    found = {(T, N): least_correlation(worth(T, N, draws)) for T in MAPPED for N in TOKENS}
    x = np.array([[1.0, np.log(T), np.log(N)] for T, N in found])
    fits = []
    for column in np.log(np.stack(list(found.values()))).T:  # of those that save samples at some correlation
        there = np.isfinite(column)
        fits.append(np.linalg.lstsq(x[there], column[there], rcond=None)[0][1:])
    return np.stack(fits, axis=1)
