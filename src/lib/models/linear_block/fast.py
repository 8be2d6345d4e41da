r"""The task, the linear transformer block and one learned step, with exact gradients, many runs side by side.

Chapter `linear_block`. Source: Zhang, Wu, Bartlett, arXiv 2402.14951, Assumption 3.1 (the task: a task vector from
N(mean, Psi), M examples and a query with features from N(0, H) and labels x'task + noise), Section 3 (the block),
equation D.1 (the reduction), equation 5.1 (the step). Leading axes R are runs, B prompts of a batch. What is out of
range raises InputError. `textbook.py` has the block in plain Python, on all prompts there are.

With token matrix E, columns $(x_i, y_i)$ and last the query $(x, 0)$, $f = [W_2^\top W_1(E + \frac1MW_P^\top
W_VE\mathsf ME^\top W_K^\top W_QE)]_{d+1,M+1}$, and the mask $\mathsf M$ keeps the query from being a key or a value.
All that this can say is $f = \alpha^\top x + \frac1M\sum_i(v^\top x_i + cy_i)(x_i^\top Qx + y_iq^\top x)$, with
$\alpha = 0$ without the MLP; no matrix of tokens is needed.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.errors import require, whole
from lib.sampling import Rngs

__all__ = [
    "STARTS", "EffectiveParams", "LinearBlock", "Prompts", "Task", "Weights", "block_loss_and_gradient",
    "block_output", "effective_of", "power_task", "squared_error", "weight_gradient",
]  # fmt: skip

Array = NDArray[np.float64]
STARTS = ("generic", "near identity")
_SAME = 1e-10  # of the largest entry: what rounding may make of a symmetric, positive semi-definite matrix


class Prompts(NamedTuple):
    """A batch of prompts for R runs."""

    X: Array  #: (R, B, M, d) features of the examples
    y: Array  #: (R, B, M) their labels
    x: Array  #: (R, B, d) features of the query
    target: Array  #: (R, B) its label, hidden from the model

    def tokens(self) -> Array:
        """(R, B, M + 1, d + 1) examples with their labels, and the query with 0 last."""
        labels = np.concatenate([self.y, np.zeros_like(self.y[..., :1])], axis=-1)
        features = np.concatenate([self.X, self.x[..., None, :]], axis=-2)
        return np.concatenate([features, labels[..., None]], axis=-1)


class Task:
    """A law of prompts.

    Args:
        H: (d, d) feature covariance, symmetric and positive semi-definite; it may be singular.
        Psi: (d, d) task covariance, likewise.
        mean: (d,) prior mean of the task vector.
        sigma: standard deviation of the label noise, at least 0.
        M: labelled examples in a prompt, at least 1.

    Example:
        >>> task = Task(np.eye(2), np.eye(2), [1.0, -1.0], sigma=0.5, M=10)
        >>> task.sample(3, [np.random.default_rng(0)]).X.shape
        (1, 3, 10, 2)
    """

    def __init__(self, H: ArrayLike, Psi: ArrayLike, mean: ArrayLike, sigma: float = 1.0, M: int = 32) -> None:
        self.mean = np.array(mean, dtype=np.float64)  #: (d,)
        require(self.mean.ndim == 1 and self.mean.size > 0, "mean", "a vector (d,)", self.mean.shape)
        require(np.all(np.isfinite(self.mean)), "mean", "finite numbers", self.mean)
        self.d = len(self.mean)  #: dimension of the features
        self.H, self.H_root = _covariance("H", H, self.d)  #: (d, d), and its principal square root
        self.Psi, self.Psi_root = _covariance("Psi", Psi, self.d)  #: (d, d), and its principal square root
        require(math.isfinite(sigma) and sigma >= 0, "sigma", "a finite number of at least 0", sigma)
        self.sigma, self.M = float(sigma), whole("M", M, 1)

    def but(self, **changed: Any) -> Task:
        """The same task with some of H, Psi, mean, sigma, M changed."""
        return Task(**{"H": self.H, "Psi": self.Psi, "mean": self.mean, "sigma": self.sigma, "M": self.M, **changed})

    def sample(self, batch: int, rngs: Rngs) -> Prompts:
        """Prompts of fresh tasks, B >= 1 a run; of R generators run r draws from rngs[r] alone."""
        shape = (whole("batch", batch, 1), self.M + 1, self.d)
        drawn = [
            (r.standard_normal((shape[0], self.d)), r.standard_normal(shape), r.standard_normal(shape[:2]))
            for r in rngs
        ]
        z, features, noise = (np.stack(part) for part in zip(*drawn, strict=True))
        tasks = self.mean + z @ self.Psi_root
        X = features @ self.H_root
        y = np.matmul(X, tasks[..., None])[..., 0] + self.sigma * noise
        return Prompts(X[..., :-1, :], y[..., :-1], X[..., -1, :], y[..., -1])


class OnPrompts:
    """What all problems of the chapter share: a task, and batches of its prompts."""

    task: Task

    def sample(self, batch: int, rngs: Rngs, step: int = 0) -> Prompts:
        """Fresh prompts."""
        return self.task.sample(batch, rngs)


def power_task(
    d: int = 8, M: int = 32, sigma: float = 1.0, norm: float = 3.0, decay: float = 0.0, psi: float = 1.0
) -> Task:
    """A task with a spectrum: H = diag(i^-decay), Psi = psi I, and a mean of equal entries.

    Args:
        d: dimension, at least 1.
        M: examples, at least 1.
        sigma: standard deviation of the noise, at least 0.
        norm: length of the prior mean, at least 0.
        decay: power of the spectrum's decay, at least 0.
        psi: variance of a task vector's entry, at least 0.
    """
    d = whole("d", d, 1)
    for name, value in (("norm", norm), ("decay", decay), ("psi", psi)):
        require(math.isfinite(value) and value >= 0, name, "a finite number of at least 0", value)
    spectrum = np.arange(1, d + 1) ** -float(decay)
    return Task(np.diag(spectrum), psi * np.eye(d), np.full(d, norm / math.sqrt(d)), sigma, M)


class EffectiveParams(NamedTuple):
    """Parameters of R blocks."""

    alpha: Array  #: (R, d) what the residual copy of the query is worth
    v: Array  #: (R, d) value of an example by its features
    c: Array  #: (R,) value of an example by its label
    Q: Array  #: (R, d, d) score of an example's features for the query
    q: Array  #: (R, d) score of an example's label for the query


def block_output(params: EffectiveParams, prompts: Prompts) -> Array:
    """Predicted label of the query, (R, B)."""
    return _read(params, prompts)[0]


def block_loss_and_gradient(params: EffectiveParams, prompts: Prompts) -> tuple[Array, EffectiveParams]:
    """Mean squared error (R,) of the query's label over the batch, no factor one half, and its gradient."""
    f, value, score = _read(params, prompts)
    X, y, x, target = prompts
    error = f - target
    r = 2 * error / error.shape[-1]  # (R, B)
    share = (r / X.shape[-2])[..., None]
    scored, valued = share * score, share * value  # (R, B, M)
    rx = r[..., None] * x
    v = np.einsum("rbm,rbmi->ri", scored, X)
    read = np.matmul(valued[..., None, :], X)[..., 0, :]  # (R, B, d)
    Q = np.matmul(read.swapaxes(-1, -2), x)
    q = np.matmul(np.sum(valued * y, axis=-1)[..., None, :], x)[..., 0, :]
    gradient = EffectiveParams(rx.sum(axis=1), v, np.sum(scored * y, axis=(-2, -1)), Q, q)
    return np.mean(error**2, axis=-1), gradient


