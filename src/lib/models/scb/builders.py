"""SCB tasks: token laws, transitions with a given law, sparse targets, and signals related to a task's own.

Chapter `scb`. Source: arXiv 2410.23438, Section 5 for the random task, Section 4 for related signals. The paper draws P
at random and takes its stationary law; we also build P for a chosen law, so that the skew of mu and the strength of P
are separate knobs. The ring, and the parametrisation of related signals by their correlation, are ours.
"""

from collections.abc import Sequence

import numpy as np

from lib.errors import require
from lib.models.scb.task import Array, Task, mu_inner, mu_norm
from lib.sampling import check_distribution


def skewed_law(N: int, skew: float) -> Array:
    """Zipf's law (N,), mu_k proportional to (k + 1) ** -skew; skew 0 is uniform.

    Raises:
        InputError: if N < 2 or skew is negative or not finite.
    """
    require(N >= 2, "N", "at least 2 tokens", N)
    require(np.isfinite(skew) and skew >= 0, "skew", "a finite number of at least 0", skew)
    weights = np.arange(1, N + 1, dtype=np.float64) ** -skew
    return weights / weights.sum()


def ring_transition(mu: Array, c: float) -> Array:
    """Transition matrix (N, N) that turns a circle: (1 - c) mu 1^T + c Pi, with stationary law mu (N,).

    The tokens are arcs of a circle with lengths mu. Pi turns the circle by 1/N and asks which arc a uniform point of
    token j lands in. Turning keeps lengths, so Pi mu = mu for every mu; for the uniform law Pi is the cyclic shift.
    K_P grows as c ** 2; with c = 0 the transition is trivial.

    Raises:
        InputError: if mu is no law or c lies outside [0, 1].

    Source: our own construction; for uniform mu it is the ring task of the chapter.
    """
    mu = np.asarray(mu, dtype=np.float64)
    check_distribution("mu", mu)
    require(np.isfinite(c) and 0 <= c <= 1, "c", "a strength between 0 and 1", c)
    n = mu.size
    ends = np.concatenate([[0.0], np.cumsum(mu)])
    ends[-1] = 1.0
    start, stop = ends[:-1] + 1 / n, ends[1:] + 1 / n
    joint = np.zeros((n, n))
    for turn in (0.0, 1.0):  # an arc that passes the top of the circle is two pieces
        low = np.maximum(ends[:-1, None] + turn, start[None, :])
        high = np.minimum(ends[1:, None] + turn, stop[None, :])
        joint += np.maximum(high - low, 0.0)
    pi = joint / joint.sum(axis=0)
    return (1 - c) * mu[:, None] + c * pi


def random_transition(mu: Array, kappa: float, rng: np.random.Generator, sweeps: int = 50_000) -> Array:
    """Random transition matrix (N, N) with stationary law mu, by alternate scaling of a random table (Sinkhorn).

    Args:
        mu: (N,) token law.
        kappa: shape of the Gamma entries: 0.1 is nearly a permutation, 1 moderate, 3 weak.
        rng: source of randomness.
        sweeps: most row-and-column scalings; the loop stops when both margins agree to 1e-13.

    Raises:
        InputError: if mu is no law, kappa is not positive, or the scaling has not converged after `sweeps`.

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
    if gap >= 1e-10:  # a table with tiny entries: near its end, where Newton's method needs a few steps
        joint, gap = _newton_scaling(joint, mu)
    require(
        gap < 1e-10,
        "kappa",
        f"a table whose scaling converges in {sweeps} sweeps",
        f"a margin gap of {gap:.2g}",
    )
    return joint / joint.sum(axis=0)


def _newton_scaling(joint: Array, mu: Array, steps: int = 20) -> tuple[Array, float]:
    """Rows and columns of a table (N, N) scaled to the sums mu (N,), from near there; and the gap that is left."""
    n, gap = len(mu), np.inf
    for _ in range(steps):
        rows, columns = joint.sum(axis=1), joint.sum(axis=0)
        gap = float(max(np.abs(rows - mu).max(), np.abs(columns - mu).max()))
        if gap < 1e-13:
            break
        # How both sums move with the logarithms of the scalings; one of these 2N numbers is free.
        slope = np.block([[np.diag(rows), joint], [joint.T, np.diag(columns)]])
        moved = np.linalg.lstsq(slope, np.concatenate([mu - rows, mu - columns]))[0].clip(-1, 1)
        joint = joint * np.exp(moved[:n, None] + moved[None, n:])
    return joint, gap


def uniform_random_transition(N: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """The paper's own reading: P with independent uniform entries, columns normalised, and its stationary law.

    Returns:
        (mu, P): (N,) Perron vector and (N, N) column-stochastic matrix. Such tasks are weak (K_P is about 0.04).

    Raises:
        InputError: if N < 2.

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
    """Transition mu 1^T + c (P - mu 1^T): scales the signal K_P by exactly c ** 2 and keeps P mu = mu.

    Raises:
        InputError: if an entry of the result is negative, which a factor above 1 may make.
    """
    mixed = mu[:, None] + c * (P - mu[:, None])
    require(
        mixed.min() >= -1e-12,
        "c",
        "a factor that keeps P at least 0",
        f"{c} (smallest entry {mixed.min():.3g})",
    )
    return np.maximum(mixed, 0.0)


