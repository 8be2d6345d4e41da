"""How large a soft threshold: distances at the end of Stage 2 over two decades of it, at several contexts and batches.

Chapter `scb`. Source: arXiv 2410.23438, Section 3.3, which asks for a suitable threshold; the measurement is ours.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scb.runs.algorithm import learn
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib.models import scb
from lib.theory import scb as theory
from lib.theory.scb.portable import attention_signal, drift_number, switch_step
from lib.theory.scb.portable_prox import cancelling

COMMAND = "python -m hal.chapters.records scb threshold"
RECORD = path_of("scb", "threshold")
SEEDS, LR, AFTER = range(9000, 9016), 0.02, 400  # AFTER: steps of Stage 2
LEVELS = tuple(0.004 * 2 ** (i / 2) for i in range(17))  # the threshold over the base step, 0.004 to 1.024
STANDARD = {"T": 256, "B": 64}
SWEPT = {"T": [64, 128, 256, 512, 1024], "B": [16, 32, 64, 128]}
GRID = [
    *({**STANDARD, "T": T} for T in SWEPT["T"][:-1]),
    *({**STANDARD, "B": B} for B in SWEPT["B"] if STANDARD["B"] != B),
    {**STANDARD, "T": 1024},
]


def begin(T: int, lr: float = LR) -> int:
    """The step at which the threshold comes on: 1.2 times that at which theory has the signal at 0.2."""
    return switch_step(1.2, lr, drift_number(attention_signal(scb.even_weights(2).tolist(), T), float(T)))


def ends(
    T: int, B: int, levels: Sequence[float], seeds: Sequence[int], lr: float = LR, model: Any = None
) -> dict[str, NDArray]:
    """Stage 1 once, and from there Stage 2 with every threshold, on the standard task with N = 4, Q = 2.

    Args:
        T, B: context and batch.
        levels: L thresholds over the base step.
        seeds: R seeds of the samples.
        lr: base step.
        model: what is trained; default the linear transformer on tokens.

    Returns:
        "V" and "A", distances to P and to Q at the end, mirrored runs upright; "support", whether attention is largest
        at the true positions; "lost", whether the run diverged; each (L, R).

    Raises:
        InputError: if a size or a threshold is out of range.
    """
    task, shape = scb.ring_task(T, rng=0), (len(levels), len(seeds))
    n = begin(T, lr)
    first = learn(task, seeds, lr=lr, batch=B, steps=n, keep_mean=True, record={}, record_at=[0, n], model=model).params
    start = scb.Params(*(np.tile(x, (len(levels), 1, 1)) for x in first))
    later = [1_000_000 + seed for seed in seeds] * len(levels)  # the same samples for every threshold
    shrink = np.repeat(np.array(levels) * lr, len(seeds))
    run = learn(task, later, lr=lr, batch=B, steps=AFTER, switch=0, threshold=shrink, keep_mean=True, record={},
                record_at=[0, AFTER], start=start, model=model)  # fmt: skip
    found = scb.unmirror(run.params, task)
    told = {"V": scb.distance_V(found, task), "A": scb.distance_A(found, task),
            "support": scb.support_recovered(found, task), "lost": run.diverged_at >= 0}  # fmt: skip
    return {name: x.reshape(shape) for name, x in told.items()}


def cell(T: int, B: int, seeds: Sequence[int] = SEEDS) -> dict[str, Any]:
    """`ends` at threshold 0 and at all `LEVELS`, a few at a time: name -> (1 + 17) rows with a value for each seed."""
    levels = (0.0, *LEVELS)
    parts = [ends(T, B, levels[i : i + 6], seeds) for i in range(0, len(levels), 6)]
    whole = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return {name: (x.astype(int) if x.dtype == bool else x.round(4)).tolist() for name, x in whole.items()}


def recorded_thresholds(path: Path | str = RECORD) -> dict[tuple, dict[str, Any]]:
    """The record: (T, B) -> what `cell` returned.

    Raises:
        InputError: if there is no record, or it lacks a row.
    """
    return recorded_rows(path, "the recorded thresholds", COMMAND, GRID)


def errors(kept: Mapping[str, Any], which: str, draws: int = 400, seed: int = 0, skip: int = 1) -> NDArray[np.float64]:
    """Root mean square over the seeds of a distance, (levels, 1 + draws), then of resampled seeds (bootstrap).

    Args:
        kept: a row of the record, or what `ends` returned.
        which: "V" or "A".
        draws, seed: of the bootstrap.
        skip: rows to leave out, of the record that of threshold 0.
    """
    square = np.square(np.array(kept[which], float)[skip:])
    square = np.where(np.array(kept["lost"], bool)[skip:], np.inf, square)
    drawn = np.random.default_rng(seed).integers(square.shape[1], size=(draws, square.shape[1]))
    return np.sqrt(np.concatenate([square.mean(axis=1)[:, None], square[:, drawn].mean(axis=2)], axis=1))


def best(error: NDArray[np.float64], levels: Sequence[float] = LEVELS) -> NDArray[np.float64]:
    """Of errors (levels, draws) at levels that grow by a constant factor: the best threshold over the base step, and
    the ends of the window around it in which the error is at most twice the best; (3, draws). The best is the vertex of
    a parabola through three logarithms; an end that lies outside of the levels is NaN.
    """
    x, found = np.log(levels), np.full((3, error.shape[1]), np.nan)
    for b, column in enumerate(np.log(error).T):
        i = int(column.argmin())
        j = min(max(i, 1), len(x) - 2)
        bend = column[j + 1] - 2 * column[j] + column[j - 1]
        shift = (column[j - 1] - column[j + 1]) / (2 * bend) if j == i and bend > 0 else float(i - j)
        found[0, b] = np.exp(x[j] + np.clip(shift, -1, 1) * (x[1] - x[0]))
        over = column - column[i] - np.log(2)
        below, above = np.flatnonzero(over[:i] > 0), i + np.flatnonzero(over[i:] > 0)
        if below.size:
            k = below[-1]
            found[1, b] = np.exp(np.interp(0, [over[k + 1], over[k]], [x[k + 1], x[k]]))
        if above.size:
            k = above[0]
            found[2, b] = np.exp(np.interp(0, [over[k - 1], over[k]], [x[k - 1], x[k]]))
    return found


def noise_level(T: int, B: int) -> float:
    """What one step adds to a useless entry of the finished attention at random, over the base step: its deviation."""
    task = scb.ring_task(T, rng=0)
    variance = theory.attention_coordinate_variance(task.P, task.Q, task.mu, task.P, task.Q, B)
    return float(np.sqrt(variance.mean()) / task.K_P)


def balanced(T: int, B: int, lr: float = LR) -> float:
    """The threshold over the base step at which noise and threshold cancel along the valley; see `cancelling`."""
    return cancelling(float(T), noise_level(T, B), lr)
