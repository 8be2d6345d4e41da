"""Screening: find the support of Q by counting, without training. A yardstick for how hard Stage 1 has to be.

Chapter `scb`, beyond the paper. Source: Pearson's chi-squared test of independence, a table for each last token
and position.
"""

import numpy as np

from lib.errors import require
from lib.models.scb.model import Batch
from lib.models.scb.task import Array, Task


def chi_squared(batch: Batch, task: Task) -> Array:
    """Chi-squared statistic of (x_t, label) against mu mu^T, for each last token k and position t.

    Args:
        batch: R x B samples.
        task: one task; only its mu is used.

    Returns:
        (R, N, T) statistics; a row whose last token never occurs is zero.

    Raises:
        InputError: if the task has a run axis.
    """
    require(task.mu.ndim == 1, "task", "a single task without a run axis", f"mu of shape {task.mu.shape}")
    runs, _, T = batch.draws.shape
    N, mu = task.N, task.mu
    out = np.zeros((runs, N, T))
    cell = np.outer(mu, mu)  # (token, label)
    for r in range(runs):
        for k in range(N):
            rows = np.flatnonzero(batch.last[r] == k)
            if rows.size == 0:
                continue
            labels = np.eye(N, dtype=np.float32)[batch.label[r, rows]]  # (n, N)
            draws = batch.draws[r, rows]
            tail = np.stack([labels.T @ (draws >= cut).astype(np.float32) for cut in batch.cuts[r]])  # (N - 1, N, T)
            total = np.broadcast_to(labels.sum(0)[:, None], (N, T))[None]
            counts = np.concatenate([total, tail]) - np.concatenate([tail, np.zeros((1, N, T))])  # (token, label, T)
            expected = rows.size * cell[..., None]
            out[r, k] = (np.square(counts - expected) / expected).sum(axis=(0, 1))
    return out


def top_cells_are_support(scores: Array, task: Task) -> np.ndarray:
    """True for each run whose best Q cells of every row are exactly the support of Q; shape (R,)."""
    useful = np.broadcast_to(task.Q > 0, scores.shape)
    worst = np.where(useful, scores, np.inf).min(axis=-1)
    return np.all(worst > np.where(useful, -np.inf, scores).max(axis=-1), axis=-1)
