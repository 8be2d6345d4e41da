r"""One softmax attention layer on tokens with positions: value vector v and key-query matrix W, learned together.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 2.

Example i has the tokens $h_j = [x_j; p_j]$. Key i gets from query j the weight $S_{ij}$, a softmax over keys, and the
output adds up all queries: $f = v^\top H S 1$. The gradients are closed forms; all products over examples are matrix
products.
"""

from typing import NamedTuple

import numpy as np

from lib.attention import softmax
from lib.errors import require, whole
from lib.models.group_sparse.losses import logistic, logistic_slope
from lib.models.group_sparse.task import Array, Examples, Task
from lib.sampling import Rngs


class Params(NamedTuple):
    """Parameters of R runs; the first d entries belong to variables, the other D to positions."""

    v: Array  #: (R, d + D) value vector
    W: Array  #: (R, d + D, d + D) merged key-query matrix


def sine_positions(D: int) -> Array:
    r"""Positions $[p_j]_k = \sin(jk\pi/(D+1))$, one a row, (D, D): orthogonal, of squared length (D + 1)/2.

    Raises:
        InputError: if D < 1.

    Source: arXiv 2504.08638 (orthogonal sine functions); the exact form is assumed.
    """
    k = np.arange(1, whole("D", D, 1) + 1)
    return np.sin(np.outer(k, k) * (np.pi / (D + 1)))


class GroupTransformer:
    """The task with its model, in the form that `lib.train.train` asks for; a batch is freshly drawn.

    A fixed training set is `lib.train.GivenBatches(GroupTransformer(task), [task.sample(n, rngs)])`.

    Args:
        task: the task.
        positions: one row a group (D, D); default `sine_positions`.

    Raises:
        InputError: if `positions` has another shape.
    """

    def __init__(self, task: Task, positions: Array | None = None) -> None:
        self.task = task
        self.positions = sine_positions(task.D) if positions is None else np.array(positions, dtype=np.float64)
        shape = self.positions.shape
        require(shape == (task.D, task.D), "positions", f"shape {(task.D, task.D)}", shape)

    def init(self, runs: int = 1, rngs: Rngs = ()) -> Params:
        """All zeros: attention is even, the output 0."""
        size = self.task.d + self.task.D
        return Params(np.zeros((whole("runs", runs, 1), size)), np.zeros((runs, size, size)))

    def sample(self, batch: int, rngs: Rngs, step: int = 0) -> Examples:
        """Fresh examples; see `Task.sample`."""
        return self.task.sample(batch, rngs)

    def tokens(self, X: Array) -> Array:
        """The tokens [x_j; p_j], (R or 1, n, D, d + D), of groups (R or 1, n, D, d)."""
        H = np.empty((*X.shape[:-1], self.task.d + self.task.D))
        H[..., : self.task.d] = X
        H[..., self.task.d :] = self.positions
        return H

    def attention(self, params: Params, X: Array) -> Array:
        """The weights S (R, n, D, D): entry [i, j] is what query j puts on key i; columns sum to 1."""
        return _attend(self.tokens(X), params.W)

    def output(self, params: Params, X: Array) -> Array:
        """f (R, n) of groups (R or 1, n, D, d)."""
        H = self.tokens(X)
        u = np.matmul(H, params.v[:, None, :, None])[..., 0]
        return (u * _attend(H, params.W).sum(axis=-1)).sum(axis=-1)

    def loss_and_gradient(self, params: Params, batch: Examples) -> tuple[Array, Params]:
        """Mean logistic loss (R,) in nats over the batch, and its gradient; see `loss_and_gradient`."""
        return loss_and_gradient(params, self.tokens(batch.X), batch.y)


def loss_and_gradient(params: Params, H: Array, y: Array) -> tuple[Array, Params]:
    r"""Mean of $\log(1 + e^{-yf})$ and its exact gradient, for tokens that are given.

    $\nabla_v = E[c\,HS1]$ and $\nabla_W = E[H\gamma H^\top]$, $\gamma_{ij} = c\,S_{ij}(u_i - \bar u_j)$, with
    $c = -y/(1 + e^{yf})$, $u = H^\top v$ and $\bar u_j = \sum_i S_{ij} u_i$.

    Args:
        params: of R runs.
        H: (R or 1, n, D, m) tokens, one a row.
        y: (R or 1, n) labels.

    Returns:
        Loss (R,) in nats, gradient.

    Source: arXiv 2504.08638, Section 2; gradient by the chain rule.
    """
    runs, n, (D, m) = len(params.v), H.shape[1], H.shape[2:]
    S = _attend(H, params.W)
    u = np.matmul(H, params.v[:, None, :, None])[..., 0]  # (R, n, D)
    mean = np.matmul(u[..., None, :], S)  # (R, n, 1, D): bar u_j
    margin = y * mean.sum(axis=(-2, -1))
    slope = y * logistic_slope(margin) / n  # (R, n)
    weight = slope[..., None] * S.sum(axis=-1)
    tokens = np.broadcast_to(H, (runs, n, D, m)).reshape(runs, n * D, m)
    v = np.matmul(weight.reshape(runs, 1, n * D), tokens)[:, 0]
    inner = (slope[..., None] * u)[..., None] * S - (slope[..., None, None] * mean) * S
    spread = np.matmul(inner, H).reshape(runs, n * D, m)  # sum_j gamma_ij h_j
    return logistic(margin).mean(axis=-1), Params(v, np.matmul(tokens.swapaxes(-1, -2), spread))


def _attend(H: Array, W: Array) -> Array:
    return softmax(np.matmul(np.matmul(H, W[:, None]), H.swapaxes(-1, -2)), axis=-2)
