r"""One attention layer on tokens with positions: value vector v and key-query matrix W, learned together.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 2; the measures are those of its Section 5, their definitions
assumed; without the softmax it is beyond the paper.

Example i has the tokens $h_j = [x_j; p_j]$. Key i gets from query j the weight $S_{ij}$, a softmax over keys, and the
output adds up all queries: $f = v^\top H S 1$. The gradients are closed forms; all products over examples are matrix
products. Without the softmax $f = v^\top HH^\top WH1$: with $M = \sum_i h_ih_i^\top$ and $q = \sum_j h_j$ the output
is $f = v^\top MWq$, so $\nabla_v f = MWq$ and $\nabla_W f = Mvq^\top$.
"""

from typing import NamedTuple

import numpy as np

from lib.attention import softmax
from lib.errors import require, whole
from lib.models.group_sparse.task import Array, Examples, Task, logistic, logistic_slope
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


class LinearAttention(GroupTransformer):
    """The layer of `GroupTransformer` with weights $S = H^T WH$ of any sign and sum; arguments as there."""

    def init(self, runs: int = 1, rngs: Rngs = ()) -> Params:
        """Value 0 and every weight 1/D, where the softmax starts too; at W = 0 all gradients vanish."""
        v, W = super().init(runs)
        d, D = self.task.d, self.task.D
        W[:, d:, d:] = np.linalg.solve(self.positions, np.full((D, D), 1 / D)) @ np.linalg.inv(self.positions.T)
        return Params(v, W)

    def attention(self, params: Params, X: Array) -> Array:
        """The weights S (R, n, D, D): entry [i, j] is what query j puts on key i."""
        H = self.tokens(X)
        return np.matmul(np.matmul(H, params.W[:, None]), H.swapaxes(-1, -2))

    def output(self, params: Params, X: Array) -> Array:
        """f (R, n) of groups (R or 1, n, D, d)."""
        H = self.tokens(X)
        reading = np.matmul(H, np.matmul(params.W[:, None], H.sum(axis=-2)[..., None]))
        return (np.matmul(H, params.v[:, None, :, None]) * reading).sum(axis=(-2, -1))

    def loss_and_gradient(self, params: Params, batch: Examples) -> tuple[Array, Params]:
        """Mean logistic loss (R,) in nats over the batch, and its gradient."""
        H = self.tokens(batch.X)
        q = H.sum(axis=-2)
        M = np.matmul(H.swapaxes(-1, -2), H)
        read = np.matmul(M, np.matmul(params.W[:, None], q[..., None]))[..., 0]  # M W q
        value = np.matmul(M, params.v[:, None, :, None])[..., 0]  # M v
        margin = batch.y * np.matmul(read, params.v[..., None])[..., 0]
        slope = batch.y * logistic_slope(margin) / margin.shape[-1]
        v = np.matmul(slope[:, None], read)[:, 0]
        return logistic(margin).mean(axis=-1), Params(v, np.matmul((slope[..., None] * value).swapaxes(-1, -2), q))


def loss_and_gradient(params: Params, H: Array, y: Array) -> tuple[Array, Params]:
    r"""Mean of $\log(1 + e^{-yf})$ and its exact gradient, for tokens that are given.

    $\nabla_v = E[c\,HS1]$ and $\nabla_W = E[H\gamma H^\top]$, $\gamma_{ij} = c\,S_{ij}(u_i - \bar u_j)$, with
    $c = -y/(1 + e^{yf})$, $u = H^\top v$ and $\bar u_j = \sum_i S_{ij} u_i$.

    Tokens H are (R or 1, n, D, m), one a row, labels y (R or 1, n), the loss (R,) in nats.

    Source: arXiv 2504.08638, Section 2; gradient by the chain rule.
    """
    runs, n, (D, m) = len(params.v), H.shape[1], H.shape[2:]
    S = _examples_last(_scores(H, params.W))  # (R, key, query, n), so that sums over few keys run along the examples
    S = softmax(S, axis=1)
    u = np.ascontiguousarray(np.matmul(H, params.v[:, None, :, None])[..., 0].swapaxes(-1, -2))  # (R, D, n)
    mean = np.einsum("rkn,rkqn->rqn", u, S)  # bar u_j
    margin = y * mean.sum(axis=1)
    slope = y * logistic_slope(margin) / n  # (R, n)
    weight = np.ascontiguousarray((slope[:, None] * S.sum(axis=2)).swapaxes(-1, -2))
    tokens = np.broadcast_to(H, (runs, n, D, m)).reshape(runs, n * D, m)
    v = np.matmul(weight.reshape(runs, 1, n * D), tokens)[:, 0]
    S *= (u[:, :, None] - mean[:, None]) * slope[:, None, None]  # now gamma
    spread = np.matmul(np.ascontiguousarray(np.moveaxis(S, -1, 1)), H).reshape(runs, n * D, m)  # sum_j gamma_ij h_j
    return logistic(margin).mean(axis=-1), Params(v, np.matmul(tokens.swapaxes(-1, -2), spread))


def _scores(H: Array, W: Array) -> Array:
    return np.matmul(np.matmul(H, W[:, None]), H.swapaxes(-1, -2))


def _attend(H: Array, W: Array) -> Array:
    return softmax(_scores(H, W), axis=-2)


def _examples_last(x: Array) -> Array:
    return np.ascontiguousarray(np.moveaxis(x, 1, -1))


def cosine(params: Params, task: Task) -> Array:
    """Cosine of the variables' part of the value with v*, (R,); 0 at the start, where there is no direction."""
    v1 = params.v[:, : task.d]
    length = np.linalg.norm(v1, axis=-1)
    return (v1 @ task.v_star) / np.where(length > 0, length, 1.0)


def norm_ratio(params: Params, task: Task) -> Array:
    """Length of the variables' part of the value over the whole, (R,); 0 at the start."""
    length = np.linalg.norm(params.v, axis=-1)
    return np.linalg.norm(params.v[:, : task.d], axis=-1) / np.where(length > 0, length, 1.0)


def mean_attention(params: Params, model: GroupTransformer, X: Array) -> Array:
    """Mean weight on the deciding group over queries and examples (R or 1, n, D, d), (R,)."""
    return model.attention(params, X)[:, :, model.task.star].mean(axis=(1, 2))
