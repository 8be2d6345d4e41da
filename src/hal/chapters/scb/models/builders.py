"""Tasks drawn at random, transitions mixed, and signals related to a task's own.

Chapter `scb`. Source: arXiv 2410.23438, Section 5 for the random task, Section 4 for related signals. The paper draws P
at random and takes its stationary law; we also build P for a chosen law, so that the skew of mu and the strength of P
are separate knobs. The parametrisation of related signals by their correlation is ours. `InputError` names an argument
that is out of range.
"""

import numpy as np

from lib.errors import require
from lib.models.scb import Task, mu_inner, mu_norm, skewed_law, sparse_targets
from lib.models.scb.fast import Array
from lib.sampling import check_distribution


def random_transition(mu: Array, kappa: float, rng: np.random.Generator, sweeps: int = 50_000) -> Array:
    """Random transition matrix (N, N) with stationary law mu, by alternate scaling of a random table (Sinkhorn).

    Args:
        mu: (N,) token law.
        kappa: shape of the Gamma entries: 0.1 is nearly a permutation, 1 moderate, 3 weak.
        rng: source of randomness.
        sweeps: most row-and-column scalings; the loop stops when both margins agree to 1e-13.

    Source: R. Sinkhorn, "A relationship between arbitrary positive matrices and doubly stochastic matrices" (1964).
    """
    mu = np.asarray(mu, dtype=np.float64)
    check_distribution("mu", mu)
    require(np.isfinite(kappa) and kappa > 0, "kappa", "a positive finite number", kappa)
    joint = rng.gamma(kappa, size=(mu.size, mu.size)) + 1e-12
    gap = np.inf
    for _ in range(sweeps):
        joint *= (mu / joint.sum(axis=1))[:, None]
        joint *= mu / joint.sum(axis=0)
        gap = float(np.abs(joint.sum(axis=1) - mu).max())
        if gap < 1e-13:
            break
    require(
        gap < 1e-10,
        "kappa",
        f"a table whose scaling converges in {sweeps} sweeps",
        f"a margin gap of {gap:.2g}",
    )
    return joint / joint.sum(axis=0)


def uniform_random_transition(N: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """The paper's own reading: P with independent uniform entries, columns normalised, and its stationary law.

    Returns:
        (mu, P): (N,) Perron vector and (N, N) column-stochastic matrix. Such tasks are weak (K_P is about 0.04).

    Source: arXiv 2410.23438, Section 5 (the law of the random matrix is not stated there; uniform is ours).
    """
    require(N >= 2, "N", "at least 2 tokens", N)
    P = rng.random((N, N))
    P /= P.sum(axis=0)
    mu = np.full(N, 1 / N)
    for _ in range(10_000):
        new = P @ mu
        new /= new.sum()
        if np.abs(new - mu).max() < 1e-15:
            break
        mu = new
    return mu, P


def mix(P: Array, mu: Array, c: float) -> Array:
    """Transition mu 1^T + c (P - mu 1^T): scales the signal K_P by exactly c ** 2 and keeps P mu = mu."""
    mixed = mu[:, None] + c * (P - mu[:, None])
    require(
        mixed.min() >= -1e-12,
        "c",
        "a factor that keeps P at least 0",
        f"{c} (smallest entry {mixed.min():.3g})",
    )
    return np.maximum(mixed, 0.0)


def random_task(
    T: int, N: int, sparsity: int, kappa: float = 0.3, skew: float = 0.0, *, rng: np.random.Generator | int
) -> Task:
    """A random task: Sinkhorn transition for Zipf's law, random positions, weights proportional to U(1, 2).

    Args:
        T: context length, in tokens.
        N: vocabulary size.
        sparsity: positions Q that each last token looks at.
        kappa: see `random_transition`.
        skew: exponent of Zipf's law for mu.
        rng: generator or seed.
    """
    rng = np.random.default_rng(rng)
    require(1 <= sparsity <= T, "sparsity", f"between 1 and T = {T}", sparsity)
    mu = skewed_law(N, skew)
    w = rng.uniform(1, 2, size=(N, sparsity))
    return Task(mu, random_transition(mu, kappa, rng), sparse_targets(T, w / w.sum(-1, keepdims=True), N, rng))


def correlated_signal(task: Task, rho: float, rng: np.random.Generator) -> Array:
    """Matrix R_hat (N, N), centred, with ||R_hat||_mu = ||R||_mu and correlation `rho` with R = P - mu 1^T.

    R_hat mu = 0, its columns sum to 0, and its part orthogonal to R is random. V = mu 1^T + theta R_hat is the start of
    a transferred model. The optimiser does not need mu 1^T + R_hat to be a stochastic matrix.

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
