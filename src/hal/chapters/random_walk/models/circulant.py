r"""The population of walks by symmetry: a circulant layer of K + N + 1 numbers, as a problem of `lib.train.train`.

Chapter `random_walk`, ours. The law of the walk does not change when the circle is turned, so from zero
$V_{ij} = \nu_{(i-j) \bmod K}$ and $u = a1$. A walk enters through $D_j = (s_N - s_j) \bmod K$ alone, and counts for
all its K turns. Shapes, sums and refusals are those of `lib.models.random_walk`.
"""

from typing import NamedTuple, Unpack

import numpy as np

from lib import optim
from lib.errors import require, whole
from lib.models.random_walk.fast import _TIE, Array, Layer, LayerSettings, Minimal, Nodes, Walks, add_up
from lib.sampling import Rngs


class Circulant(NamedTuple):
    """Parameters of R runs."""

    nu: Array  #: (R, K) value of a token for the node that lies so many steps clockwise of it
    a: Array  #: (R,) score of any node
    g: Array  #: (R, N) score of a token by its place; the last is the empty token's own


class Turns(NamedTuple):
    """n walks, as the circulant model sees them, for each of R runs or (leading axis 1) for all."""

    D: Nodes  #: (R or 1, n, N - 1) steps clockwise from a token to the target, 0 to K - 1
    weight: Array  #: (R or 1, n) rows sum to 1


def turns(walks: Walks, K: int) -> Turns:
    """What the circulant model sees of walks on K nodes."""
    return Turns((walks.s[..., -1:] - walks.s[..., :-1]) % K, walks.weight)


class CirculantTransformer(Layer):
    """The population, or a sample with all its turns, as a problem; batches are given, from `turns`.

    The gradient is that of the loss in nu, a, g; `optimiser` takes the steps of V and W. Its start is zero.

    Args:
        **layer: see `Layer`; sigma is 0.
    """

    def __init__(self, **layer: Unpack[LayerSettings]) -> None:
        super().__init__(**layer)
        require(self.sigma == 0, "sigma", "0: a random start has no symmetry", self.sigma)

    def init(self, runs: int = 1, rngs: Rngs = ()) -> Circulant:
        """All zeros."""
        runs = whole("runs", runs, 1)
        return Circulant(np.zeros((runs, self.K)), np.zeros(runs), np.zeros((runs, self.N)))

    def optimiser(self, lr: float | Array, lr_W: float | Array | None = None) -> optim.Transform:
        """Gradient descent on V at rate `lr` and on W at `lr_W`, default `lr`, as steps of nu, a and g; one a run."""
        rate = lr if lr_W is None else lr_W
        return optim.per_field(
            nu=optim.chain(optim.scale(1 / self.K), optim.sgd(lr)),
            a=optim.chain(optim.scale(self.rho / self.K), optim.sgd(rate)),
            g=optim.chain(optim.scale(self.rho**2), optim.sgd(rate)),
        )

    def attention(self, params: Circulant) -> Array:
        """S (R, N), the same for every walk."""
        scores = self.factor * (params.a[:, None] + params.g)
        scores[:, -1] = self.own_factor * params.g[:, -1]
        e = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)

    def output(self, params: Circulant, batch: Turns) -> Array:
        """f (R, n, K): entry k is the output at the node k steps clockwise of the target, so entry 0 is right."""
        K, S = self.K, self.attention(params)[:, :-1]
        D = np.broadcast_to(batch.D, (len(S), *batch.D.shape[1:]))
        n = D.shape[1]
        cells = D + np.arange(0, len(S) * n * K, K).reshape(len(S), n, 1)
        mass = add_up(cells, np.broadcast_to(S[:, None], D.shape), len(S) * n * K)
        turned = params.nu[:, (np.arange(K)[:, None] + np.arange(K)) % K]  # (R, K, K) [d, k]: nu of d + k
        return np.matmul(mass.reshape(len(S), n, K), turned)

    def loss_and_gradient(self, params: Circulant, batch: Turns) -> tuple[Array, Circulant]:
        """Mean loss (R,) and its gradient; with V = nu, a K-th of it falls on each entry of V and of u."""
        S, runs = self.attention(params), len(params.g)
        D = np.broadcast_to(batch.D, (runs, *batch.D.shape[1:])) + np.arange(0, runs * self.K, self.K)[:, None, None]
        values = params.nu.ravel().take(D)  # (R, n, N - 1)
        f = np.matmul(values, S[:, :-1, None])[..., 0]
        slope = batch.weight * self.slope(f)
        spread = slope[..., None] * S[:, None, :-1]
        nu = add_up(D, spread, runs * self.K).reshape(runs, self.K)
        g = np.empty_like(params.g)
        mean = (slope * f).sum(axis=-1)[:, None]
        g[:, :-1] = self.factor * S[:, :-1] * (np.matmul(slope[:, None], values)[:, 0] - mean)
        g[:, -1:] = -self.own_factor * S[:, -1:] * mean
        return (batch.weight * self.value(f)).sum(axis=-1), Circulant(nu, g[:, :-1].sum(axis=-1), g)

    def spread_out(self, params: Circulant) -> Minimal:
        """The same layer in V, u and g."""
        k = np.arange(self.K)
        u = np.repeat(params.a[:, None], self.K, axis=1)
        return Minimal(params.nu[:, (k[:, None] - k) % self.K], u, params.g.copy())


def turned_accuracy(output: Array, weight: Array) -> Array:
    """Share of targets predicted over all turns of the walks, by weight, (R,), from outputs (R, n, K) by turn.

    Entry k is the output at the node k steps clockwise of the target. Among equals the smallest node is taken; over all
    turns that is the target in K - k of K cases, k the furthest of them.
    """
    K, top = output.shape[-1], output.max(axis=-1, keepdims=True)
    equal = output >= top - _TIE * np.maximum(1.0, np.abs(top))
    furthest = K - 1 - np.argmax(equal[..., ::-1], axis=-1)
    return (weight * equal[..., 0] * (K - furthest) / K).sum(axis=-1)
