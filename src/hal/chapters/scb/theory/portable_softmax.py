"""Softmax attention without noise, in portable Python: one step of its mean gradient over a row's kinds of positions.

Chapter `scb`. Source: arXiv 2410.23438, Section 5.2, which names softmax attention; the recursion is beyond the paper.
A row has useful positions of weights q, each a kind of its own with count 1, and one kind of all others, with weight 0.
"""

from lib.portable.numbers import exp
from lib.portable.primitives import Vector, zeros
from lib.portable.vectors import largest


def weights(logits: Vector, count: Vector) -> Vector:
    """The attention (K,) on one position of each kind, whose logits are these."""
    a, top, whole = zeros(len(logits)), largest(logits), 0.0
    for i in range(len(a)):
        a[i] = exp(logits[i] - top)
        whole += count[i] * a[i]
    for i in range(len(a)):
        a[i] = a[i] / whole
    return a


def move(x: float, logits: Vector, q: Vector, count: Vector, K_P: float, eta_V: float, eta_w: float) -> float:
    """alpha_V after one step from alpha_V = x; the logits move, too."""
    a = weights(logits, count)
    overlap, norm2, mean = 0.0, 0.0, 0.0
    for i in range(len(a)):
        overlap += q[i] * a[i]
        norm2 += count[i] * a[i] * a[i]
        mean += count[i] * a[i] * K_P * x * (q[i] - x * a[i])
    for i in range(len(a)):
        logits[i] += eta_w * a[i] * (K_P * x * (q[i] - x * a[i]) - mean)
    return x + eta_V * (overlap - norm2 * x)
