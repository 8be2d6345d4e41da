"""Claims SCB-24 and SCB-25: one attention step from a related task, and the short cut it opens.

Chapter `scb`. Source: arXiv 2410.23438, Section 4 and Theorem 4.1; the batch law is beyond the paper.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from lib.chapters.scb.runs.transfer import found_share, half_batch, short_cut, transferred_V
from lib.claims.base import Claim, Part, Result, result
from lib.models import scb
from lib.theory import scb as theory

_RHOS = (0.25, 0.5, 1.0)
_BATCHES = tuple(round(2 ** float(p)) for p in np.arange(6.5, 13.1, 0.5))


@lru_cache(maxsize=8)
def _half(T: int, starts: tuple[tuple[float, float], ...], batches: tuple[int, ...], seeds: range) -> list[float]:
    """Batch with which one step finds the support in half of the seeds, for each (rho, theta)."""
    task = scb.ring_task(T, rng=0)
    V = [transferred_V(task, rho, theta, seed=1) for rho, theta in starts]
    return [half_batch(batches, share) for share in found_share(task, V, batches, seeds)]


def _law(rho: float, T: int) -> float:
    task = scb.ring_task(T, rng=0)
    s2 = theory.constants(task.mu, task.P, task.Q).s2
    return float(theory.one_step_batch(rho, s2, T, task.mu.min(), task.Q[task.Q > 0].min()))


def _check_24(weaken: bool = False) -> Result:
    seeds = range(40)
    # Either the old task is less and less like the new one, or equally like it and less and less of it is taken.
    starts = tuple((0.5, rho) if weaken else (rho, 1.0) for rho in _RHOS)
    short = _half(512, starts, _BATCHES[:11] if weaken else _BATCHES, seeds)
    (long,) = _half(4096, ((0.5, 1.0),), _BATCHES[3:11], range(24))
    slope = np.polyfit(np.log(_RHOS), np.log(short), 1)[0]
    return result(
        Part("slope of log batch for 50 % success in log rho, T = 512", slope, -2.0, 0.3, drift=0.05),
        Part(
            "that batch at T = 4096 over T = 512, rho 0.5",
            long / short[1],
            _law(0.5, 4096) / _law(0.5, 512),
            0.4,
            drift=0.05,
        ),
        Part("that batch at T = 512, rho 0.5, over the law's", short[1] / _law(0.5, 512), 1.0, 0.4, drift=0.05),
        seeds=seeds,
    )


def _check_25(rho: float = 0.5) -> Result:
    theta, seeds = 0.5, range(6)
    task = scb.ring_task(2048, rng=0)
    start, run = short_cut(task, rho, theta, seeds)
    off = np.abs(scb.alpha_V(start, task) - theta * rho).max()
    return result(
        Part("alpha_V at the start, difference from theta rho", off, 1e-12, kind="rounding"),
        Part("median |V - P| after 10496 samples", np.median(scb.distance_V(run.params, task)), 0.08, 0, "at most"),
        Part("median |A - Q| after 10496 samples", np.median(scb.distance_A(run.params, task)), 0.15, 0, "at most"),
        seeds=seeds,
    )


CLAIMS = [
    Claim(
        "SCB-24",
        "scb",
        "Section 4 and Theorem 4.1; the law in rho beyond the paper",
        "Started from a related task, one attention step finds the useful positions once the batch exceeds a size that "
        "grows like 1 over the squared correlation and hardly with T.",
        _check_24,
        lambda: _check_24(weaken=True),
        "the correlation stays at 0.5 and less of the old model is taken: that costs nothing",
    ),
    Claim(
        "SCB-25",
        "scb",
        "Section 4 and Theorem 4.1; the short cut beyond the paper",
        "Half of a model of correlation one half is enough: one attention step, rounding, and training V alone reach P "
        "and Q at T = 2048 with ten thousand samples, without Stage 1 and Stage 2.",
        _check_25,
        lambda: _check_25(rho=0.0),
        "the old task has nothing to do with the new one",
    ),
]
