"""What the chapter looks at: right answers, divergence from the truth, direction of V, the places attended to.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 5 (experiments).
"""

import numpy as np
from numpy.typing import NDArray

from lib.models.random_walk.walks import Array, Nodes, Walks

_TIE = 1e-12  # outputs so close, relative to the largest, are equal: the smallest node is taken
_LEAST = 1e-12  # outputs of random starts can be negative


def predicted(output: Array) -> Nodes:
    """The node with the largest output (..., K), the first among equals up to rounding."""
    top = output.max(axis=-1, keepdims=True)
    return np.argmax(output >= top - _TIE * np.maximum(1.0, np.abs(top)), axis=-1)


def accuracy(output: Array, walks: Walks) -> Array:
    """Share of targets predicted, by weight, (R,), from outputs (R, n, K)."""
    return (walks.weight * (predicted(output) == walks.s[..., -1])).sum(axis=-1)


def turned_accuracy(output: Array, weight: Array) -> Array:
    """Share of targets predicted over all turns of the walks, by weight, (R,), from outputs (R, n, K) by turn.

    Entry k is the output at the node k steps clockwise of the target. Among equals the smallest node is taken; over all
    turns that is the target in K - k of K cases, k the furthest of them.
    """
    K, top = output.shape[-1], output.max(axis=-1, keepdims=True)
    equal = output >= top - _TIE * np.maximum(1.0, np.abs(top))
    furthest = K - 1 - np.argmax(equal[..., ::-1], axis=-1)
    return (weight * equal[..., 0] * (K - furthest) / K).sum(axis=-1)


def divergence(output: Array, law: Array, weight: Array) -> Array:
    """Kullback-Leibler divergence in nats of the outputs over their sum from the true law, mean by weight, (R,).

    Args:
        output: (R, n, K); what is below 1e-12 counts as that.
        law: (R or 1, n, K) the truth, rows sum to 1.
        weight: (R or 1, n), rows sum to 1.
    """
    q = np.maximum(output, _LEAST)
    q = q / q.sum(axis=-1, keepdims=True)
    terms = law * (np.log(np.where(law > 0, law, 1)) - np.log(q))
    return (weight * terms.sum(axis=-1)).sum(axis=-1)


def direction_distance(V: Array, target: Array) -> Array:
    """Distance |V/|V| - T/|T|| between directions, Frobenius norms, (R,), of V (R, K, K) and T (K, K); 1 for V = 0."""
    length = np.linalg.norm(V, axis=(-2, -1), keepdims=True)
    return np.linalg.norm(V / np.where(length > 0, length, 1) - target / np.linalg.norm(target), axis=(-2, -1))


def attended_lag(attention: Array) -> NDArray[np.intp]:
    """How many steps before the target the most attended token lies, (R,), of S (R, n, N) or (R, N)."""
    S = attention if attention.ndim == 2 else attention.mean(axis=1)
    return S.shape[-1] - 1 - np.argmax(S[:, :-1], axis=-1)


def odd_lags(attention: Array) -> Array:
    """Attention on odd lags less that on even ones, mean over walks, (...), of S (..., n, N)."""
    by_lag = attention.mean(axis=-2)[..., -2::-1]
    return by_lag[..., ::2].sum(axis=-1) - by_lag[..., 1::2].sum(axis=-1)
