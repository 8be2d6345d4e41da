"""What a run has learned, and what is made of it: distances, the mirror, the exact loss, rounding, screening.

Chapter `scb`. Source: arXiv 2410.23438, Section 3.1 and Appendix C (approximation error), Section 3.4 and Appendix F
(rounding); the mirror and screening by counting, a yardstick for Stage 1, are beyond the paper. Results have the shape
of the runs, (R,), where nothing else is said; `InputError` names what is refused.
"""

import numpy as np

from lib.errors import require
from lib.models.scb import (
    Batch,
    Params,
    Task,
    centred_V,
    delta_A,
    delta_V,
    mu_inner,
    mu_inner_rows,
    mu_norm,
    mu_norm_rows,
)
from lib.models.scb.fast import Array


def distance_to_flow(params: Params, task: Task) -> Array:
    """sqrt(||Delta_V||_mu^2 + ||Delta_A||_mu^2): how far a run is from the plane of the population flow; (R,)."""
    return np.sqrt(mu_norm(delta_V(params, task), task.mu) ** 2 + mu_norm_rows(delta_A(params, task), task.mu) ** 2)


def similarity_A(params: Params, task: Task) -> Array:
    """Cosine in <.,.>_mu between A - 1/T and Q - 1/T; shape (R,); 0 where A is uniform."""
    A = params.A - 1 / task.T
    inner = mu_inner_rows(A, task.Q - 1 / task.T, task.mu)
    norms = mu_norm_rows(A, task.mu) * np.sqrt(task.K_Q)
    return np.divide(inner, norms, out=np.zeros_like(inner), where=norms > 1e-12)


def mirrored(params: Params) -> np.ndarray:
    """True for each run whose attention points the wrong way; shape (R,). Needs no ground truth.

    A mirrored run has its largest entries, in magnitude after subtracting 1/T, negative. Beyond the paper.
    """
    A = params.A - 1 / params.A.shape[-1]
    return A.max(axis=(-2, -1)) < -A.min(axis=(-2, -1))


def unmirror(params: Params, task: Task, which: np.ndarray | None = None) -> Params:
    """Flip the runs in `which` (R,), by default the mirrored ones, to 2 mu 1^T - V and 2/T - A. Beyond the paper."""
    flip = (mirrored(params) if which is None else which)[:, None, None]
    V = np.where(flip, 2 * task.mu[..., :, None] - params.V, params.V)
    return Params(V, np.where(flip, 2 / task.T - params.A, params.A))


def support_recovered(params: Params, task: Task) -> np.ndarray:
    """True for each run whose |A - 1/T| is largest exactly on the support of Q, for every last token; shape (R,)."""
    return top_cells_are_support(np.abs(params.A - 1 / task.T), task)


def population_loss(params: Params, task: Task) -> Array:
    """Exact expected loss of V, A over the data law, in closed form; shape (R,). This is the test loss.

    Source: Lemmas B.4 to B.6 of arXiv 2410.23438, assembled; valid when the rows of A sum to 1.
    """
    U, mu = centred_V(params, task), task.mu
    drift = np.matmul(params.V, mu[..., None])[..., 0] - mu
    norm_A, norm_Q = mu_norm_rows(params.A, mu) ** 2, mu_norm_rows(task.Q, mu) ** 2
    excess = (
        norm_A * mu_norm(U, mu) ** 2
        - 2 * mu_inner_rows(params.A, task.Q, mu) * mu_inner(U, _R(task), mu)
        + norm_Q * task.K_P
    )
    return irreducible_loss(task) + 0.5 * (np.square(drift).sum(-1) + excess)


def irreducible_loss(task: Task) -> Array:
    """Population loss of V = P, A = Q: what is left is the randomness of the label; shape () or (R,)."""
    return 0.5 * (1 - np.square(task.mu).sum(-1) - task.K_P * mu_norm_rows(task.Q, task.mu) ** 2)


def _R(task: Task) -> Array:
    return task.P - task.mu[..., :, None]


def round_attention(A: Array, keep: float = 0.25) -> Array:
    """Keep what is at least `keep` times the largest of its row of A (..., N, T), set the rest to 0, divide by the sum.

    Source: arXiv 2410.23438, Section 3.4.
    """
    require(0 < keep < 1, "keep", "a fraction between 0 and 1", keep)
    top = A.max(axis=-1, keepdims=True)
    require(
        np.all(top > 0),
        "A",
        "rows with a positive entry (un-mirror first)",
        f"a largest entry of {top.min():g}",
    )
    kept = np.where(keep * top <= A, A, 0.0)
    return kept / kept.sum(axis=-1, keepdims=True)


def best_V(A: Array, task: Task) -> Array:
    """The V (R, N, N) that minimises the population loss for fixed attention: mu 1^T + <A, Q>_mu / ||A||_mu^2 R.

    The rows of A (R, N, T) sum to 1. Source: first-order condition of the population loss; used for "after
    normalisation" curves.
    """
    scale = mu_inner_rows(A, task.Q, task.mu) / mu_inner_rows(A, A, task.mu)
    mu = task.mu[..., :, None]
    return mu + scale[:, None, None] * (task.P - mu)


def normalised(params: Params, task: Task, keep: float = 0.25) -> Params:
    """Rounded attention with the population-optimal V: what the paper's figures call after normalisation."""
    A = round_attention(params.A, keep)
    return Params(best_V(A, task), A)


def chi_squared(batch: Batch, task: Task) -> Array:
    """Chi-squared statistics (R, N, T) of (x_t, label) against mu mu^T of one task, for each last token and position.

    A row whose last token never occurs is zero. Source: Pearson's chi-squared test of independence.
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