def sparse_targets(T: int, weights: Sequence[float] | Array, N: int, rng: np.random.Generator) -> Array:
    """Attention targets (N, T): for each last token the given weights at random distinct positions.

    The weights (Q,) or (N, Q) are positive and sum to 1 over the last axis.

    Raises:
        InputError: if there are more weights than positions, or the weights are not positive or do not sum to 1.
    """
    w = np.atleast_2d(np.asarray(weights, dtype=np.float64))
    sparsity = w.shape[-1]
    require(1 <= sparsity <= T, "weights", f"a sparsity Q of at most T = {T}", f"Q = {sparsity}")
    check_distribution("weights", w)
    require(np.all(w > 0), "weights", "positive weights", f"a smallest of {w.min():g}")
    Q = np.zeros((N, T))
    for k in range(N):
        Q[k, rng.choice(T, size=sparsity, replace=False)] = w[k % len(w)]
    return Q


def even_weights(sparsity: int) -> Array:
    """(Q,) target weights that fall in proportion Q + 1, ..., 2 with Q = 2 giving (0.6, 0.4): distinct, none small."""
    require(sparsity >= 1, "sparsity", "at least 1 position", sparsity)
    w = np.arange(sparsity + 1, 1, -1, dtype=np.float64)
    return w / w.sum()


def ring_task(
    T: int = 1024,
    N: int = 4,
    c: float = 0.75,
    weights: Sequence[float] | Array = (0.6, 0.4),
    skew: float = 0.0,
    *,
    rng: np.random.Generator | int = 0,
) -> Task:
    """The chapter's standard task: a ring transition, the same weights at random positions for every last token.

    With skew = 0 every constant of the theory has a closed form (`lib.theory.scb.ring_constants`).

    Args:
        T: context length, in tokens.
        N: vocabulary size.
        c: strength of the transition in [0, 1].
        weights: (Q,) attention weights.
        skew: exponent of Zipf's law for mu.
        rng: generator or seed, for the positions only.

    Raises:
        InputError: from the parts: N < 2, Q > T, c outside [0, 1], a bad law.

    Example:
        >>> task = ring_task(T=64)
        >>> task.N, task.T, task.sparsity, float(task.K_P)
        (4, 64, 2, 0.421875)
    """
    rng = np.random.default_rng(rng)
    require(T >= 1, "T", "a context of at least 1 token", T)
    mu = skewed_law(N, skew)
    return Task(mu, ring_transition(mu, c), sparse_targets(T, weights, N, rng))


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

    Raises:
        InputError: if Q > T or another argument is out of range.
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

    Raises:
        InputError: if rho lies outside [-1, 1], the task has a run axis, or K_P = 0.

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