class Weights(NamedTuple):
    """Weight matrices of R blocks; every one has d + 1 columns."""

    K: Array  #: (R, d_k, d + 1) keys
    Q: Array  #: (R, d_k, d + 1) queries
    P: Array  #: (R, d_v, d + 1) projection
    V: Array  #: (R, d_v, d + 1) values
    W1: Array  #: (R, d_f, d + 1) first matrix of the MLP
    W2: Array  #: (R, d_f, d + 1) second matrix of the MLP


def effective_of(weights: Weights, mlp: bool = True) -> EffectiveParams:
    """What the output depends on: all that the six matrices can say, with MLP or without."""
    b, read = _last_row(weights, mlp)
    row = np.matmul(read[:, None], weights.V)[:, 0]
    d = row.shape[-1] - 1
    A = np.matmul(weights.K.swapaxes(-1, -2), weights.Q[..., :d])
    alpha = b[:, :d] if mlp else np.zeros_like(b[:, :d])
    return EffectiveParams(alpha, row[:, :d], row[:, d], A[:, :d], A[:, d])


def weight_gradient(weights: Weights, gradient: EffectiveParams, mlp: bool = True) -> Weights:
    """The gradient in the weights from that in the effective parameters."""
    b, read = _last_row(weights, mlp)
    row = np.concatenate([gradient.v, gradient.c[:, None]], axis=-1)
    A = np.concatenate([gradient.Q, gradient.q[:, None]], axis=1)  # (R, d + 1, d)
    d = A.shape[-1]
    d_read = np.matmul(weights.V, row[..., None])[..., 0]
    db = np.matmul(d_read[:, None], weights.P)[:, 0]
    W1, W2 = np.zeros_like(weights.W1), np.zeros_like(weights.W2)
    if mlp:
        db[:, :d] += gradient.alpha
        W1 = weights.W2[..., d][..., None] * db[:, None]
        W2[..., d] = np.matmul(weights.W1, db[..., None])[..., 0]
    Q = np.zeros_like(weights.Q)
    Q[..., :d] = np.matmul(weights.K, A)
    K = np.matmul(weights.Q[..., :d], A.swapaxes(-1, -2))
    return Weights(K, Q, d_read[..., None] * b[:, None], read[..., None] * row[:, None], W1, W2)


