"""Noiseless recursions over a row's classes of positions: the l1 prox of Stage 2, and softmax attention.

Chapter `scb`. The prox is the paper's (Ren, Wang, Lee 2024, arXiv 2410.23438, Algorithm 1, Stage 2), with its condition
on lambda in our constants; which thresholds work, what they distort, and all about softmax is beyond the paper, which
analyses linear attention. lambda is a threshold per step; it is not multiplied by eta. Logits move by
-eta_w (diag(a) - a a^T) grad_a / mu_k. Linear and softmax steps agree at uniform attention when eta_w = eta_A T^2.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from lib.errors import require
from lib.theory._arrays import Array, Schedule, floats, positive, recorded_steps, value_at


class RowPath(NamedTuple):
    """A noiseless run, recorded at K steps: each useful entry and one useless entry are all the state a row has."""

    steps: NDArray[np.int64]  #: (K,)
    alpha_V: Array  #: (..., K)
    alpha_A: Array  #: (..., K)
    useful: Array  #: (..., K, sparsity)  attention on each useful position
    useless: Array  #: (..., K)           attention on each other position


def effective_threshold(lam: ArrayLike, alpha_A: ArrayLike, T: ArrayLike) -> Array:
    """Net shrink of a useful entry per step, lambda - (1 - alpha_A) / T, shape (...): the thresholded mass returns.

    Source: beyond the paper.
    """
    return floats(lam) - (1.0 - floats(alpha_A)) / positive(T, "T")


def valley_push(lam: ArrayLike, alpha_A: ArrayLike, sparsity: int, T: ArrayLike, K_Q: ArrayLike) -> Array:
    """Shrink of alpha_A per step (...), lambda' = lambda_eff (1 - Q/T) / K_Q, with `sparsity` Q useful positions.

    Raises:
        InputError: if T or K_Q is not positive.

    Source: beyond the paper.
    """
    return effective_threshold(lam, alpha_A, T) * (1.0 - sparsity / floats(T)) / positive(K_Q, "K_Q")


def product_bias(
    push: ArrayLike, eta: ArrayLike, d: ArrayLike = 0.0, alpha_V: ArrayLike = 1.0, alpha_A: ArrayLike = 1.0
) -> Array:
    """Gap 1 - alpha_A alpha_V (...) in which the prox holds the valley: push / (2 eta) near (1, 1).

    Away from (1, 1) it is (push x / eta - d (1 - x) y) / (x^2 + y^2); push is lambda' of `valley_push`, all are (...).

    Raises:
        InputError: if `eta` is not positive.

    Source: beyond the paper.
    """
    x, y = floats(alpha_V), floats(alpha_A)
    return (floats(push) * x / positive(eta, "eta") - floats(d) * (1.0 - x) * y) / (x**2 + y**2)


def valley_drift(push: ArrayLike, eta: ArrayLike, d: ArrayLike, alpha_V: ArrayLike, alpha_A: ArrayLike) -> Array:
    """Speed of alpha_V along the valley per step, (lambda' x y + eta d (1 - x) x^2) / (x^2 + y^2), shape (...).

    Source: beyond the paper. push is lambda' of `valley_push`; with 0 it is the drift of plain descent.
    """
    x, y = floats(alpha_V), floats(alpha_A)
    return (floats(push) * x * y + floats(eta) * floats(d) * (1.0 - x) * x**2) / (x**2 + y**2)


def rest_point(lam: float, eta: float, T: float) -> float:
    """The alpha_V >= 1 where over-long prox training comes to rest: lambda T = 1 - 1/x + eta x^2 (x - 1).

    Raises:
        InputError: if `lam`, the threshold per step, is negative or `eta` or T is not positive.

    Source: beyond the paper (equal weights, leading order in 1/T).
    """
    require(np.isfinite(lam) and lam >= 0, "lam", "a finite value >= 0", lam)
    h, pull = float(positive(eta, "eta")), float(lam * positive(T, "T"))
    # the right side grows with x and exceeds eta (x - 1), which brackets the root
    return float(brentq(lambda x: rest_balance(x, h) - pull, 1.0, 2.0 + pull / h, xtol=1e-14))


def rest_balance(alpha_V: ArrayLike, eta: ArrayLike) -> Array:
    """Right side of the rest condition, 1 - 1/x + eta x^2 (x - 1), shape (...): equals lambda T at rest.

    Source: beyond the paper.
    """
    x = floats(alpha_V)
    return 1.0 - 1.0 / x + floats(eta) * x**2 * (x - 1.0)


def prox_population_run(
    weights: ArrayLike,
    T: ArrayLike,
    eta: Schedule,
    lam: Schedule,
    steps: int,
    start: tuple[ArrayLike, ArrayLike] = (0.0, 0.0),
    record_at: ArrayLike | None = None,
) -> RowPath:
    """Exact noiseless recursion with the two-sided soft threshold and the equal-share repair of the row sums.

    Args:
        weights: the non-zero weights (sparsity,) of every row of Q; equal ones keep A on its signal line.
        T: context length in tokens (...), above the sparsity.
        eta: base step: a number, an array (...), or a function of the step.
        lam: threshold per step, in the same forms; zero in Stage 1.
        steps: number of steps.
        start: (alpha_V, alpha_A) at step 0, each (...).
        record_at: steps to record, (K,); all by default.

    Returns:
        `RowPath`.

    Raises:
        InputError: if weights do not sum to one, T is too small, or a schedule is negative.

    Source: the paper's Algorithm 1 (Stages 1, 2) on the population; the reduction to classes is beyond the paper.
    """
    w, T = _task(weights, T)
    wanted = recorded_steps(steps, record_at)
    K_Q = np.sum(w * w) - 1.0 / T
    shapes = np.broadcast_arrays(
        floats(start[0]), floats(start[1]), T, value_at(eta, 0, "eta"), value_at(lam, 0, "lam")
    )
    x, y = shapes[0].copy(), shapes[1]
    useful = 1.0 / T[..., None] + y[..., None] * (w - 1.0 / T[..., None])  # (..., sparsity)
    useless = (1.0 - y) / T
    kept: list[tuple[Array, ...]] = []
    with np.errstate(over="ignore", invalid="ignore"):
        for step in range(int(wanted[-1]) + 1):
            overlap = np.sum(w * useful, axis=-1)
            if step == wanted[len(kept)]:
                kept.append((x, (overlap - 1.0 / T) / K_Q, useful, useless))
            h, level = value_at(eta, step, "eta"), value_at(lam, step, "lam")
            norm2 = np.sum(useful**2, axis=-1) + (T - w.size) * useless**2
            # -E g_A = K_P (x (q - 1/T) - x^2 (a - 1/T)); the layer step eta / K_P cancels K_P
            new_useful = useful + (h * x)[..., None] * (
                w - 1.0 / T[..., None] - x[..., None] * (useful - 1.0 / T[..., None])
            )
            new_useless = useless + h * x * (-1.0 / T - x * (useless - 1.0 / T))
            x = x + h / K_Q * (overlap - norm2 * x)
            useful, useless = _shrink(new_useful, level[..., None]), _shrink(new_useless, level)
            missing = 1.0 - np.sum(useful, axis=-1) - (T - w.size) * useless
            useful, useless = useful + (missing / T)[..., None], useless + missing / T
    return _path(wanted, kept)


def _shrink(value: Array, level: Array) -> Array:
    return np.sign(value) * np.maximum(np.abs(value) - level, 0.0)


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

    Source: beyond the paper; an estimate with a rounded constant, see `softmax_blow_up_time`.
    """
    return floats(T) * np.sqrt(2.0 / _rate2(T, eta_V, eta_w, K_P, q_max))


def softmax_blow_up_time(T: ArrayLike, eta_V: ArrayLike, eta_w: ArrayLike, K_P: ArrayLike, q_max: ArrayLike) -> Array:
    """Blow-up of the early softmax equations with equal weights, T sqrt(pi / (2 eta_V eta_w K_P q)) steps (...).

    While T a_t = p is far below T: p' = eta_w K_P q x p^2 / T and alpha_V = x with x' = eta_V p / T, so
    x^2 = 2 eta_V log p / (eta_w K_P q), and the time to p = infinity is an integral equal to Gamma(1/2). This is the
    leading order for long contexts and eta_V << eta_w (otherwise alpha_V is not small on the way). Arguments and errors
    as `softmax_escape_time`.

    Source: beyond the paper (our derivation).
    """
    return floats(T) * np.sqrt(0.5 * np.pi / _rate2(T, eta_V, eta_w, K_P, q_max))


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
