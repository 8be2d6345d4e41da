"""Attention weights from parameters, and the way back for gradients: the primitives every chapter shares."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def softmax(logits: Array, axis: int = -1) -> Array:
    """Softmax of `logits` (..., T), in nats, along `axis`, computed without overflow: positive, with sum 1."""
    e = np.exp(logits - logits.max(axis=axis, keepdims=True))
    return np.divide(e, e.sum(axis=axis, keepdims=True), out=e)


def softmax_pullback(weights: Array, gradient: Array, axis: int = -1) -> Array:
    """Gradient in the logits from the gradient g in the weights a, all (..., T): (diag(a) - a a^T) g; it sums to 0."""
    return weights * (gradient - np.sum(weights * gradient, axis=axis, keepdims=True))
