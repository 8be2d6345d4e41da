"""Speed of chapter `linear_block`: the block as a careful user writes it, one second moment a prompt, then products.

The six square matrices of arXiv 2402.14951, Section 3, on fresh prompts. With G = E mask E' / M the output at the query
e is w'(e + P' V G K' Q e), w the last row of W2' W1.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy: one thread for everybody

import sys
from typing import Any

import numpy as np
import torch
from parts.race import Entry, main

from lib.models import linear_block as lb
from lib.optim import sgd
from lib.sampling import generators
from lib.train import GivenBatches, train

TASK = lb.power_task(d=5, M=20, sigma=0.5, norm=2.0)
BATCH, LR, CHECKED = 256, 0.01, 5
SIZE = "d = 5, M = 20, batch 256"
SAME, LEAST = 1e-10, 0.7  # LEAST: of the best rival's time in units of ours, well below what was measured
Sample = tuple[np.ndarray, ...]


def start() -> lb.Weights:
    """The library's generic start, seed 0."""
    return lb.LinearBlock(TASK).init(1, generators([0], 2))


def ours(steps: int, batch: int = BATCH) -> lb.Weights:
    """The library, prompts drawn."""
    return train(lb.LinearBlock(TASK), start(), sgd(LR), steps, batch, generators([0]), record_at=[0, steps]).params


def gap(rival: Any, batch: int = BATCH) -> float:
    """Largest difference of a weight after some steps on the same prompts."""
    rngs = generators([0])
    given = [TASK.sample(batch, rngs) for _ in range(CHECKED)]
    for prompts in given:
        rival.step(*rival.moments(*(part[0] for part in prompts)))
    fixed = GivenBatches(lb.LinearBlock(TASK), given)
    known = train(fixed, start(), sgd(LR), CHECKED, record_at=[0, CHECKED]).params
    return max(float(np.abs(one[0] - two).max()) for one, two in zip(known, rival.found(), strict=True))


class Moments:
    """NumPy, gradients by hand, double precision, as the library."""

    def __init__(self, batch: int = BATCH) -> None:
        self.weights = [W[0] for W in start()]
        self.rng, self.batch = np.random.default_rng(0), batch
        self.root, self.task_root = TASK.H_root, TASK.Psi_root

    def found(self) -> list[np.ndarray]:
        return self.weights

    def draw(self) -> Sample:
        """Prompts: X (B, M, d), y (B, M), x (B, d), target (B,)."""
        d, M, B = TASK.d, TASK.M, self.batch
        task = TASK.mean + self.rng.standard_normal((B, d)) @ self.task_root
        X = self.rng.standard_normal((B, M + 1, d)) @ self.root
        noise = TASK.sigma * self.rng.standard_normal((B, M + 1))
        y = np.matmul(X, task[..., None])[..., 0] + noise
        return X[:, :-1], y[:, :-1], X[:, -1], y[:, -1]

    def moments(self, X: np.ndarray, y: np.ndarray, x: np.ndarray, target: np.ndarray) -> Sample:
        """G (B, n, n), the query's token (B, n), target."""
        E = np.concatenate([X, y[..., None]], axis=-1)
        query = np.concatenate([x, np.zeros((len(x), 1))], axis=-1)
        return np.matmul(E.swapaxes(1, 2), E) / E.shape[1], query, target

    def step(self, G: np.ndarray, e: np.ndarray, target: np.ndarray) -> None:
        K, Q, P, V, W1, W2 = self.weights
        w = W2[:, -1] @ W1  # (n,)
        asked = e @ Q.T  # Q e
        r = asked @ K  # K' Q e
        Gr = np.matmul(G, r[..., None])[..., 0]
        value = Gr @ V.T
        mixed = value @ P  # P' V G r
        c = 2 * ((e + mixed) @ w - target) / len(e)
        slope_w = c @ (e + mixed)
        Pw = P @ w
        VPw = Pw @ V
        back = c[:, None] * np.matmul(G, VPw)  # in r
        slopes = [asked.T @ back, (back @ K.T).T @ e, np.outer(c @ value, w), np.outer(Pw, c @ Gr)]
        slopes += [np.outer(W2[:, -1], slope_w), np.zeros_like(W2)]
        slopes[5][:, -1] = W1 @ slope_w
        for W, slope in zip(self.weights, slopes, strict=True):
            W -= LR * slope

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.step(*self.moments(*self.draw()))


class Torch:
    """The same by automatic differentiation, double precision, as the library."""

    def __init__(self, batch: int = BATCH) -> None:
        self.weights, self.batch = [torch.tensor(W[0], dtype=torch.float64, requires_grad=True) for W in start()], batch
        self.root, self.task_root = torch.tensor(TASK.H_root), torch.tensor(TASK.Psi_root)
        self.mean = torch.tensor(TASK.mean)

    def found(self) -> list[np.ndarray]:
        return [W.detach().numpy() for W in self.weights]

    def draw(self) -> tuple[torch.Tensor, ...]:
        """G, the query's token, target, of fresh prompts."""
        d, M, B = TASK.d, TASK.M, self.batch
        task = self.mean + torch.randn(B, d, dtype=torch.float64) @ self.task_root
        X = torch.randn(B, M + 1, d, dtype=torch.float64) @ self.root
        y = (X @ task[..., None])[..., 0] + TASK.sigma * torch.randn(B, M + 1, dtype=torch.float64)
        return self.moments(X[:, :-1], y[:, :-1], X[:, -1], y[:, -1])

    def moments(self, *sample: Any) -> tuple[torch.Tensor, ...]:
        X, y, x, target = (torch.as_tensor(part) for part in sample)
        E = torch.cat([X, y[..., None]], dim=-1)
        return E.transpose(1, 2) @ E / E.shape[1], torch.cat([x, x.new_zeros(len(x), 1)], dim=-1), target

    def step(self, G: torch.Tensor, e: torch.Tensor, target: torch.Tensor) -> None:
        K, Q, P, V, W1, W2 = self.weights
        r = e @ Q.T @ K
        mixed = (G @ r[..., None])[..., 0] @ V.T @ P
        loss = ((e + mixed) @ (W2[:, -1] @ W1) - target).square().mean()
        with torch.no_grad():
            for W, slope in zip(self.weights, torch.autograd.grad(loss, self.weights), strict=True):
                W -= LR * slope

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.step(*self.draw())


def entries(batch: int = BATCH) -> dict[str, Entry]:
    """Who takes part."""
    found = {"ours": Entry(lambda steps: ours(steps, batch), 100, lambda: 0.0)}
    for name, kind in (("numpy", Moments), ("torch", Torch)):
        found[name] = Entry(kind(batch).run, 50, lambda kind=kind: gap(kind(batch), batch))
    return found


if __name__ == "__main__":
    sys.exit(main("linear_block", SIZE, entries, SAME, LEAST))
