"""The training of chapter `linear_block` as one writes it first: a matrix of tokens a prompt, torch differentiates."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch


class Literal:
    """Adam or SGD on the six matrices of the block, in double precision.

    Args:
        weights: the six matrices (rows, d + 1), in the order keys, queries, projection, values, W1, W2.
    """

    def __init__(self, weights: list[np.ndarray]) -> None:
        self.weights = [torch.tensor(np.array(W), dtype=torch.float64, requires_grad=True) for W in weights]

    def loss(self, X: np.ndarray, y: np.ndarray, x: np.ndarray, target: np.ndarray) -> Any:
        """Mean squared error on prompts X (B, M, d), y (B, M), x (B, d), target (B,)."""
        K, Q, P, V, W1, W2 = self.weights
        examples = np.concatenate([X, y[..., None]], axis=-1)
        query = np.concatenate([x, np.zeros((len(x), 1))], axis=-1)[:, None]
        E = torch.from_numpy(np.concatenate([examples, query], axis=1)).transpose(1, 2)
        mask = torch.diag(torch.tensor([1.0] * X.shape[1] + [0.0], dtype=torch.float64))
        mixed = V @ E @ mask @ E.transpose(1, 2) @ K.T @ Q @ E
        out = W2.T @ W1 @ (E + P.T @ mixed / X.shape[1])
        return ((out[:, -1, -1] - torch.from_numpy(target)) ** 2).mean()

    def step(self, lr: float, prompts: tuple[np.ndarray, ...]) -> None:
        """One step of SGD."""
        loss = self.loss(*prompts)
        for W, slope in zip(self.weights, torch.autograd.grad(loss, self.weights), strict=True):
            with torch.no_grad():
                W -= lr * slope
