"""Token laws, and transition matrices with a given stationary law.

Chapter `scb`. The paper (arXiv 2410.23438, Section 5) draws P at random and takes its stationary law; we also build P
for a chosen law, so that the skew of mu and the strength of P are separate knobs.
"""

import numpy as np

from lib.errors import require
from lib.models.scb.task import Array
from lib.sampling import check_distribution


def skewed_law(N: int, skew: float) -> Array:
    """Zipf's law mu_k proportional to (k + 1) ** -skew over N tokens; skew 0 is uniform.

    Args:
        N: vocabulary size, at least 2.
        skew: exponent, at least 0 (no unit).

    Returns:
        (N,) probabilities.

    Raises:
        InputError: if N < 2 or skew is negative or not finite.
    """
    require(N >= 2, "N", "at least 2 tokens", N)
    require(np.isfinite(skew) and skew >= 0, "skew", "a finite number of at least 0", skew)
    weights = np.arange(1, N + 1, dtype=np.float64) ** -skew
    return weights / weights.sum()


def ring_transition(mu: Array, c: float) -> Array:
    """Transition matrix that turns a circle: (1 - c) mu 1^T + c Pi, with stationary law mu.

    The tokens are arcs of a circle with lengths mu. Pi turns the circle by 1/N and asks which arc a uniform point of
    token j lands in. Turning keeps lengths, so Pi mu = mu for every mu; for the uniform law Pi is the cyclic shift.

    Args:
        mu: (N,) token law.
        c: strength in [0, 1]; 0 is the trivial transition, and K_P grows as c ** 2.

    Returns:
        (N, N) column-stochastic matrix.

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
    """Random transition matrix with stationary law mu, by alternate scaling of a random positive table (Sinkhorn).

    Args:
        mu: (N,) token law.
        kappa: shape of the Gamma entries: 0.1 is nearly a permutation, 1 moderate, 3 weak.
        rng: source of randomness.
        sweeps: most row-and-column scalings; the loop stops when both margins agree to 1e-13.

    Returns:
        (N, N) column-stochastic matrix with P mu = mu.

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

    Args:
        N: vocabulary size, at least 2.
        rng: source of randomness.

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
    """mu 1^T + c (P - mu 1^T): scales the transition signal K_P by exactly c ** 2 and keeps P mu = mu.

    Args:
        P: (N, N) transition matrix with stationary law mu.
        mu: (N,) token law.
        c: factor; values above 1 are legal as long as no entry turns negative.

    Raises:
        InputError: if an entry of the result is negative.
    """
    mixed = mu[:, None] + c * (P - mu[:, None])
    require(
        mixed.min() >= -1e-12,
        "c",
        "a factor that keeps P at least 0",
        f"{c} (smallest entry {mixed.min():.3g})",
    )
    return np.maximum(mixed, 0.0)
