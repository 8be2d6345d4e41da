r"""The linear transformer block in the parameters that its output depends on; fast, no matrix of tokens.

Chapter `linear_block`. Source: arXiv 2402.14951, Section 3; the reduction is that of its proofs (equation D.1). The
output is $f = \alpha^\top x + \frac1M\sum_i(v^\top x_i + cy_i)(x_i^\top Qx + y_iq^\top x)$. Without the MLP $\alpha =
0$. `weights.py` has the block with its six matrices, `textbook.py` the same in plain Python.
"""

from typing import NamedTuple

import numpy as np

from lib.errors import require
from lib.models.linear_block.task import Array, Prompts, Task
from lib.sampling import Rngs


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


class EffectiveBlock:
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

    def sample(self, batch: int, rngs: Rngs, step: int = 0) -> Prompts:
        """Fresh prompts."""
        return self.task.sample(batch, rngs)

    def loss_and_gradient(self, params: EffectiveParams, batch: Prompts) -> tuple[Array, EffectiveParams]:
        """See `block_loss_and_gradient`; without the MLP nothing moves alpha."""
        loss, gradient = block_loss_and_gradient(params, batch)
        return loss, gradient if self.mlp else gradient._replace(alpha=np.zeros_like(gradient.alpha))


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
