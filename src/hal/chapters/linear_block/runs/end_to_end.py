"""How many prompts training needs, one task each: the block by its gradients, next to the pair of start and step.

Chapter `linear_block`. Source: the first open question of arXiv 2402.14951, Section 7; the measurement is ours. Equal
variances, noise 0.5, a prior mean of norm 2. The six matrices of the block start at random and go down the mean squared
error on n prompts by 4000 steps of Adam whose rate falls from 0.02 along a cosine; start and step are the least squares
fit to the same prompts.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.linear_block.runs.on_n_prompts import FixedPrompts, moments_of, predicted_block_excess, wide_start
from hal.chapters.linear_block.runs.tasks_needed import excess_of_fitted_step, predicted_excess
from hal.chapters.linear_block.runs.training import fall
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib.models import linear_block as lb
from lib.sampling import generators
from lib.theory import linear_block as theory
from lib.train import train

__all__ = [
    "GRID",
    "SEEDS",
    "SWEPT",
    "WAYS",
    "Setting",
    "along",
    "cell",
    "excesses",
    "exponent",
    "needed",
    "recorded_needs",
]

COMMAND = "python -m hal.chapters.records linear_block end_to_end"
RECORD = path_of("linear_block", "end_to_end")
STEPS, RATE = 4000, 0.02
SEEDS = range(6100, 6116)
TIMES = (2, 4, 8, 16, 32, 64, 128)  # prompts over d^2 + d, the numbers in start and step
SHARE = 0.1  # of the best risk: an excess that is small enough
CAUGHT = 0.5  # of what the best step gains on the prior mean: a run that has not learned to read its examples
WAYS = ("step", "block")
Array = NDArray[np.float64]


class Setting(NamedTuple):
    """A task and a block."""

    d: int  #: features
    M: int  #: examples in a prompt
    width: int  #: rows of each of the six matrices; d + 1 makes them square


STANDARD = Setting(4, 20, 5)
SWEPT = {
    "d": tuple(Setting(d, 20, d + 1) for d in (2, 3, 4, 6, 8)),
    "M": tuple(Setting(4, M, 5) for M in (5, 10, 20, 40, 80)),
    "width": tuple(Setting(4, 20, width) for width in (3, 4, 5, 10, 20)),
}
GRID = tuple(sorted({one for row in SWEPT.values() for one in row}))


def task_of(setting: Setting) -> lb.Task:
    """The task of a setting."""
    return lb.power_task(setting.d, setting.M, 0.5, 2.0)


def counts_of(setting: Setting) -> list[int]:
    """How many prompts are tried."""
    return [times * (setting.d**2 + setting.d) for times in TIMES]


def excesses(
    setting: Setting, counts: Sequence[int], seeds: Sequence[int], steps: int = STEPS, repeat: int = 1
) -> Array:
    """Risk above the best one of blocks trained on so many prompts, infinite of a run that diverged.

    Args:
        setting: the task and the block.
        counts: numbers of prompts, C of them.
        seeds: R of prompts and starts; the same prompts as `excess_of_fitted_step` has.
        steps: of Adam.
        repeat: how often each prompt stands among them.

    Returns:
        (C, R).
    """
    task, each = task_of(setting), [(n, seed) for n in counts for seed in seeds]
    sets = [task.sample(n // repeat, generators([seed], 2)) for n, seed in each]
    start = wide_start(setting.d, setting.width, generators([seed for _, seed in each], 1))
    run = train(FixedPrompts(moments_of(sets)), start, fall(RATE, steps), steps, record_at=[0, steps])
    risk = theory.block_risk(task, theory.Effective(*lb.effective_of(run.params)))
    above = np.where(run.diverged_at >= 0, np.inf, risk - theory.best_risk(task))
    return np.nan_to_num(above, nan=np.inf).reshape(len(counts), len(seeds))


def cell(setting: Setting, seeds: Sequence[int] = SEEDS) -> dict[str, Any]:
    """A setting on all numbers of prompts.

    Returns:
        counts, (C,); step and block, the excess of every run, (C, R), None of one that diverged; lost, how many did;
        predicted, of step and block, the excess times n to first order.
    """
    task, counts = task_of(setting), counts_of(setting)
    step = [[_short(excess_of_fitted_step(task, n, seed)) for seed in seeds] for n in counts]
    block = excesses(setting, counts, seeds)
    told = [predicted_excess(task, 1, 0), predicted_block_excess(task, 1, 0)]
    kept = [[_short(one) if np.isfinite(one) else None for one in row] for row in block]
    return {
        "counts": counts, "step": step, "block": kept, "lost": int(np.isinf(block).sum()),
        "predicted": [_short(one) for one in told],
    }  # fmt: skip


def _short(x: float) -> float:
    return float(f"{x:.4g}")


def recorded_needs(path: str | Path = RECORD) -> dict[Setting, dict[str, Any]]:
    """The record: what `cell` returned, by setting.

    Raises:
        InputError: if there is no record, or it lacks a setting.
    """
    rows = recorded_rows(path, "the recorded needs", COMMAND, [one._asdict() for one in GRID])
    return {Setting(*key): row for key, row in rows.items()}


def needed(setting: Setting, row: Mapping[str, Any], way: str, share: float = SHARE, draws: int = 400) -> Array:
    """Prompts with which the median run comes within `share` of the best risk, (1 + draws,).

    The first is of all seeds, the others of resampled ones (bootstrap): between two numbers of prompts on a line of the
    logarithms, from the last one that is not enough; infinite where none is enough, and the smallest one where all are.
    """
    level, n = share * theory.best_risk(task_of(setting)), np.log(row["counts"])
    above = np.array([[np.inf if one is None else one for one in each] for each in row[way]])  # (C, R)
    count = above.shape[1]
    drawn = np.random.default_rng(0).integers(count, size=(draws, count))
    middle = np.median(above[:, np.concatenate([np.arange(count)[None], drawn])], axis=2)  # (C, 1 + draws)
    found = np.empty(1 + draws)
    for b, column in enumerate(middle.T):
        over = np.flatnonzero(column > level)
        j = over[-1] if over.size else -1
        if j < 0 or j == len(n) - 1:
            found[b] = np.exp(n[0]) if j < 0 else np.inf
            continue
        high, low = np.log([min(column[j], 1e6), column[j + 1]]) - np.log(level)
        found[b] = np.exp(n[j] + (n[j + 1] - n[j]) * high / (high - low))
    return found


def along(axis: str, way: str, record: Mapping[Setting, Mapping[str, Any]]) -> tuple[list[int], Array]:
    """The sizes of an axis of `SWEPT`, and what each needs, (sizes, 1 + draws)."""
    settings = SWEPT[axis]
    return [getattr(one, axis) for one in settings], np.stack([needed(one, record[one], way) for one in settings])


def exponent(sizes: Sequence[float], need: Array) -> tuple[float, float, float]:
    """Slope of log need (sizes, draws) against the logarithm of the sizes: of the seeds, and its 95% interval."""
    there = np.isfinite(need).all(axis=0)
    slopes = np.polyfit(np.log(sizes), np.log(need[:, there]), 1)[0]
    low, high = np.quantile(slopes[1:], [0.025, 0.975]).tolist()
    return float(slopes[0]), low, high
