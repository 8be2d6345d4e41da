"""Softmax attention: its noiseless recursion over a row's kinds of positions, and how long it waits.

Chapter `scb`. Beyond the paper (Ren, Wang, Lee 2024, arXiv 2410.23438), which analyses linear attention. Logits move by
-eta_w (diag(a) - a a^T) grad_a / mu_k. Linear and softmax steps agree at uniform attention when eta_w = eta_A T^2.
Steps have no unit, T is in tokens; what is out of range is refused (`InputError`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hal.chapters.scb.theory import portable_softmax
from lib.errors import require
from lib.theory._arrays import Array, floats, positive, recorded_steps


class SoftmaxPath(NamedTuple):
    """A noiseless run, recorded at K steps; each (K,)."""

    steps: NDArray[np.int64]
    alpha_V: Array
    alpha_A: Array


def matched_eta_w(eta_A: ArrayLike, T: ArrayLike) -> Array:
    """Logit step (...) that equals a linear attention step at uniform attention, eta_A T^2."""
    return positive(eta_A, "eta_A") * positive(T, "T") ** 2


def softmax_escape_time(T: ArrayLike, eta_V: ArrayLike, eta_w: ArrayLike, K_P: ArrayLike, q_max: ArrayLike) -> Array:
    """Escape of softmax attention in steps (...), about T sqrt(2 / (eta_V eta_w K_P q_max)): linear in T.

    eta_V is the layer step of V, eta / K_Q, and q_max the largest weight of Q; an estimate with a rounded constant.
    """
    rate2 = positive(eta_V, "eta_V") * positive(eta_w, "eta_w") * positive(K_P, "K_P") * positive(q_max, "q_max")
    return positive(T, "T") * np.sqrt(2.0 / rate2)


def softmax_population_run(
    K_P: float,
    weights: ArrayLike,
    T: int,
    eta_V: float,
    eta_w: float,
    steps: int,
    start_alpha_V: float = 0.0,
    record_at: ArrayLike | None = None,
) -> SoftmaxPath:
    """Exact noiseless recursion of the softmax model from uniform attention, all rows with the same weights.

    Args:
        K_P: transition signal.
        weights: the non-zero weights (sparsity,) of every row of Q.
        T: context length in tokens, above the sparsity.
        eta_V, eta_w: layer step of V, already divided by K_Q, and logit step.
        steps: number of steps.
        start_alpha_V: alpha_V at step 0.
        record_at: steps to record, (K,); all by default.

    Returns:
        `SoftmaxPath`; V stays on its signal line.
    """
    w, wanted, x = floats(weights), recorded_steps(steps, record_at), float(start_alpha_V)
    good = w.ndim == 1 and np.all(w > 0) and np.isclose(w.sum(), 1.0)
    require(good, "weights", "positive weights that sum to 1", weights)
    require(w.size < T, "T", f"more tokens than the {w.size} weights", T)
    for name, value in {"K_P": K_P, "eta_V": eta_V, "eta_w": eta_w}.items():
        positive(value, name)
    count = [1.0] * w.size + [float(T - w.size)]  # positions of each kind: one a useful one, all others
    q, logits = [*w.tolist(), 0.0], [0.0] * (w.size + 1)
    kept: list[tuple[float, float]] = []
    for step in range(int(wanted[-1]) + 1):
        if step == wanted[len(kept)]:
            overlap = float(np.dot(q, portable_softmax.weights(logits, count)))
            kept.append((x, (overlap - 1.0 / T) / (float(np.sum(w * w)) - 1.0 / T)))
        x = portable_softmax.move(x, logits, q, count, K_P, eta_V, eta_w)
    return SoftmaxPath(wanted, *np.array(kept).T)
