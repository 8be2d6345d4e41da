"""The training of chapter `random_walk` as one writes it first: all tokens, both matrices whole, closed gradients."""

from __future__ import annotations

import numpy as np


class Dense:
    """Gradient descent on V and W with the log-loss, gradients by hand; each sequence has a query of its own.

    Args:
        H: (n, N, K + M) tokens, the last of each sequence the query.
        y: (n,) targets.
        K: nodes.
        epsilon: offset of the log-loss.
    """

    def __init__(self, H: np.ndarray, y: np.ndarray, K: int, epsilon: float = 0.1) -> None:
        self.H, self.X, self.query = H, np.ascontiguousarray(H[..., :K]), np.ascontiguousarray(H[:, -1])
        self.y, self.epsilon = y, epsilon
        self.V, self.W = np.zeros((K, K)), np.zeros((H.shape[-1],) * 2)

    def step(self, lr: float) -> None:
        n = len(self.y)
        scores = (self.H @ (self.query @ self.W.T)[:, :, None])[..., 0]
        S = np.exp(scores - scores.max(axis=1, keepdims=True))
        S /= S.sum(axis=1, keepdims=True)
        mean = (S[:, None] @ self.X)[:, 0]
        f = mean @ self.V.T
        at = f[np.arange(n), self.y]
        slope = -1 / (at + self.epsilon) / n
        said = (self.X @ self.V[self.y][:, :, None])[..., 0]
        gamma = slope[:, None] * S * (said - at[:, None])
        gradient = np.zeros_like(self.V)
        np.add.at(gradient, self.y, slope[:, None] * mean)
        self.W -= lr * ((gamma[:, None] @ self.H)[:, 0].T @ self.query)
        self.V -= lr * gradient
