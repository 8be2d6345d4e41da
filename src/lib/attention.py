"""Attention weights from parameters, the way back for gradients, and positions: what layers of every chapter share."""

import numpy as np
from numpy.typing import NDArray

from lib.errors import require, whole

Array = NDArray[np.float64]


def softmax(logits: Array, axis: int = -1) -> Array:
    """Softmax of `logits` (..., T), in nats, along `axis`, computed without overflow: positive, with sum 1."""
    e = np.exp(logits - logits.max(axis=axis, keepdims=True))
    return np.divide(e, e.sum(axis=axis, keepdims=True), out=e)


def softmax_pullback(weights: Array, gradient: Array, axis: int = -1) -> Array:
    """Gradient in the logits from the gradient g in the weights a, all (..., T): (diag(a) - a a^T) g; it sums to 0."""
    return weights * (gradient - np.sum(weights * gradient, axis=axis, keepdims=True))


def sine_positions(N: int, M: int) -> Array:
    r"""Positions $[p_j]_k = \sin(jk\pi/(M+1))$, one a row, (N, M), N <= M: orthogonal, of squared length (M + 1)/2.

    Source: arXiv 2511.23239 (orthogonality lemma); 2504.08638 has orthogonal sine functions without their form.
    """
    N, M = whole("N", N, 1), whole("M", M, 1)
    require(M >= N, "M", f"at least N = {N}, so that positions are orthogonal", M)
    return np.sin(np.outer(np.arange(1, N + 1), np.arange(1, M + 1)) * (np.pi / (M + 1)))
