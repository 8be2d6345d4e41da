"""One learned gradient step (equation 5.1) on drawn prompts, a block that takes it, the Bayes predictor; random tasks.

Chapter `linear_block`. Shapes, losses and refusals are those of `lib.models.linear_block`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from lib.errors import require, whole
from lib.models.linear_block.fast import Array, OnPrompts, Prompts, Task, Weights
from lib.sampling import Rngs


def random_task(
    rng: np.random.Generator, d: int = 4, M: int = 7, sigma: float = math.sqrt(0.3), norm: float | None = None
) -> Task:
    """A task with random covariances of full rank, not commuting, and a normal mean, of length `norm` where given."""
    A, B = rng.standard_normal((2, whole("d", d, 1), d))
    H, Psi = (root @ root.T / d + 0.1 * np.eye(d) for root in (A, B))
    mean = rng.standard_normal(d)
    return Task(H, Psi, mean if norm is None else norm * mean / np.linalg.norm(mean), sigma, M)


class Step(NamedTuple):
    """Parameters of R one-step estimators."""

    beta: Array  #: (R, d) start
    Gamma: Array  #: (R, d, d) step matrix


def step_output(params: Step, prompts: Prompts) -> Array:
    """Predicted label of the query, (R, B)."""
    return _stepped(params, prompts)[0]


class OneStep(OnPrompts):
    """The estimator as a problem for `lib.train.train`, on prompts of a task; runs start at zero."""

    def __init__(self, task: Task) -> None:
        self.task = task

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


def bayes_output(task: Task, prompts: Prompts) -> Array:
    """The posterior mean, (R, B): ridge regression centred at the prior mean, in the metric of Psi.

    Raises:
        InputError: if the noise is zero: the posterior mean is then a limit that this form does not take.
    """
    require(task.sigma > 0, "sigma", "a number above 0", task.sigma)
    X, y, x, _ = prompts
    Z, residual = X @ task.Psi_root, y - X @ task.mean
    A = np.matmul(Z.swapaxes(-1, -2), Z) + task.sigma**2 * np.eye(task.d)
    found = np.linalg.solve(A, np.matmul(Z.swapaxes(-1, -2), residual[..., None]))[..., 0]
    return x @ task.mean + np.sum((x @ task.Psi_root) * found, axis=-1)


def literal_output(weights: Weights, prompts: Prompts, mlp: bool = True, mask: bool = True) -> Array:
    """The block as it is written, token matrix and all: (R, B).

    Args:
        weights: the six matrices.
        prompts: the batch.
        mlp: with the MLP; without it $W_2^\\top W_1$ is the identity.
        mask: whether the query is kept from being a key and a value.
    """
    E = prompts.tokens().swapaxes(-1, -2)  # (R, B, d + 1, M + 1)
    K, Q, P, V, W1, W2 = (W[:, None] for W in weights)
    kept = np.ones(E.shape[-1])
    kept[-1] = 0.0 if mask else 1.0
    mixed = (V @ E) * kept @ (E.swapaxes(-1, -2) @ (K.swapaxes(-1, -2) @ (Q @ E)))
    out = P.swapaxes(-1, -2) @ mixed / prompts.X.shape[-2] + E
    if mlp:
        out = W2.swapaxes(-1, -2) @ (W1 @ out)
    return out[..., -1, -1]


def one_step_weights(beta: Array, Gamma: Array) -> Weights:
    r"""A block of the smallest widths, $(d_k, d_v, d_f) = (d, 1, 1)$, that takes one gradient step."""
    runs, d = beta.shape
    require(Gamma.shape == (runs, d, d), "Gamma", f"shape ({runs}, {d}, {d})", Gamma.shape)
    column, last = np.zeros((runs, d, 1)), np.zeros((runs, 1, d + 1))
    last[..., d] = 1.0
    K = np.concatenate([np.broadcast_to(np.eye(d), (runs, d, d)), column], axis=-1)
    Q = np.concatenate([Gamma.swapaxes(-1, -2), column], axis=-1)
    V = np.concatenate([-beta, np.ones((runs, 1))], axis=-1)[:, None]
    W1 = np.concatenate([beta, np.ones((runs, 1))], axis=-1)[:, None]
    return Weights(K, Q, last, V, W1, last.copy())
