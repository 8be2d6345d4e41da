r"""One preconditioned gradient step from a learned start, and the step from zero, as problems.

Chapter `linear_block`. Source: arXiv 2402.14951, equation 5.1: $f = \langle\beta - \Gamma\frac1MX^\top(X\beta - y),
x\rangle$.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import require
from lib.models.linear_block.task import Array, Prompts, Task
from lib.sampling import Rngs


class Step(NamedTuple):
    """Parameters of R one-step estimators."""

    beta: Array  #: (R, d) start
    Gamma: Array  #: (R, d, d) step matrix


def step_output(params: Step, prompts: Prompts) -> Array:
    """Predicted label of the query, (R, B)."""
    return _stepped(params, prompts)[0]


def descent_output(rates: ArrayLike, prompts: Prompts, start: Array | None = None) -> Array:
    r"""Prediction (R, B) after plain gradient steps on a prompt's squared error, $\frac1{2M}\lVert X\beta - y\rVert^2$.

    Args:
        rates: (k,) the steps' sizes, in turn.
        prompts: the batch.
        start: (d,) where the steps begin; default zero.
    """
    X, y, x, _ = prompts
    beta = np.zeros_like(x) if start is None else np.broadcast_to(start, x.shape)
    for rate in np.asarray(rates, dtype=float):
        residual = y - np.matmul(X, beta[..., None])[..., 0]
        beta = beta + rate / X.shape[-2] * np.matmul(residual[..., None, :], X)[..., 0, :]
    return np.asarray(np.sum(x * beta, axis=-1))


class OneStep:
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

    def sample(self, batch: int, rngs: Rngs, step: int = 0) -> Prompts:
        """Fresh prompts."""
        return self.task.sample(batch, rngs)

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
