"""Up to which learning rate descent on a learned step is stable, in portable Python, for H = diag(h) and Psi = psi I.

Chapter `linear_block`. The rate of `flow.stable_rate`, from zero; h begins with its largest entry.
"""

from __future__ import annotations

from lib.portable.primitives import Matrix, Vector, sqrt, zeros
from lib.portable.vectors import dot, fill
from lib.theory.linear_block.portable import step_moment, task_moment

TURNS = 300  # of the power method


def largest_eigenvalue(A: Matrix) -> float:
    """Of a symmetric matrix with entries of at least 0 and a positive diagonal, by the power method."""
    n = len(A)
    v, w, value = zeros(n), zeros(n), 0.0
    fill(v, 1.0 / sqrt(float(n)))
    for _ in range(TURNS):
        for i in range(n):
            w[i] = dot(A[i], v)
        value = sqrt(dot(w, w))
        for i in range(n):
            v[i] = w[i] / value
    return value


def stable_rate(h: Vector, psi: float, mean: Vector, sigma: float, M: float) -> float:
    """Below it gradient descent from zero was stable in every case tried; for a mean without negative entries."""
    A = task_moment(h, psi, mean, zeros(len(h)))
    return 1.0 / (h[0] * largest_eigenvalue(step_moment(h, A, sigma, M)))
