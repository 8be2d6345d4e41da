"""Whole SCB tasks: sparse attention targets, and the ring and random tasks of the chapter.

Chapter `scb`. Source: arXiv 2410.23438, Section 5 for the random task; the ring is our own.
"""

from collections.abc import Sequence

import numpy as np

from lib.errors import require
from lib.models.scb.task import Array, Task
from lib.models.scb.transitions import random_transition, ring_transition, skewed_law
from lib.sampling import check_distribution


def sparse_targets(T: int, weights: Sequence[float] | Array, N: int, rng: np.random.Generator) -> Array:
    """Attention targets: for each last token the given weights at random distinct positions.

    Args:
        T: context length, in tokens.
        weights: (Q,) or (N, Q) positive weights that sum to 1 over the last axis.
        N: vocabulary size.
        rng: source of randomness.

    Returns:
        (N, T) array; row k has Q positive entries.

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
        kappa: 0.1 nearly a permutation, 1 moderate, 3 weak.
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
