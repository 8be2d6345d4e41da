"""Claims SCB-24 and SCB-25: one attention step from a related task, and the short cut it opens.

Chapter `scb`. Source: arXiv 2410.23438, Section 4 and Theorem 4.1; the batch law is beyond the paper.
"""

import numpy as np

from hal.chapters.scb import theory as beyond
from hal.chapters.scb.runs.transfer import found_share, half_batch, short_cut, transferred_V
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import scb
from lib.theory import scb as theory

_SETTINGS = ((128, 1.0), (128, 0.5), (128, 0.25), (1024, 0.5))  # T, correlation


@claim(
    "SCB-24",
    where=r"Section 4 and Theorem 4.1; the formula in $\rho$ beyond the paper",
    says="Started from a related task, one attention step finds the useful positions once the batch exceeds a size "
    r"that grows like $1/\rho^2$ in the correlation $\rho$ and hardly with $T$. Gaussian noise predicts it.",
    control={"transposed": True},
    breaks="the old model is read the wrong way round, rows for columns",
)
def _check_24(transposed: bool = False, block: int = 0) -> Result:
    """`transposed`: whether the start holds the transpose of the old transition."""
    seeds, parts = seed_block(block, 64), []
    for T, rho in _SETTINGS:
        task = scb.ring_task(T, rng=0)
        V = transferred_V(task, rho, 1.0, seed=1)
        half = beyond.half_batch(V, task.mu, task.P, task.Q)
        batches = [round(half * factor) for factor in (0.6, 1.0, 1.6)]
        share = found_share(task, [V.T if transposed else V], batches, seeds)[0]
        name = f"batch with which one half of the tries find the support, T = {T}, rho {rho:g}"
        parts.append(Part(name, half_batch(batches, share), half, 0.3, "relative", 0.05 * half))
        parts.append(Part(f"rule of thumb over that batch, T = {T}, rho {rho:g}", _rule(T, rho) / half, 1.0, 0.05))
    return result(*parts, seeds=seeds)


def _rule(T: int, rho: float) -> float:
    task = scb.ring_task(T, rng=0)
    s2 = theory.constants(task.mu, task.P, task.Q).s2
    return float(beyond.one_step_batch(rho, s2, T, task.mu.min(), task.Q[task.Q > 0].min()))


@claim(
    "SCB-25",
    where="Section 4 and Theorem 4.1; the short cut beyond the paper",
    says="Half of a model of correlation one half is enough: one attention step, rounding, and training $V$ alone "
    "reach $P$ and, but for a rare row that loses a position, $S$: at $T=1024$ with ten thousand samples, "
    "without Stages 1, 2.",
    control={"rho": 0.0},
    breaks="the old task has nothing to do with the new one",
)
def _check_25(rho: float = 0.5, block: int = 0) -> Result:
    """`rho`: correlation of the old transition with the new one."""
    theta, seeds = 0.5, seed_block(block, 20)
    task = scb.ring_task(1024, rng=0)
    _, run = short_cut(task, rho, theta, seeds)
    V = np.median(scb.distance_V(run.params, task))
    A = run.params.A
    kept = ((A > 0) == (task.Q > 0)).all(axis=-1)  # (R, N) rows whose support the step found
    return result(
        Part("median |V - P| after 10496 samples", V, 0.05, 0, "at most"),
        Part("share of rows of A with the support found", kept.mean(), 0.95, 0, "at least", 1 / kept.size),
        seeds=seeds,
    )
