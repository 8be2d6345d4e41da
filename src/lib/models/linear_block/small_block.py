r"""One block with softmax or linear attention and no MLP, a linear or a ReLU one: the steps towards a transformer.

Chapter `linear_block`. Source: arXiv 2402.14951, Section 3 (the linear block); the softmax block is ours: softmax over
the key scores of all M + 1 tokens, the query's own value masked, a residual, $W_2^\top\mathrm{act}(W_1\cdot)$, no
LayerNorm, no biases.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lib.attention import softmax
from lib.errors import require, whole
from lib.models.linear_block.task import Array, Prompts, Task
from lib.models.linear_block.weights import Weights
from lib.sampling import Rngs

ATTENTIONS, MLPS = ("linear", "softmax"), ("none", "linear", "relu")


class SmallBlock:
    """The block as a problem for `lib.train.train`.

    Args:
        task: what it learns.
        attention: "linear" or "softmax".
        mlp: "none", "linear" or "relu".
        hidden: rows of W1 and W2, at least 1.
        scale: standard deviation of the entries at the start, above 0.

    Raises:
        InputError: if an argument is out of range.
    """

    def __init__(
        self, task: Task, attention: str = "softmax", mlp: str = "relu", hidden: int = 20, scale: float = 0.3
    ) -> None:
        require(attention in ATTENTIONS, "attention", f"one of {', '.join(ATTENTIONS)}", repr(attention))
        require(mlp in MLPS, "mlp", f"one of {', '.join(MLPS)}", repr(mlp))
        require(np.isfinite(scale) and scale > 0, "scale", "a finite number above 0", scale)
        self.task, self.attention, self.mlp = task, attention, mlp
        self.hidden, self.scale = whole("hidden", hidden, 1), float(scale)

    def init(self, runs: int, rngs: Rngs) -> Weights:
        """Normal entries, run r from rngs[r] alone."""
        require(len(rngs) == runs, "rngs", f"{runs} generators", len(rngs))
        n = self.task.d + 1
        rows = (n, n, n, n, self.hidden, self.hidden)
        drawn = [[self.scale * rng.standard_normal((count, n)) for count in rows] for rng in rngs]
        return Weights(*(np.stack(matrices) for matrices in zip(*drawn, strict=True)))

    def sample(self, batch: int, rngs: Rngs, step: int = 0) -> Prompts:
        """Fresh prompts."""
        return self.task.sample(batch, rngs)

    def output(self, params: Weights, prompts: Prompts) -> Array:
        """Predicted label of the query, (R, B)."""
        return self._forward(params, prompts).f

    def loss_and_gradient(self, params: Weights, batch: Prompts) -> tuple[Array, Weights]:
        """Mean squared error (R,) of the query's label, and its gradient."""
        way = self._forward(params, batch)
        error = way.f - batch.target
        r = 2 * error / error.shape[-1]
        W1, W2 = np.zeros_like(params.W1), np.zeros_like(params.W2)
        if self.mlp == "none":
            dh = np.zeros_like(way.h)
            dh[..., -1] = r
        else:
            read = params.W2[..., -1]  # (R, hidden)
            W2[..., -1] = np.matmul(r[:, None], way.u)[:, 0]
            du = r[..., None] * read[:, None] * (way.u > 0 if self.mlp == "relu" else 1.0)
            W1 = np.matmul(du.swapaxes(-1, -2), way.h)
            dh = np.matmul(du, params.W1)
        dt = np.matmul(dh, params.P.swapaxes(-1, -2))
        P = np.matmul(way.t.swapaxes(-1, -2), dh)
        V = np.matmul(dt.swapaxes(-1, -2), way.z)
        da = np.matmul(way.tokens[..., :-1, :], np.matmul(dt, params.V)[..., None])[..., 0]
        if self.attention == "linear":
            ds = np.concatenate([da / batch.X.shape[-2], np.zeros_like(r)[..., None]], axis=-1)
        else:
            da = np.concatenate([da, np.zeros_like(r)[..., None]], axis=-1)
            ds = way.a * (da - np.sum(way.a * da, axis=-1, keepdims=True))
        scored = np.matmul(ds[..., None, :], way.tokens)[..., 0, :]
        query = way.tokens[..., -1, :]
        K = np.matmul(way.asked.swapaxes(-1, -2), scored)
        Q = np.matmul(np.matmul(scored, params.K.swapaxes(-1, -2)).swapaxes(-1, -2), query)
        return np.mean(error**2, axis=-1), Weights(K, Q, P, V, W1, W2)

    def _forward(self, params: Weights, prompts: Prompts) -> _Way:
        X, y, x, _ = prompts
        examples = np.concatenate([X, y[..., None]], axis=-1)
        query = np.concatenate([x, np.zeros_like(x[..., :1])], axis=-1)
        tokens = np.concatenate([examples, query[..., None, :]], axis=-2)  # (R, B, M + 1, n)
        asked = np.matmul(query, params.Q.swapaxes(-1, -2))
        scores = np.matmul(tokens, np.matmul(asked, params.K)[..., None])[..., 0]
        a = scores / X.shape[-2] if self.attention == "linear" else softmax(scores)
        z = np.matmul(a[..., None, :-1], examples)[..., 0, :]
        t = np.matmul(z, params.V.swapaxes(-1, -2))
        h = query + np.matmul(t, params.P)
        u, f = h, h[..., -1]
        if self.mlp != "none":
            u = np.matmul(h, params.W1.swapaxes(-1, -2))
            u = np.maximum(u, 0) if self.mlp == "relu" else u
            f = np.matmul(u, params.W2[..., -1][..., None])[..., 0]
        return _Way(f, h, u, t, z, a, asked, tokens)


class _Way(NamedTuple):
    """What the backward pass needs of the forward one, (R, B, ...)."""

    f: Array
    h: Array
    u: Array
    t: Array
    z: Array
    a: Array
    asked: Array
    tokens: Array
