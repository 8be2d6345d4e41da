r"""The linear transformer block: by the parameters that its output depends on, and with its six weight matrices.

Chapter `linear_block`. Source: arXiv 2402.14951, Section 3 (the block), equation D.1 (the reduction), Lemma 5.1 (it
contains every one-step estimator); the smallest widths are ours. With token matrix E, columns $(x_i, y_i)$ and last the
query $(x, 0)$, $f = [W_2^\top W_1(E + \frac1MW_P^\top W_VE\mathsf ME^\top W_K^\top W_QE)]_{d+1,M+1}$, and the mask
$\mathsf M$ keeps the query from being a key or a value. All that this can say is $f = \alpha^\top x +
\frac1M\sum_i(v^\top x_i + cy_i)(x_i^\top Qx + y_iq^\top x)$, with $\alpha = 0$ without the MLP; no matrix of tokens is
needed. `textbook.py` has the same in plain Python.
"""

from typing import NamedTuple

import numpy as np

from lib.errors import require
from lib.models.linear_block.task import Array, OnPrompts, Prompts, Task
from lib.sampling import Rngs

STARTS = ("generic", "near identity")


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


class EffectiveBlock(OnPrompts):
    """The block as a problem for `lib.train.train`, in its effective parameters.

    Args:
        task: what it learns.
        mlp: with the MLP; without it alpha stays 0.
        start: standard deviation of the entries at the start, to which 0.3 is added in c and 0.3 I in Q: values by
            label, scores by features.

    Raises:
        InputError: if the start is negative.

    Example:
        >>> from lib.models.linear_block import power_task
        >>> from lib.optim import adam
        >>> from lib.train import train
        >>> block = EffectiveBlock(power_task(d=2, M=10, norm=1.0))
        >>> run = train(block, None, adam(0.01), 200, 64, np.random.default_rng(0))
        >>> bool(run["loss"][0, -1] < run["loss"][0, 0])
        True
    """

    def __init__(self, task: Task, mlp: bool = True, start: float = 0.02) -> None:
        require(np.isfinite(start) and start >= 0, "start", "a finite number of at least 0", start)
        self.task, self.mlp, self.start = task, bool(mlp), float(start)

    def init(self, runs: int, rngs: Rngs) -> EffectiveParams:
        """The start, run r from rngs[r] alone."""
        require(len(rngs) == runs, "rngs", f"{runs} generators", len(rngs))
        d = self.task.d
        drawn = self.start * np.stack([rng.standard_normal(3 * d + 1 + d * d) for rng in rngs])
        alpha, v, c, q, Q = np.split(drawn, [d, 2 * d, 2 * d + 1, 3 * d + 1], axis=1)
        return EffectiveParams(alpha * self.mlp, v, c[:, 0] + 0.3, Q.reshape(runs, d, d) + 0.3 * np.eye(d), q)

    def loss_and_gradient(self, params: EffectiveParams, batch: Prompts) -> tuple[Array, EffectiveParams]:
        """See `block_loss_and_gradient`; without the MLP nothing moves alpha."""
        loss, gradient = block_loss_and_gradient(params, batch)
        return loss, gradient if self.mlp else gradient._replace(alpha=np.zeros_like(gradient.alpha))


class Weights(NamedTuple):
    """Weight matrices of R blocks; every one has d + 1 columns."""

    K: Array  #: (R, d_k, d + 1) keys
    Q: Array  #: (R, d_k, d + 1) queries
    P: Array  #: (R, d_v, d + 1) projection
    V: Array  #: (R, d_v, d + 1) values
    W1: Array  #: (R, d_f, d + 1) first matrix of the MLP
    W2: Array  #: (R, d_f, d + 1) second matrix of the MLP


def literal_output(
    weights: Weights, prompts: Prompts, mlp: bool = True, mask: bool = True, residual: bool = True
) -> Array:
    """The block as it is written, token matrix and all: (R, B).

    Args:
        weights: the six matrices.
        prompts: the batch.
        mlp: with the MLP; without it $W_2^\\top W_1$ is the identity.
        mask: whether the query is kept from being a key and a value.
        residual: whether the tokens are added to what attention gives.
    """
    E = prompts.tokens().swapaxes(-1, -2)  # (R, B, d + 1, M + 1)
    K, Q, P, V, W1, W2 = (W[:, None] for W in weights)
    kept = np.ones(E.shape[-1])
    kept[-1] = 0.0 if mask else 1.0
    mixed = (V @ E) * kept @ (E.swapaxes(-1, -2) @ (K.swapaxes(-1, -2) @ (Q @ E)))
    out = P.swapaxes(-1, -2) @ mixed / prompts.X.shape[-2]
    if residual:
        out = out + E
    if mlp:
        out = W2.swapaxes(-1, -2) @ (W1 @ out)
    return out[..., -1, -1]


def effective_of(weights: Weights, mlp: bool = True, residual: bool = True) -> EffectiveParams:
    """What the output depends on: all that the six matrices can say, with MLP and residual or without."""
    b, read = _last_row(weights, mlp)
    row = np.matmul(read[:, None], weights.V)[:, 0]
    d = row.shape[-1] - 1
    A = np.matmul(weights.K.swapaxes(-1, -2), weights.Q[..., :d])
    alpha = b[:, :d] if mlp and residual else np.zeros_like(b[:, :d])
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


def one_step_weights(beta: Array, Gamma: Array) -> Weights:
    r"""A block of the smallest widths, $(d_k, d_v, d_f) = (d, 1, 1)$, that takes one gradient step.

    Raises:
        InputError: if the shapes of start (R, d) and step matrix (R, d, d) disagree.
    """
    runs, d = beta.shape
    require(Gamma.shape == (runs, d, d), "Gamma", f"shape ({runs}, {d}, {d})", Gamma.shape)
    column, last = np.zeros((runs, d, 1)), np.zeros((runs, 1, d + 1))
    last[..., d] = 1.0
    K = np.concatenate([np.broadcast_to(np.eye(d), (runs, d, d)), column], axis=-1)
    Q = np.concatenate([Gamma.swapaxes(-1, -2), column], axis=-1)
    V = np.concatenate([-beta, np.ones((runs, 1))], axis=-1)[:, None]
    W1 = np.concatenate([beta, np.ones((runs, 1))], axis=-1)[:, None]
    return Weights(K, Q, last, V, W1, last.copy())


class LinearBlock(OnPrompts):
    """The block with its six square matrices, as a problem for `lib.train.train`.

    Args:
        task: what it learns.
        mlp: with the MLP; without it W1 and W2 are not used.
        start: "generic", entries from N(0, scale^2), or "near identity": labels on the value side, features on the key
            side, W1 = W2 = I, plus N(0, scale^2). No start is at zero, which is a critical point.
        scale: standard deviation, above 0; default 0.3 generic, 0.02 near identity.

    Raises:
        InputError: if the start is unknown or the scale not positive.
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
