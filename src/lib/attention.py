"""Attention weights from parameters, and the way back for gradients: the primitives every chapter shares."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def softmax(logits: Array, axis: int = -1) -> Array:
    """Softmax along `axis`, computed without overflow.

    Args:
        logits: (..., T) real numbers, in nats.
        axis: the axis that sums to 1 in the result.

    Returns:
        Array of the same shape, positive, summing to 1 along `axis`.
    """
    e = np.exp(logits - logits.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def softmax_pullback(weights: Array, gradient: Array, axis: int = -1) -> Array:
    """Gradient in the logits from the gradient in the weights: (diag(a) - a a^T) g.

    Args:
        weights: (..., T) softmax weights a.
        gradient: (..., T) gradient g of the loss in the weights.
        axis: the axis of the softmax.

    Returns:
        Array of the same shape; it sums to zero along `axis`.
    """
    return weights * (gradient - np.sum(weights * gradient, axis=axis, keepdims=True))
