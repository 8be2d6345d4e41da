"""Transfer measured: one attention step of a large batch, and the short cut that needs no Stage 1 or 2.

Chapter `scb`. Source: arXiv 2410.23438, Section 4 and Theorem 4.1; the batch law and the short cut are ours. Batches
are in samples, R seeds each draw their own; what is out of range is refused (`InputError`).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scb import models
from hal.chapters.scb.runs.algorithm import finish
from lib.errors import require
from lib.models import scb
from lib.sampling import generators
from lib.train import Trajectory

_CHUNK = 1024  # samples drawn at a time


def first_step(task: scb.Task, V: NDArray, batches: Sequence[int], seeds: Sequence[int]) -> NDArray[np.float64]:
    """Attention scores after one step from uniform attention, for growing batches of the same samples.

    V is (N, N) or (R, N, N), there are M increasing batches and R seeds. The scores (M, R, N, T) are minus the
    preconditioned, projected gradient in A: positive means look here.
    """
    sizes = np.diff(np.r_[0, np.asarray(batches)])
    require(np.all(sizes > 0), "batches", "increasing batch sizes of at least 1", list(batches))
    rngs = generators(seeds, 4)
    params = scb.Params(
        np.broadcast_to(V, (len(seeds), task.N, task.N)).copy(), np.full((len(seeds), task.N, task.T), 1 / task.T)
    )
    total = np.zeros_like(params.A)
    out = []
    for size, batch in zip(sizes, batches, strict=True):
        for done in range(0, size, _CHUNK):
            part = min(_CHUNK, size - done)
            _, gradient = scb.loss_and_gradient(params, scb.sample(task, part, rngs))
            total += part * gradient.A
        score = -total / batch / task.mu[:, None]
        out.append(score - score.mean(axis=-1, keepdims=True))
    return np.stack(out)


def transferred_V(task: scb.Task, rho: float, theta: float, seed: int = 0) -> NDArray[np.float64]:
    """(N, N) start mu 1^T + theta R_hat, where R_hat is as strong as R and has correlation rho with it.

    The seed is that of the part of R_hat that is orthogonal to R.
    """
    return task.mu[:, None] + theta * models.correlated_signal(task, rho, generators([seed], 2)[0])


def found_share(
    task: scb.Task, starts: Sequence[NDArray], batches: Sequence[int], seeds: Sequence[int]
) -> NDArray[np.float64]:
    """Shares (S, M) of seeds in which one attention step ranks exactly the support of Q first, by start and batch.

    The starts are S output layers (N, N), the batches M increasing sizes, in samples; every start uses all seeds, with
    samples of its own.
    """
    V = np.repeat(np.stack(starts), len(seeds), axis=0)
    most = max(seeds) + 1
    own = [most * s + seed for s in range(len(starts)) for seed in seeds]
    scores = first_step(task, V, batches, own)  # (M, S * seeds, N, T)
    found = np.stack([models.support_recovered(scb.Params(V, s + 1 / task.T), task) for s in scores])
    return found.reshape(len(batches), len(starts), len(seeds)).mean(axis=-1).T


def half_batch(batches: Sequence[int], share: NDArray) -> float:
    """Batch at which the share (M,) first passes one half, interpolated in log batch; NaN if it does not."""
    above = np.flatnonzero(share >= 0.5)
    if above.size == 0 or above[0] == 0:
        return float("nan")
    j = int(above[0])
    return float(np.exp(np.interp(0.5, share[j - 1 : j + 1], np.log(np.asarray(batches[j - 1 : j + 1], float)))))


def short_cut(
    task: scb.Task,
    rho: float,
    theta: float,
    seeds: Sequence[int],
    *,
    batch: int = 4096,
    lr: float = 0.06,
    keep: float = 0.4,
    finish_batch: int = 64,
    finish_steps: int = 100,
) -> tuple[scb.Params, Trajectory]:
    """One large-batch attention step, rounding, then V alone: no Stage 1, no Stage 2.

    The start is `transferred_V`, the one step has `batch` samples, entries below `keep` times the row's largest become
    0, and V trains with `lr`, `finish_batch` and `finish_steps`. Returns the start and the training of V, R runs.
    """
    V = np.stack([transferred_V(task, rho, theta, seed) for seed in seeds])
    start = scb.Params(V, np.full((len(seeds), task.N, task.T), 1 / task.T))
    score = first_step(task, V, [batch], seeds)[0]
    chosen = scb.Params(V, models.round_attention(score, keep))
    return start, finish(task, chosen, seeds, lr=lr, batch=finish_batch, steps=finish_steps, keep=keep)
