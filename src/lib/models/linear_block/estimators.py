r"""What the block is compared with: gradient steps, learned and plain, and Bayes, ridge, least squares.

Chapter `linear_block`. Source: arXiv 2402.14951, equation 5.1 (one preconditioned step from a learned start: $f =
\langle\beta - \Gamma\frac1MX^\top(X\beta - y), x\rangle$) and Lemma 6.1 (Bayes); the others are textbook knowledge.
"""

from typing import NamedTuple

import numpy as np

from lib.errors import require
from lib.models.linear_block.task import Array, OnPrompts, Prompts, Task
from lib.sampling import Rngs


class Step(NamedTuple):
    """Parameters of R one-step estimators."""

    beta: Array  #: (R, d) start
    Gamma: Array  #: (R, d, d) step matrix


def step_output(params: Step, prompts: Prompts) -> Array:
    """Predicted label of the query, (R, B)."""
    return _stepped(params, prompts)[0]


class OneStep(OnPrompts):
    """The estimator as a problem for `lib.train.train`; runs start at zero.

    Args:
        task: what it learns.
        from_zero: whether beta stays 0.
    """

    def __init__(self, task: Task, from_zero: bool = False) -> None:
        self.task, self.from_zero = task, bool(from_zero)

    def init(self, runs: int, rngs: Rngs = ()) -> Step:
        """Zeros."""
        d = self.task.d
        return Step(np.zeros((runs, d)), np.zeros((runs, d, d)))

    def loss_and_gradient(self, params: Step, batch: Prompts) -> tuple[Array, Step]:
        """Mean squared error (R,) of the query's label, and its gradient."""
        f, pull = _stepped(params, batch)
        X, _, x, target = batch
        error = f - target
        rx = (2 * error / error.shape[-1])[..., None] * x  # (R, B, d)
        Gamma = np.matmul(rx.swapaxes(-1, -2), pull)
        if self.from_zero:
            return np.mean(error**2, axis=-1), Step(np.zeros_like(params.beta), Gamma)
        back = np.matmul(X, np.matmul(rx, params.Gamma)[..., None])[..., 0]  # X Gamma' x, (R, B, M)
        beta = rx.sum(axis=1) - np.einsum("rbm,rbmi->ri", back, X) / X.shape[-2]
        return np.mean(error**2, axis=-1), Step(beta, Gamma)


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


def _stepped(params: Step, prompts: Prompts) -> tuple[Array, Array]:
    """Outputs (R, B), and X'(y - X beta)/M (R, B, d)."""
    X, y, x, _ = prompts
    d = params.beta.shape[-1]
    require(X.shape[-1] == d, "prompts", f"d = {d} features", X.shape[-1])
    residual = y - np.matmul(X, params.beta[:, None, :, None])[..., 0]
    pull = np.matmul(residual[..., None, :], X)[..., 0, :] / X.shape[-2]
    f = np.matmul(x, params.beta[..., None])[..., 0] + np.sum(
        x * np.matmul(pull, params.Gamma.swapaxes(-1, -2)), axis=-1
    )
    return f, pull


def _ridge(Z: Array, y: Array, penalty: float) -> Array:
    """(..., d) minimisers."""
    A = np.matmul(Z.swapaxes(-1, -2), Z) + penalty * np.eye(Z.shape[-1])
    return np.linalg.solve(A, np.matmul(Z.swapaxes(-1, -2), y[..., None]))[..., 0]
