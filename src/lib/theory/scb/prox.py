"""The l1 prox of Stage 2 without noise: which thresholds work, what they distort, and the exact recursion.

Used by chapter SCB. The algorithm is the paper's (Ren, Wang, Lee 2024, arXiv 2410.23438, Algorithm 1, Stage 2); the
window is its condition on lambda in our constants; the distortion formulas are beyond the paper.
lambda is a threshold per step; it is not multiplied by eta.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from lib.errors import require
from lib.theory._arrays import Array, Schedule, floats, positive, recorded_steps, value_at


class ProxPath(NamedTuple):
    """A noiseless run with prox, recorded at K steps."""

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
    """Shrink of alpha_A per step, lambda' = lambda_eff (1 - Q/T) / K_Q, shape (...).

    Args:
        lam: threshold per step (...).
        alpha_A: (...).
        sparsity: useful positions per last token.
        T: context length in tokens (...).
        K_Q: attention signal (...).

    Raises:
        InputError: if T or K_Q is not positive.

    Source: beyond the paper.
    """
    return effective_threshold(lam, alpha_A, T) * (1.0 - sparsity / floats(T)) / positive(K_Q, "K_Q")


def product_bias(
    push: ArrayLike, eta: ArrayLike, d: ArrayLike = 0.0, alpha_V: ArrayLike = 1.0, alpha_A: ArrayLike = 1.0
) -> Array:
    """Gap 1 - alpha_A alpha_V in which the prox holds the valley: push / (2 eta) near (1, 1).

    Args:
        push: lambda' of `valley_push` (...).
        eta: base step (...).
        d: drift number (...).
        alpha_V: (...).
        alpha_A: (...).

    Returns:
        (...); away from (1, 1) it is (push x / eta - d (1 - x) y) / (x^2 + y^2).

    Raises:
        InputError: if `eta` is not positive.

    Source: beyond the paper.
    """
    x, y = floats(alpha_V), floats(alpha_A)
    return (floats(push) * x / positive(eta, "eta") - floats(d) * (1.0 - x) * y) / (x**2 + y**2)


def valley_drift(push: ArrayLike, eta: ArrayLike, d: ArrayLike, alpha_V: ArrayLike, alpha_A: ArrayLike) -> Array:
    """Speed of alpha_V along the valley per step, (lambda' x y + eta d (1 - x) x^2) / (x^2 + y^2), shape (...).

    Args:
        push: lambda' of `valley_push` (...).
        eta: base step (...).
        d: drift number (...).
        alpha_V: x (...).
        alpha_A: y (...).

    Source: beyond the paper. With push = 0 it is eta times `flow.valley_speed`.
    """
    x, y = floats(alpha_V), floats(alpha_A)
    return (floats(push) * x * y + floats(eta) * floats(d) * (1.0 - x) * x**2) / (x**2 + y**2)


def rest_point(lam: float, eta: float, T: float) -> float:
    """The alpha_V >= 1 where over-long prox training comes to rest: lambda T = 1 - 1/x + eta x^2 (x - 1).

    Args:
        lam: threshold per step, >= 0.
        eta: base step.
        T: context length in tokens.

    Returns:
        alpha_V; 1 for lambda = 0.

    Raises:
        InputError: if `lam` is negative or `eta` or T is not positive.

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
) -> ProxPath:
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
        `ProxPath`. The useful entries and one useless value are all the state a row has.

    Raises:
        InputError: if weights do not sum to one, T is too small, or a schedule is negative.

    Source: the paper's Algorithm 1 (Stages 1, 2) on the population; the reduction to classes is beyond the paper.
    """
    w, T = floats(weights), positive(T, "T")
    require(
        w.ndim == 1 and np.all(w > 0) and np.isclose(w.sum(), 1.0), "weights", "positive weights that sum to 1", weights
    )
    require(np.all(w.size < T), "T", f"more tokens than the {w.size} weights", T)
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
    columns = [np.stack([row[i] for row in kept], axis=-2 if i == 2 else -1) for i in range(4)]
    return ProxPath(wanted, *columns)


def _shrink(value: Array, level: Array) -> Array:
    return np.sign(value) * np.maximum(np.abs(value) - level, 0.0)
