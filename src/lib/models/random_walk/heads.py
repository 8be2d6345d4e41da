r"""The layer with several heads, each with values, content and position scores of its own; their outputs are added.

Chapter `random_walk`, beyond arXiv 2511.23239. $f = \sum_h V_h X S_h$. From zero all heads stay alike; random starts
tell them apart.
"""

import math
from typing import NamedTuple, Unpack

import numpy as np

from lib import optim
from lib.errors import require, whole
from lib.models.random_walk.minimal import Layer, LayerSettings, Minimal, MinimalTransformer, add_up
from lib.models.random_walk.walks import Array, Walks
from lib.sampling import Rngs

__all__ = ["HeadedTransformer", "Heads"]


class Heads(NamedTuple):
    """Parameters of R runs of H heads."""

    V: Array  #: (R, H, K, K) values
    u: Array  #: (R, H, K) scores by node
    g: Array  #: (R, H, N) scores by place


class HeadedTransformer(Layer):
    """H heads as a problem for `lib.train.train`; batches are given, see `lib.train.GivenBatches`.

    Args:
        H: heads, at least 1.
        **layer: see `lib.models.random_walk.MinimalTransformer`.

    Raises:
        InputError: if an argument is outside its range.
    """

    def __init__(self, H: int = 2, **layer: Unpack[LayerSettings]) -> None:
        super().__init__(**layer)
        self.H, self.one = whole("H", H, 1), MinimalTransformer(**layer)

    def init(self, runs: int = 1, rngs: Rngs = ()) -> Heads:
        """Zeros; for sigma > 0 what random V and W become, run r from rngs[r] alone, one head after the other."""
        runs = whole("runs", runs, 1)
        K, N, H = self.K, self.N, self.H
        if self.sigma == 0:
            return Heads(np.zeros((runs, H, K, K)), np.zeros((runs, H, K)), np.zeros((runs, H, N)))
        require(len(rngs) == runs, "rngs", f"{runs} generators for a random start", len(rngs))
        drawn = [[(r.normal(size=(K, K)), r.normal(size=K), r.normal(size=N)) for _ in range(H)] for r in rngs]
        V, u, g = (self.sigma * np.array([[head[i] for head in run] for run in drawn]) for i in range(3))
        return Heads(V, math.sqrt(self.rho) * u, self.rho * g)

    def optimiser(self, lr: float | Array) -> optim.Transform:
        """Gradient descent on every head's V and W at rate `lr`, as steps of V, u and g."""
        return self.one.optimiser(lr)

    def attention(self, params: Heads, walks: Walks) -> Array:
        """S (R, H, n, N) of every head."""
        one, batch = self._apart(params, walks)
        S = self.one.attention(one, batch)
        return S.reshape(len(params.g), self.H, *S.shape[1:])

    def output(self, params: Heads, walks: Walks) -> Array:
        """f (R, n, K), added up over heads."""
        one, batch = self._apart(params, walks)
        f = self.one.output(one, batch)
        return f.reshape(len(params.g), self.H, *f.shape[1:]).sum(axis=1)

    def loss_and_gradient(self, params: Heads, batch: Walks) -> tuple[Array, Heads]:
        """Mean loss (R,) over the sequences by their weights, and its gradient in every head."""
        one, walks = self._apart(params, batch)
        layer = self.one
        heads, K = len(one.g), self.K
        tokens, y = layer._tokens(walks, heads), np.broadcast_to(walks.s[..., -1], (heads, walks.s.shape[1]))
        S, own = layer._attend(one, tokens)
        cells = layer._cells(tokens)
        mass = layer._mass(S, cells)
        y = np.arange(heads)[:, None] * K + y
        rows = one.V.reshape(-1, K)[y]
        said = (rows * mass).sum(axis=-1)  # what each head adds to the output at the target
        f = said.reshape(len(params.g), self.H, -1).sum(axis=1)
        slope = np.repeat(batch.weight * self.slope(f), self.H, axis=0)
        V = add_up(y[..., None] * K + np.arange(K), slope[..., None] * mass, one.V.size)
        rows = slope[..., None] * (rows - said[..., None])
        u = self.factor * (mass * rows).sum(axis=1)
        g = np.empty_like(one.g)
        g[:, :-1] = self.factor * (S * rows.ravel().take(cells)).sum(axis=1)
        g[:, -1] = -self.own_factor * (slope * own * said).sum(axis=1)
        loss = (batch.weight * self.value(f)).sum(axis=-1)
        return loss, Heads(*(x.reshape(like.shape) for x, like in zip((V, u, g), params, strict=True)))

    def _apart(self, params: Heads, walks: Walks) -> tuple[Minimal, Walks]:
        """Heads as runs of one head each, and the walks of each."""
        one = Minimal(*(x.reshape(-1, *x.shape[2:]) for x in params))
        if len(walks.s) == 1:
            return one, walks
        return one, Walks(np.repeat(walks.s, self.H, axis=0), np.repeat(walks.weight, self.H, axis=0))