class LinearBlock(OnPrompts):
    """The block with its six square matrices, as a problem for `lib.train.train`.

    Args:
        task: what it learns.
        mlp: with the MLP; without it W1 and W2 are not used.
        start: "generic", entries from N(0, scale^2), or "near identity": labels on the value side, features on the key
            side, W1 = W2 = I, plus N(0, scale^2). No start is at zero, which is a critical point.
        scale: standard deviation, above 0; default 0.3 generic, 0.02 near identity.
    """

    def __init__(self, task: Task, mlp: bool = True, start: str = "generic", scale: float | None = None) -> None:
        require(start in STARTS, "start", f"one of {', '.join(STARTS)}", repr(start))
        size = {"generic": 0.3, "near identity": 0.02}[start] if scale is None else scale
        require(np.isfinite(size) and size > 0, "scale", "a finite number above 0", size)
        self.task, self.mlp, self.start, self.scale = task, bool(mlp), start, float(size)

    def init(self, runs: int, rngs: Rngs) -> Weights:
        """The start, run r from rngs[r] alone."""
        require(len(rngs) == runs, "rngs", f"{runs} generators", len(rngs))
        n = self.task.d + 1
        drawn = self.scale * np.stack([rng.standard_normal((6, n, n)) for rng in rngs], axis=1)
        if self.start == "near identity":
            features, label = np.diag([1.0] * (n - 1) + [0.0]), np.diag([0.0] * (n - 1) + [1.0])
            one = np.eye(n)
            drawn += np.stack([0.3 * features, 0.3 * features, 0.3 * one, 0.3 * label, one, one])[:, None]
        return Weights(*drawn)

    def loss_and_gradient(self, params: Weights, batch: Prompts) -> tuple[Array, Weights]:
        """Mean squared error (R,) of the query's label, and its gradient."""
        loss, gradient = block_loss_and_gradient(effective_of(params, self.mlp), batch)
        return loss, weight_gradient(params, gradient, self.mlp)


def squared_error(output: Array, prompts: Prompts) -> Array:
    """Mean squared error (R,) of outputs (R, B) at the query."""
    return np.mean((output - prompts.target) ** 2, axis=-1)


def _read(params: EffectiveParams, prompts: Prompts) -> tuple[Array, Array, Array]:
    """Outputs (R, B), values and scores of the examples (R, B, M)."""
    alpha, v, c, Q, q = params
    X, y, x, _ = prompts
    require(X.shape[-1] == alpha.shape[-1], "prompts", f"d = {alpha.shape[-1]} features", X.shape[-1])
    Qx = np.matmul(x, Q.swapaxes(-1, -2))  # (R, B, d)
    qx = np.matmul(x, q[..., None])  # (R, B, 1)
    score = np.matmul(X, Qx[..., None])[..., 0] + y * qx
    value = np.matmul(X, v[:, None, :, None])[..., 0] + c[:, None, None] * y
    f = np.matmul(x, alpha[..., None])[..., 0] + np.mean(value * score, axis=-1)
    return f, value, score


def _last_row(weights: Weights, mlp: bool) -> tuple[Array, Array]:
    """The last row of W2'W1 (R, d + 1), and of W2'W1 W_P' (R, d_v)."""
    if mlp:
        b = np.matmul(weights.W2[..., -1][:, None], weights.W1)[:, 0]
    else:
        b = np.zeros((len(weights.P), weights.P.shape[-1]))
        b[:, -1] = 1.0
    return b, np.matmul(weights.P, b[..., None])[..., 0]


def _covariance(name: str, matrix: ArrayLike, d: int) -> tuple[Array, Array]:
    """A checked covariance and its principal square root."""
    A = np.array(matrix, dtype=np.float64)
    require(A.shape == (d, d), name, f"shape ({d}, {d}), as the mean has {d} entries", A.shape)
    require(np.all(np.isfinite(A)), name, "finite numbers", A)
    size = np.abs(A).max()
    require(np.abs(A - A.T).max() <= _SAME * size, name, "a symmetric matrix", A)
    A = (A + A.T) / 2
    value, vector = np.linalg.eigh(A)
    require(value[0] >= -_SAME * size, name, "a positive semi-definite matrix", f"an eigenvalue of {value[0]:.3g}")
    return A, (vector * np.sqrt(np.clip(value, 0.0, None))) @ vector.T
