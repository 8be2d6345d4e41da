"""The same training of a sparse contextual bigram, written the ordinary ways: what `lib` is measured against.

Each implementation is a class with `V` (N, N), `A` (N, T) and `step(tokens, last, label, lr, threshold)`, in float64,
for one run from the paper's start. Steps are those of arXiv 2410.23438, equations (3) to (6).
"""

from __future__ import annotations

import numpy as np

from lib.models.scb import Task


def draw(task: Task, batch: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Samples drawn the ordinary way: tokens (B, T), last tokens (B,), labels (B,)."""
    tokens = rng.choice(task.N, size=(batch, task.T), p=task.mu)
    last = rng.choice(task.N, size=batch, p=task.mu)
    label = np.empty(batch, dtype=np.int64)
    for b, k in enumerate(last):
        position = rng.choice(task.T, p=task.Q[k])
        label[b] = rng.choice(task.N, p=task.P[:, tokens[b, position]])
    return tokens, last, label


class Einsum:
    """Batched one-hot arrays and `einsum`: what one writes first."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.V = np.outer(task.mu, np.ones(task.N))
        self.A = np.full((task.N, task.T), 1 / task.T)

    def step(self, tokens: np.ndarray, last: np.ndarray, label: np.ndarray, lr: float, threshold: float) -> None:
        task, batch = self.task, len(last)
        one_hot = np.eye(task.N)
        X = one_hot[tokens]  # (B, T, N)
        h = np.einsum("btn,bt->bn", X, self.A[last])
        residual = h @ self.V.T - one_hot[label]
        grad_V = np.einsum("bi,bj->ij", residual, h) / batch
        grad_A = one_hot[last].T @ np.einsum("btn,bn->bt", X, residual @ self.V) / batch
        grad_V = (grad_V - grad_V.mean(axis=0)) / task.mu
        grad_A = (grad_A - grad_A.mean(axis=1, keepdims=True)) / task.mu[:, None]
        self.V = self.V - lr / task.K_Q * grad_V
        moved = self.A - lr / task.K_P * grad_A
        moved = np.sign(moved) * np.maximum(np.abs(moved) - threshold, 0.0)
        self.A = moved + (1 - moved.sum(axis=1, keepdims=True)) / task.T


class Loop:
    """The paper's formulas read literally: a loop over samples, X as a matrix, the projector as a T x T matrix."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.V = np.outer(task.mu, np.ones(task.N))
        self.columns = np.full((task.T, task.N), 1 / task.T)  # the paper's A: column k is a^(k)
        self.project_V = np.eye(task.N) - np.ones((task.N, task.N)) / task.N
        self.project_A = np.eye(task.T) - np.ones((task.T, task.T)) / task.T

    @property
    def A(self) -> np.ndarray:
        return self.columns.T

    def step(self, tokens: np.ndarray, last: np.ndarray, label: np.ndarray, lr: float, threshold: float) -> None:
        task, batch = self.task, len(last)
        unit = np.eye(task.N)
        grad_V, grad_A = np.zeros_like(self.V), np.zeros_like(self.columns)
        for x, k, o in zip(tokens, last, label, strict=True):
            X = unit[:, x]  # (N, T)
            a = self.columns[:, k]
            residual = self.V @ X @ a - unit[o]
            grad_V += np.outer(residual, X @ a) / batch
            grad_A[:, k] += X.T @ (self.V.T @ residual) / batch
        self.V = self.V - lr / task.K_Q * (self.project_V @ grad_V @ np.diag(1 / task.mu))
        moved = self.columns - lr / task.K_P * (self.project_A @ grad_A @ np.diag(1 / task.mu))
        moved = np.sign(moved) * np.maximum(np.abs(moved) - threshold, 0.0)
        self.columns = moved + (1 - moved.sum(axis=0)) / task.T


class Autograd:
    """Batched one-hot tensors, the gradient by torch's automatic differentiation."""

    def __init__(self, task: Task) -> None:
        import torch

        self.torch, self.task = torch, task
        self.mu = torch.from_numpy(task.mu)
        self.tensors = [
            torch.outer(self.mu, torch.ones(task.N, dtype=torch.float64)).requires_grad_(),
            torch.full((task.N, task.T), 1 / task.T, dtype=torch.float64).requires_grad_(),
        ]

    @property
    def V(self) -> np.ndarray:
        return self.tensors[0].detach().numpy()

    @property
    def A(self) -> np.ndarray:
        return self.tensors[1].detach().numpy()

    def step(self, tokens: np.ndarray, last: np.ndarray, label: np.ndarray, lr: float, threshold: float) -> None:
        torch, task = self.torch, self.task
        V, A = self.tensors
        hot = torch.nn.functional.one_hot
        X = hot(torch.from_numpy(tokens).long(), task.N).double()  # (B, T, N)
        k, o = torch.from_numpy(last), hot(torch.from_numpy(label), task.N).double()
        output = torch.einsum("btn,bt->bn", X, A[k]) @ V.T
        loss = 0.5 * (output - o).square().sum() / len(last)
        grad_V, grad_A = torch.autograd.grad(loss, (V, A))
        with torch.no_grad():
            V -= float(lr / task.K_Q) * (grad_V - grad_V.mean(0)) / self.mu
            moved = A - float(lr / task.K_P) * (grad_A - grad_A.mean(1, keepdim=True)) / self.mu[:, None]
            moved = moved.sign() * (moved.abs() - threshold).clamp(min=0)
            A.copy_(moved + (1 - moved.sum(1, keepdim=True)) / task.T)
