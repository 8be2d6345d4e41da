"""The training of chapter `one_nn` as one writes it first: tokens, the whole matrix, the whole attention.

The prompts are points with given inner products with the query, so that all implementations see the same ones. Their
labels are left open: every example has a label slot of its own, and the answer is the slot of the nearest. Half the
squared distance then is the loss averaged over all labels that are pairwise uncorrelated, exactly.
"""

from __future__ import annotations

import numpy as np


def draw(d: int, N: int, batch: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Prompts the ordinary way: normal numbers made into points of length 1; x (B, N, d), query (B, d)."""
    points = rng.normal(size=(batch, N + 1, d))
    points /= np.linalg.norm(points, axis=-1, keepdims=True)
    return points[:, :-1], points[:, -1]


def points_of(z: np.ndarray, d: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Points whose inner products with the query are z (N, B): x (B, N, d), query (B, d)."""
    N, batch = z.shape
    query = rng.normal(size=(batch, d))
    query /= np.linalg.norm(query, axis=-1, keepdims=True)
    beside = rng.normal(size=(batch, N, d))
    beside -= np.einsum("bnd,bd->bn", beside, query)[..., None] * query[:, None]
    beside /= np.linalg.norm(beside, axis=-1, keepdims=True)
    x = z.T[..., None] * query[:, None] + np.sqrt(1 - z.T**2)[..., None] * beside
    return x, query


def tokens(x: np.ndarray, query: np.ndarray) -> np.ndarray:
    """H (B, d + 2, N + 1): columns [x_j; 0; 0] and [x_q; 0; 1]; the label slots are `values`."""
    batch, N, d = x.shape
    H = np.zeros((batch, d + 2, N + 1))
    H[:, :d, :N] = x.transpose(0, 2, 1)
    H[:, :d, N] = query
    H[:, d + 1, N] = 1.0
    return H


class Dense:
    """SGD on the whole matrix W, gradients by hand, in NumPy; only the query's column of the attention."""

    def __init__(self, d: int, N: int, sigma: float) -> None:
        self.d, self.N = d, N
        self.W = np.zeros((d + 2, d + 2))
        self.W[-1, -1] = -sigma

    @property
    def xi(self) -> np.ndarray:
        """(xi_1, xi_2) of the nearest matrix of the family."""
        return np.array([np.trace(self.W[: self.d, : self.d]) / self.d, -self.W[-1, -1]])

    def step(self, x: np.ndarray, query: np.ndarray, lr: float) -> None:
        batch, N, _ = x.shape
        H = tokens(x, query)
        asked = H[:, :, -1]
        scores = np.einsum("bij,ik,bk->bj", H, self.W, asked, optimize=True)
        q = np.exp(scores - scores.max(axis=1, keepdims=True))
        q /= q.sum(axis=1, keepdims=True)
        answer = np.zeros((batch, N + 1))
        answer[np.arange(batch), np.einsum("bnd,bd->bn", x, query).argmax(axis=1)] = 1.0
        error = q - answer
        error[:, -1] = 0.0  # the query's own token has no label
        slope = q * (error - np.sum(q * error, axis=1, keepdims=True))
        gradient = np.einsum("bj,bij,bk->ik", slope, H, asked, optimize=True) / batch
        # what leaves the family is noise of the batch: kept out, so that all follow the same path
        first = np.trace(gradient[: self.d, : self.d]) / self.d
        self.W[range(self.d), range(self.d)] -= lr * first
        self.W[-1, -1] -= lr * gradient[-1, -1]


class Autograd:
    """The slopes in xi by torch's automatic differentiation, through the whole (N + 1) x (N + 1) attention."""

    def __init__(self, x: np.ndarray, query: np.ndarray) -> None:
        import torch

        self.torch = torch
        _, N, self.d = x.shape
        self.H = torch.from_numpy(tokens(x, query))
        near = np.einsum("bnd,bd->bn", x, query).argmax(axis=1)
        self.answer = torch.from_numpy(np.eye(N + 1)[near])
        self.values = torch.from_numpy(np.diag([1.0] * N + [0.0]))

    def gradient(self, xi1: float, xi2: float) -> np.ndarray:
        """(L, dL/dxi_1, dL/dxi_2)"""
        torch, d = self.torch, self.d
        W = torch.zeros((d + 2, d + 2), dtype=torch.float64)
        W[range(d), range(d)], W[d + 1, d + 1] = xi1, -xi2
        W.requires_grad_()
        attention = torch.softmax(self.H.transpose(1, 2) @ W @ self.H, dim=1)
        f = (self.values @ attention)[:, :, -1]
        loss = 0.5 * (f - self.answer).square().sum(dim=1).mean()
        (slope,) = torch.autograd.grad(loss, W)
        slope = slope.numpy()
        return np.array([loss.item(), np.trace(slope[:d, :d]), -slope[-1, -1]])
