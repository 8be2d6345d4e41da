"""Transition signals related to a task's own: where a model starts that was trained on another task.

Chapter `scb`. Source: arXiv 2410.23438, Section 4; the parametrisation by the correlation is ours.
"""

import numpy as np
from numpy.typing import NDArray

from lib.errors import require
from lib.models.scb.task import Array, Task, mu_inner, mu_norm


def correlated_signal(task: Task, rho: float, rng: np.random.Generator) -> Array:
    """Centred matrix R_hat with ||R_hat||_mu = ||R||_mu and correlation `rho` with R = P - mu 1^T.

    V = mu 1^T + theta R_hat is the start of a transferred model. The optimiser does not need mu 1^T + R_hat to be
    a stochastic matrix; `stochastic_scale` says how far it may be scaled and stay one.

    Args:
        task: one task (no run axis).
        rho: correlation in [-1, 1].
        rng: source of the direction orthogonal to R.

    Returns:
        (N, N) matrix with R_hat mu = 0, zero column sums and <R_hat, R>_mu = rho K_P.

    Raises:
        InputError: if rho lies outside [-1, 1], or K_P = 0.

    Source: setting of Theorem 4.1 of arXiv 2410.23438; the parametrisation by rho is ours.
    """
    require(np.isfinite(rho) and -1 <= rho <= 1, "rho", "a correlation between -1 and 1", rho)
    require(task.mu.ndim == 1, "task", "a single task without a run axis", f"mu of shape {task.mu.shape}")
    require(float(task.K_P) > 0, "task", "a transition with K_P > 0", float(task.K_P))
    R = task.P - task.mu[:, None]
    G = centred(rng.standard_normal(R.shape), task.mu)
    G -= mu_inner(G, R, task.mu) / task.K_P * R
    G *= np.sqrt(task.K_P) / mu_norm(G, task.mu)
    return rho * R + np.sqrt(1 - rho**2) * G


def centred(M: Array, mu: Array) -> Array:
    """(N, N) part of M with zero column sums and M mu = 0: the space in which transition signals live."""
    M = M - M.mean(axis=-2, keepdims=True)
    return M - (M @ mu)[..., :, None]


def stochastic_scale(R_hat: Array, mu: Array) -> float:
    """The largest factor theta for which mu 1^T + theta R_hat has no negative entry."""
    ratio: NDArray = np.where(R_hat < 0, -mu[:, None] / np.minimum(R_hat, -1e-300), np.inf)
    return float(ratio.min())
