r"""The layer with positions that are drawn or given, fixed or learned, in place of orthogonal ones of one length.

Chapter `random_walk`, beyond arXiv 2511.23239. With positions as the rows of P (N, M), $q = p_N$, $u = W_{12}q$ and
$g = PW_{22}q$ the scores are those of `minimal.py`; what W and P learn follows from its gradient by the chain rule. The
left half of W meets $x_N = 0$ and never moves.
"""

import math
from typing import NamedTuple, Unpack

import numpy as np

from lib import optim
from lib.errors import require, whole
from lib.models.random_walk.dense import sine_positions
from lib.models.random_walk.minimal import Layer, LayerSettings, Minimal, MinimalTransformer
from lib.models.random_walk.walks import Array, Walks
from lib.sampling import Rngs

__all__ = ["Placed", "PlacedTransformer"]


class Placed(NamedTuple):
    """Parameters of R runs."""

    V: Array  #: (R, K, K) values
    W12: Array  #: (R, K, M) content against position of the last token
    W22: Array  #: (R, M, M) position against position of the last token
    P: Array  #: (R, N, M) positions, a row a place


class PlacedTransformer(Layer):
    """The layer on positions of any kind, as a problem for `lib.train.train`; it starts with V and W at zero.

    Args:
        positions: "sine", orthogonal as in `sine_positions`, or "random", normal numbers of variance 1/2, so that
            a position's squared length is rho = (M + 1)/2 on average, up to 1/M.
        learned: whether positions move.
        **layer: K, N, M, loss and epsilon of `lib.models.random_walk.Layer`.

    Raises:
        InputError: if an argument is outside its range.
    """

    def __init__(self, *, positions: str = "sine", learned: bool = True, **layer: Unpack[LayerSettings]) -> None:
        super().__init__(**layer)
        require(positions in ("sine", "random"), "positions", "sine or random", repr(positions))
        require(self.sigma == 0 and not self.unit_length, "sigma, unit_length", "a start at zero, tokens as they are",
                (self.sigma, self.unit_length))  # fmt: skip
        self.positions, self.learned = positions, bool(learned)
        self._layer = MinimalTransformer(**layer)

    def init(self, runs: int = 1, rngs: Rngs = ()) -> Placed:
        """V and W at zero; random positions of run r from rngs[r] alone."""
        runs = whole("runs", runs, 1)
        K, M, N = self.K, self.M, self.N
        if self.positions == "sine":
            P = np.repeat(sine_positions(N, M)[None], runs, axis=0)
        else:
            require(len(rngs) == runs, "rngs", f"{runs} generators for random positions", len(rngs))
            P = np.stack([r.normal(size=(N, M)) for r in rngs]) * math.sqrt(0.5)
        return Placed(np.zeros((runs, K, K)), np.zeros((runs, K, M)), np.zeros((runs, M, M)), P)

    def optimiser(self, lr: float | Array) -> optim.Transform:
        """Gradient descent at rate `lr` on V and W, and on P if it is learned."""
        moves = optim.sgd(lr) if self.learned else optim.freeze()
        return optim.per_field(V=optim.sgd(lr), W12=optim.sgd(lr), W22=optim.sgd(lr), P=moves)

    def scores(self, params: Placed) -> Minimal:
        """V, u and g of `lib.models.random_walk.MinimalTransformer` for these parameters."""
        q = params.P[:, -1, :, None]
        u, g = params.W12 @ q, params.P @ (params.W22 @ q)
        return Minimal(params.V, u[..., 0], g[..., 0])

    def attention(self, params: Placed, walks: Walks) -> Array:
        """S (R, n, N): the last token's softmax over all places."""
        return self._layer.attention(self.scores(params), walks)

    def output(self, params: Placed, walks: Walks) -> Array:
        """f (R, n, K): a number for each node as the next one."""
        return self._layer.output(self.scores(params), walks)

    def loss_and_gradient(self, params: Placed, batch: Walks) -> tuple[Array, Placed]:
        """Mean loss (R,) over the sequences by their weights, and its gradient."""
        loss, (V, u, g) = self._layer.loss_and_gradient(self.scores(params), batch)
        q, u, g = params.P[:, -1:], u[..., None], g[..., None]
        pulled = params.P.swapaxes(-1, -2) @ g  # (R, M, 1) sum of the places, each by its gradient
        P = g @ (q @ params.W22.swapaxes(-1, -2))
        P[:, -1] += (params.W22.swapaxes(-1, -2) @ pulled + params.W12.swapaxes(-1, -2) @ u)[..., 0]
        return loss, Placed(V, u @ q, pulled @ q, P)
