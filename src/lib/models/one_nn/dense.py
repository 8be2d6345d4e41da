"""The model with its whole matrix W: attention of the query, prediction, loss, exact gradient, R runs in one call.

Chapter `one_nn`. Source: arXiv 2411.10830, the model: tokens h_j = [x_j; y_j; 0], h_q = [x_q; 0; 1], scores
h_j^T W h_q, f = label slot of the softmax average. Only the query's column of the attention is ever asked for, so only
it is computed: O(batch N d) a step.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lib.attention import softmax
from lib.errors import require
from lib.models.one_nn.pair import Pair
from lib.models.one_nn.task import Array, Prompts, Rngs, Task, sample_prompts, targets


class Full(NamedTuple):
    """Parameters of R runs."""

    W: Array  #: (R, d + 2, d + 2) blocks of sizes d, 1, 1: point, label, mark of the query


class FullMatrix:
    """The task together with the softmax model, in the form that `lib.train.train` asks for.

    Args:
        task: what is drawn.
        sigma: the mask at the start, W_33 = -sigma; a finite number, or one a run (R,).

    Raises:
        InputError: if sigma is not finite.
    """

    def __init__(self, task: Task, sigma: ArrayLike = 3.0) -> None:
        self.task = task
        self.sigma = np.asarray(sigma, dtype=np.float64)
        require(self.sigma.ndim <= 1 and bool(np.all(np.isfinite(self.sigma))), "sigma", "finite numbers", sigma)

    def init(self, runs: int = 1, rngs: Rngs = ()) -> Full:
        """All zero but W_33 = -sigma; nothing is drawn."""
        W = np.zeros((runs, self.task.d + 2, self.task.d + 2))
        require(self.sigma.ndim == 0 or len(self.sigma) == runs, "sigma", f"one number, or {runs}", self.sigma.shape)
        W[:, -1, -1] = -self.sigma
        return Full(W)

    def sample(self, batch: int, rngs: Rngs, step: int = 0) -> Prompts:
        """Fresh prompts; see `sample_prompts`."""
        return sample_prompts(self.task, batch, rngs)

    def loss_and_gradient(self, params: Full, batch: Prompts) -> tuple[Array, Full]:
        """Minibatch loss (R,) and its exact gradient; see `loss_and_gradient`."""
        return loss_and_gradient(params, batch)


def attention(W: Array, prompts: Prompts) -> Array:
    """Attention weights of the query, (R, B, N + 1), on the examples and last on its own token; W (R, d + 2, d + 2).

    Source: arXiv 2411.10830, the model.
    """
    d = prompts.x.shape[-1]
    ask = np.matmul(prompts.query, W[:, :, :d].swapaxes(-1, -2)) + W[:, None, :, d + 1]  # (R, B, d + 2): W h_q
    scores = np.empty((*prompts.y.shape[:-1], prompts.y.shape[-1] + 1))
    np.matmul(prompts.x, ask[..., :d, None], out=scores[..., :-1, None])
    scores[..., :-1] += prompts.y * ask[..., d, None]
    scores[..., -1] = np.sum(prompts.query * ask[..., :d], axis=-1) + ask[..., d + 1]
    return softmax(scores)


def predict(W: Array, prompts: Prompts) -> Array:
    """f_W, the attended label, (R, B), with W (R, d + 2, d + 2)."""
    return np.sum(attention(W, prompts)[..., :-1] * prompts.y, axis=-1)


def loss_and_gradient(params: Full, prompts: Prompts) -> tuple[Array, Full]:
    """Mean (R,) of (f - y_*)^2 / 2 over R x B prompts, and its exact gradient in W.

    The slope in a score is (f - y_*) q_j (y_j - f), with label 0 for the query's own token. The gradient's column of
    the query's label slot, which is 0, is exactly 0. Source: arXiv 2411.10830, the loss; the chain rule written out.
    """
    x, query, y = prompts
    d, batch = x.shape[-1], x.shape[1]
    q = attention(params.W, prompts)
    f = np.sum(q[..., :-1] * y, axis=-1)
    error = f - targets(prompts)
    slope = q * (error / batch)[..., None]
    slope[..., :-1] *= y - f[..., None]
    slope[..., -1] *= -f
    drawn = np.empty((*query.shape[:-1], d + 2))  # sum over the tokens of slope times token
    np.matmul(slope[..., None, :-1], x, out=drawn[..., None, :d])
    drawn[..., :d] += slope[..., -1, None] * query
    drawn[..., d] = np.sum(slope[..., :-1] * y, axis=-1)
    drawn[..., d + 1] = slope[..., -1]
    gradient = np.zeros_like(params.W)
    gradient[:, :, :d] = np.matmul(drawn.swapaxes(-1, -2), query)
    gradient[:, :, d + 1] = drawn.sum(axis=1)
    return 0.5 * np.square(error).mean(axis=-1), Full(gradient)


def as_matrix(pair: Pair, d: int) -> Full:
    """W = diag(xi_1 I_d, 0, -xi_2) of R runs.

    Raises:
        InputError: if a number is not finite.
    """
    for name, value in zip(pair._fields, pair, strict=True):
        require(bool(np.all(np.isfinite(value))), name, "finite numbers", value)
    W = np.zeros((len(pair.xi1), d + 2, d + 2))
    i = np.arange(d)
    W[:, i, i] = pair.xi1[:, None]
    W[:, d + 1, d + 1] = -pair.xi2
    return Full(W)


def as_pair(params: Full) -> Pair:
    """The two numbers of the nearest matrix of the family: xi_1 = tr W_11 / d, xi_2 = -W_33."""
    d = params.W.shape[-1] - 2
    return Pair(np.trace(params.W[:, :d, :d], axis1=1, axis2=2) / d, -params.W[:, d + 1, d + 1])


def off_family(params: Full) -> Array:
    """Norm of what W has beside diag(xi_1 I, 0, -xi_2), over the norm of W, (R,); 0 for W = 0."""
    rest = params.W - as_matrix(as_pair(params), params.W.shape[-1] - 2).W
    whole_norm = np.linalg.norm(params.W, axis=(1, 2))
    return np.linalg.norm(rest, axis=(1, 2)) / np.where(whole_norm > 0, whole_norm, 1.0)
