"""Risks of rules beside the paper's: least squares, and one step read on endless prompts.

Chapter `linear_block`. A task and its risks are those of `lib.theory.linear_block`; what is out of range raises
InputError.
"""

import math

import numpy as np

from lib.errors import require
from lib.theory._arrays import Array
from lib.theory.linear_block import Task


def long_risk(task: Task, beta: Array, Gamma: Array) -> float:
    r"""Risk of a given step on endless prompts: $\sigma^2 + \mathrm{tr}(H(I - \Gamma H)A(I - \Gamma H)^\top)$. Ours."""
    H, Delta = task.H, beta - task.mean
    left = np.eye(len(H)) - Gamma @ H
    A = task.Psi + np.outer(Delta, Delta)
    return float(task.sigma**2 + np.sum((H @ left @ A) * left))


def least_squares_risk(task: Task) -> float:
    r"""Risk of the least-squares estimator of smallest norm; textbook knowledge (moments of inverse Wishart matrices).

    For $M \ge d + 2$ and any invertible H: $\sigma^2(1 + \frac d{M-d-1})$. For $M \le d - 2$ and $H = I$:
    $\sigma^2 + (1 - \frac Md)(\mathrm{tr}\Psi + \lVert\beta^*\rVert^2) + \sigma^2\frac M{d-M-1}$; of another H it is
    refused. Between them it is infinite, unless the noise is zero.
    """
    H, M, d, noise = task.H, task.M, len(task.H), task.sigma**2
    if d + 2 <= M:
        require(np.linalg.matrix_rank(H) == d, "H", "an invertible covariance", H)
        return noise * (1 + d / (M - d - 1))
    if noise == 0 and d <= M:
        return 0.0
    if d - 1 <= M and noise > 0:
        return math.inf
    require(np.array_equal(H, np.eye(d)), "H", f"the identity for M = {M} below d = {d}", H)
    missed = (1 - M / d) * float(np.trace(task.Psi) + task.mean @ task.mean)
    return missed + (noise * (1 + M / (d - M - 1)) if noise > 0 else 0.0)
