r"""Chapter 4's layer without the softmax, beyond arXiv 2504.08638.

Chapter `atlas`. $f = v^\top HH^\top WH1$: with $M = \sum_i h_ih_i^\top$ and $q = \sum_j h_j$ the output is
$f = v^\top MWq$, so $\nabla_v f = MWq$ and $\nabla_W f = Mvq^\top$.
"""

import numpy as np
from numpy.typing import NDArray

from lib.models.group_sparse import Examples, GroupTransformer, Params, logistic, logistic_slope
from lib.sampling import Rngs

Array = NDArray[np.float64]


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
