"""Entropy of attention at the snap, over two decades of the ratio of learning rates, and at three and ten times it.

Chapter `scan_snap`, beyond the paper (arXiv 2305.16380, Theorem 4 and Section 8). The snap is t_0 of the clock.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.dynamics import flow
from hal.chapters.scan_snap.runs.learning import learn, rates
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib import optim
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory

COMMAND = "python -m hal.chapters.records scan_snap at_snap"
RECORD = path_of("scan_snap", "at_snap")
SEEDS, TIMES, DECODERS = range(8000, 8016), (1, 3, 10), (0.2, 0.8)  # seeds; times in units of t_0; rates eta_Y
RATIOS = (0.1, 0.18, 0.32, 0.56, 1.0, 1.8, 3.2, 5.6, 10.0)
GRID = [{"lr_Y": lr_Y, "ratio": ratio} for lr_Y in DECODERS for ratio in RATIOS]


def snap_step(lr_Y: float, task: ss.Task) -> int:
    """The step of t_0 at a decoder's learning rate."""
    return round(float(theory.transition_times(task.K, task.M, lr_Y)[1]))


def entropies(
    lr_Y: float, ratios: Sequence[float], seeds: Sequence[int], at: Sequence[int]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Plain gradient descent from zero on Syn-Small, batch 128, 127 contextual tokens.

    Args:
        lr_Y: learning rate of the decoder; attention's is it over the ratio.
        ratios: of the learning rates.
        seeds: R seeds; all ratios of a seed see the same samples.
        at: steps at which attention is read.

    Returns:
        (ratios, R, steps) entropy on distinct tokens, nats; (ratios, R) whether a run diverged.

    Raises:
        InputError: if a rate or step is out of range.
    """
    task, each = ss.base_task(L=127), np.repeat(np.asarray(ratios, float), len(seeds))
    rule = rates(lr_Y, lr_Y / each, optim.sgd)
    run = learn(task, list(seeds) * len(ratios), rule, steps=max(at), record_at=[0, *at])
    shape = (len(ratios), len(seeds))
    return run["entropy"][:, 1:].reshape(*shape, -1), (run.diverged_at >= 0).reshape(shape)


def cell(lr_Y: float, ratio: float) -> dict[str, Any]:
    """Entropies (times, seeds) at one setting, and how many runs diverged."""
    unit = snap_step(lr_Y, ss.base_task())
    found, lost = entropies(lr_Y, [ratio], SEEDS, [time * unit for time in TIMES])
    return {"entropy": np.round(found[0].T, 4).tolist(), "lost": int(lost.sum())}


def recorded_entropies(path: Path | str = RECORD) -> tuple[NDArray[np.float64], int]:
    """Entropies (decoders, ratios, times, seeds) of the record, and its diverged runs.

    Raises:
        InputError: if there is no record, or it lacks a row.
    """
    found = recorded_rows(path, "the recorded entropies", COMMAND, GRID)
    rows = [[found[lr_Y, ratio] for ratio in RATIOS] for lr_Y in DECODERS]
    return np.array([[row["entropy"] for row in one] for one in rows]), sum(row["lost"] for one in rows for row in one)


def flow_entropies(ratios: Sequence[float], times: Sequence[float] = TIMES) -> NDArray[np.float64]:
    """The same in the joint flow of infinitely long sequences, (ratios, times)."""
    task = ss.base_task(L=None)
    unit = float(theory.transition_times(task.K, task.M, 1.0)[1])
    paths = [flow(task, 1.0, 1.0 / ratio, [unit * time for time in times]).params for ratio in ratios]
    return np.stack([ss.entropy(path, task) for path in paths])
