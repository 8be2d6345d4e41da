"""Estimators that learn nothing beforehand: Bayes, ridge, least squares; predictions at the query.

Chapter `linear_block`. Source: arXiv 2402.14951, Lemma 6.1 (Bayes); the others are textbook knowledge.
"""

import numpy as np

from lib.errors import require
from lib.models.linear_block.task import Array, Prompts, Task


def bayes_output(task: Task, prompts: Prompts) -> Array:
    """The posterior mean, (R, B): ridge regression centred at the prior mean, in the metric of Psi.

    Raises:
        InputError: if the noise is zero: the posterior mean is then a limit that this form does not take.
    """
    require(task.sigma > 0, "sigma", "a number above 0", task.sigma)
    X, y, x, _ = prompts
    Z = X @ task.Psi_root
    residual = y - X @ task.mean
    found = _ridge(Z, residual, task.sigma**2)
    return x @ task.mean + np.sum((x @ task.Psi_root) * found, axis=-1)


def ridge_output(prompts: Prompts, penalty: float) -> Array:
    """Ridge regression centred at zero, (R, B): minimises the sum of squares plus penalty times the squared length.

    Raises:
        InputError: if the penalty is not above 0.
    """
    require(np.isfinite(penalty) and penalty > 0, "penalty", "a finite number above 0", penalty)
    return np.sum(prompts.x * _ridge(prompts.X, prompts.y, penalty), axis=-1)


def least_squares_output(prompts: Prompts) -> Array:
    """Least squares of smallest norm, (R, B)."""
    found = np.matmul(np.linalg.pinv(prompts.X), prompts.y[..., None])[..., 0]
    return np.sum(prompts.x * found, axis=-1)


def squared_error(output: Array, prompts: Prompts) -> Array:
    """Mean squared error (R,) of outputs (R, B) at the query."""
    return np.mean((output - prompts.target) ** 2, axis=-1)


def _ridge(Z: Array, y: Array, penalty: float) -> Array:
    """(..., d) minimisers."""
    A = np.matmul(Z.swapaxes(-1, -2), Z) + penalty * np.eye(Z.shape[-1])
    return np.linalg.solve(A, np.matmul(Z.swapaxes(-1, -2), y[..., None]))[..., 0]
