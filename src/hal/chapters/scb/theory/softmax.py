"""Noiseless recursion over a row's classes of positions, of softmax attention, and how long it waits.

Chapter `scb`. Beyond the paper (Ren, Wang, Lee 2024, arXiv 2410.23438), which analyses linear attention. Logits move by
-eta_w (diag(a) - a a^T) grad_a / mu_k. Linear and softmax steps agree at uniform attention when eta_w = eta_A T^2.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.errors import require
from lib.theory._arrays import Array, Schedule, floats, positive, recorded_steps, value_at


class RowPath(NamedTuple):
    """A noiseless run, recorded at K steps: each useful entry and one useless entry are all the state a row has."""

    steps: NDArray[np.int64]  #: (K,)
    alpha_V: Array  #: (..., K)
    alpha_A: Array  #: (..., K)
    useful: Array  #: (..., K, sparsity)  attention on each useful position
    useless: Array  #: (..., K)           attention on each other position


def matched_eta_w(eta_A: ArrayLike, T: ArrayLike) -> Array:
    """Logit step that equals a linear attention step at uniform attention, eta_A T^2, shape (...).

    Raises:
        InputError: if a value is not positive.

    Source: beyond the paper.
    """
    return positive(eta_A, "eta_A") * positive(T, "T") ** 2


def softmax_escape_time(T: ArrayLike, eta_V: ArrayLike, eta_w: ArrayLike, K_P: ArrayLike, q_max: ArrayLike) -> Array:
    """Escape of softmax attention in steps (...), about T sqrt(2 / (eta_V eta_w K_P q_max)): linear in T.

    Args:
        T: context length in tokens (...).
        eta_V: layer step of V, eta / K_Q (...).
        eta_w: logit step (...).
        K_P: transition signal (...).
        q_max: largest weight of Q (...).

    Raises:
        InputError: if a value is not positive.

    Source: beyond the paper; an estimate with a rounded constant.
    """
    return floats(T) * np.sqrt(2.0 / _rate2(T, eta_V, eta_w, K_P, q_max))


def softmax_population_run(
    K_P: ArrayLike,
    weights: ArrayLike,
    T: ArrayLike,
    eta_V: Schedule,
    eta_w: Schedule,
    steps: int,
    start_alpha_V: ArrayLike = 0.0,
    record_at: ArrayLike | None = None,
) -> RowPath:
    """Exact noiseless recursion of the softmax model from uniform attention, all rows with the same weights.

    Args:
        K_P: transition signal (...).
        weights: the non-zero weights (sparsity,) of every row of Q.
        T: context length in tokens (...), above the sparsity.
        eta_V: layer step of V (already divided by K_Q): a number, an array (...), or a function of the step.
        eta_w: logit step, in the same forms.
        steps: number of steps.
        start_alpha_V: alpha_V at step 0 (...).
        record_at: steps to record, (K,); all by default.

    Returns:
        `RowPath`; V stays on its signal line. Steps far too large overflow to NaN and stay there.

    Raises:
        InputError: if a value is out of range.

    Source: beyond the paper.
    """
    (w, T), K_P = _task(weights, T), positive(K_P, "K_P")
    wanted = recorded_steps(steps, record_at)
    K_Q = np.sum(w * w) - 1.0 / T
    x = np.broadcast_arrays(floats(start_alpha_V), T, K_P, value_at(eta_V, 0, "eta_V"), value_at(eta_w, 0, "eta_w"))[
        0
    ].copy()
    count = np.ones((*T.shape, w.size + 1))  # positions of each class: one per useful, T - sparsity useless
    count[..., -1] = T - w.size
    q = np.append(w, 0.0)
    logits = np.zeros((*x.shape, q.size))
    kept: list[tuple[Array, ...]] = []
    with np.errstate(over="ignore", invalid="ignore"):
        for step in range(int(wanted[-1]) + 1):
            raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
            a = raised / np.sum(count * raised, axis=-1, keepdims=True)  # (..., sparsity + 1)
            overlap, norm2 = np.sum(q * a, axis=-1), np.sum(count * a**2, axis=-1)
            if step == wanted[len(kept)]:
                kept.append((x, (overlap - 1.0 / T) / K_Q, a[..., :-1], a[..., -1]))
            downhill = (K_P * x)[..., None] * (q - x[..., None] * a)  # -E g_A up to a constant, which softmax ignores
            pulled = a * (downhill - np.sum(count * a * downhill, axis=-1, keepdims=True))
            logits = logits + value_at(eta_w, step, "eta_w")[..., None] * pulled
            x = x + value_at(eta_V, step, "eta_V") * (overlap - norm2 * x)
    return _path(wanted, kept)


def _rate2(T: ArrayLike, eta_V: ArrayLike, eta_w: ArrayLike, K_P: ArrayLike, q_max: ArrayLike) -> Array:
    positive(T, "T")
    return positive(eta_V, "eta_V") * positive(eta_w, "eta_w") * positive(K_P, "K_P") * positive(q_max, "q_max")


def _task(weights: ArrayLike, T: ArrayLike) -> tuple[Array, Array]:
    """Weights (sparsity,) and context length (...), checked."""
    w, T = floats(weights), positive(T, "T")
    require(
        w.ndim == 1 and np.all(w > 0) and np.isclose(w.sum(), 1.0), "weights", "positive weights that sum to 1", weights
    )
    require(np.all(w.size < T), "T", f"more tokens than the {w.size} weights", T)
    return w, T


def _path(steps: NDArray[np.int64], kept: list[tuple[Array, ...]]) -> RowPath:
    """The records, one a step, as columns."""
    return RowPath(steps, *(np.stack([row[i] for row in kept], axis=-2 if i == 2 else -1) for i in range(4)))
