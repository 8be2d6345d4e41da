r"""The layer as the paper writes it: value matrix V and key-query matrix W on tokens [x_j; p_j], with closed gradients.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 2. Slow and large: `minimal.py` makes the same steps.
What is out of range, or is not there, raises InputError.
"""

import math
from typing import NamedTuple

import numpy as np

from lib.attention import sine_positions, softmax, softmax_pullback
from lib.errors import require, whole
from lib.models.random_walk.fast import Array, Layer, Minimal, Walks
from lib.sampling import Rngs


class Dense(NamedTuple):
    """Parameters of R runs."""

    V: Array  #: (R, K, K) value matrix
    W: Array  #: (R, K + M, K + M) key-query matrix


class DenseTransformer(Layer):
    """The layer as a problem; its batches are what `tokens` makes of walks. Arguments: see `Layer`."""

    def init(self, runs: int = 1, rngs: Rngs = ()) -> Dense:
        """Zeros, or for sigma > 0 independent normal entries, run r from rngs[r] alone."""
        m = self.K + self.M
        if self.sigma == 0:
            return Dense(np.zeros((whole("runs", runs, 1), self.K, self.K)), np.zeros((runs, m, m)))
        require(len(rngs) == runs, "rngs", f"{runs} generators for a random start", len(rngs))
        V = np.stack([self.sigma * rng.normal(size=(self.K, self.K)) for rng in rngs])
        return Dense(V, np.stack([self.sigma * rng.normal(size=(m, m)) for rng in rngs]))

    def reduce(self, params: Dense) -> Minimal:
        """The numbers of the minimal model: V, u = W_12 p_N and g_j = p_j'W_22 p_N."""
        P = sine_positions(self.N, self.M)
        W = params.W @ np.concatenate([np.zeros(self.K), P[-1]])
        return Minimal(params.V.copy(), W[:, : self.K], W[:, self.K :] @ P.T)

    def tokens(self, walks: Walks) -> tuple[Array, Walks]:
        """All tokens [x_j; p_j] (R or 1, n, N, K + M), the last with x_N = 0, and the walks they come from."""
        *lead, N = walks.s.shape
        require(N == self.N, "walks", f"N = {self.N} nodes each", N)
        H = np.zeros((*lead, self.N, self.K + self.M))
        H[..., :-1, : self.K] = walks.s[..., :-1, None] == np.arange(self.K)
        H[..., self.K :] = sine_positions(self.N, self.M)
        if self.unit_length:
            H[..., :-1, :] /= math.sqrt(1 + self.rho)
            H[..., -1, :] /= math.sqrt(self.rho)
        return H, walks

    def loss_and_gradient(self, params: Dense, batch: tuple[Array, Walks]) -> tuple[Array, Dense]:
        r"""Mean loss (R,) and its gradient, $\nabla_W = E[\sum_j \gamma_j \tilde x_j]\tilde x_N^\top$.

        Source: arXiv 2511.23239, Section 2; gradient by the chain rule.
        """
        H, walks = batch
        X = np.zeros((*walks.s.shape, self.K))
        X[..., :-1, :] = walks.s[..., :-1, None] == np.arange(self.K)
        query = H[0, 0, -1]  # the same in every sequence
        S = softmax((H @ (params.W @ query)[:, None, :, None])[..., 0])
        mean = (S[..., None, :] @ X)[..., 0, :]  # (R, n, K)
        label = (walks.s[..., -1, None] == np.arange(self.K)).astype(float)
        rows = label @ params.V  # (R, n, K) the values of the right node
        f = (rows * mean).sum(axis=-1)
        slope = walks.weight * self.slope(f)
        V = (slope[..., None] * label).swapaxes(-1, -2) @ mean
        gamma = softmax_pullback(S, slope[..., None] * (X @ rows[..., None])[..., 0])
        keys = (gamma[..., None, :] @ H).sum(axis=(1, 2))
        return (walks.weight * self.value(f)).sum(axis=-1), Dense(V, keys[:, :, None] * query)
