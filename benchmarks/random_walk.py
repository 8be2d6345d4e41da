"""Speed of chapter `random_walk`: the layer as a careful user writes it, nodes as indices, one query for all walks.

The model of arXiv 2511.23239, Section 2, with V and what W moves: a score for each node, and w = W_22 p_N, which the
positional encodings read. Walks are given, as in the paper: nobody draws.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy: one thread for everybody

import sys
from typing import Any

import numpy as np
import torch
from parts.race import Entry, main

from lib.models import random_walk as rw
from lib.sampling import generators
from lib.train import GivenBatches, train

K, N, M, P, WALKS = 6, 97, 1000, 0.5, 300
LR, EPSILON, CHECKED = 1.0, 0.1, 4
SIZE = "K = 6, N = 97, M = 1000, 300 walks"
SAME = 1e-9
LEAST = 1.0  # of the best rival's time in units of ours, well below what was measured


class Setting:
    """The walks, and the encodings that all share."""

    def __init__(self, walks: int = WALKS, M: int = M) -> None:
        self.walks = rw.Walk(K, N, P).sample(walks, generators([0]))
        self.model = rw.MinimalTransformer(K=K, N=N, M=M)
        self.s, self.y = self.walks.s[0, :, :-1].astype(np.int64), self.walks.s[0, :, -1].astype(np.int64)
        k = np.arange(1, M + 1)
        self.positions = np.sin(np.outer(np.arange(1, N + 1), k) * (np.pi / (M + 1)))  # (N, M), orthogonal
        self.rho = (M + 1) / 2

    def ours(self, steps: int) -> rw.Minimal:
        fixed = GivenBatches(self.model, [self.walks])
        return train(fixed, None, self.model.optimiser(LR), steps, record_at=[0, steps]).params

    def gap(self, rival: Any) -> float:
        """Largest difference of V and of the scores, relative to the largest of its kind."""
        rival.run(CHECKED)
        known, found = self.ours(CHECKED), rival.found()
        return max(
            float(np.abs(one[0] - two).max() / np.abs(one[0]).max()) for one, two in zip(known, found, strict=True)
        )


class Indexed:
    """NumPy, gradients by hand, double precision."""

    def __init__(self, setting: Setting) -> None:
        self.given, n = setting, len(setting.y)
        self.V, self.u, self.w = np.zeros((K, K)), np.zeros(K), np.zeros(setting.positions.shape[1])
        self.cells = setting.s + K * np.arange(n)[:, None]

    def found(self) -> tuple[np.ndarray, ...]:
        return self.V, self.u, self.given.positions @ self.w

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.step()

    def step(self) -> None:
        given, n = self.given, len(self.given.y)
        g = given.positions @ self.w
        scores = np.concatenate([self.u[given.s] + g[:-1], np.full((n, 1), g[-1])], axis=1)
        S = np.exp(scores - scores.max(axis=1, keepdims=True))
        S /= S.sum(axis=1, keepdims=True)
        mass = np.bincount(self.cells.ravel(), weights=S[:, :-1].ravel(), minlength=n * K).reshape(n, K)
        rows = self.V[given.y]
        f = (rows * mass).sum(axis=1)
        slope = -1 / (f + EPSILON) / n
        said = np.concatenate([rows.take(self.cells), np.zeros((n, 1))], axis=1)
        gamma = slope[:, None] * S * (said - f[:, None])
        of_target = (given.y == np.arange(K)[:, None]).astype(np.float64)
        self.V -= LR * of_target @ (slope[:, None] * mass)
        self.u -= LR * given.rho * np.bincount(given.s.ravel(), weights=gamma[:, :-1].ravel(), minlength=K)
        self.w -= LR * given.rho * (gamma.sum(axis=0) @ given.positions)


class Torch:
    """The same by automatic differentiation, double precision."""

    def __init__(self, setting: Setting) -> None:
        self.given = setting
        self.s, self.y = torch.from_numpy(setting.s), torch.from_numpy(setting.y)
        self.positions = torch.from_numpy(setting.positions)
        size = setting.positions.shape[1]
        self.weights = [torch.zeros(shape, dtype=torch.float64, requires_grad=True) for shape in ((K, K), K, size)]

    def found(self) -> tuple[np.ndarray, ...]:
        V, u, w = (x.detach().numpy() for x in self.weights)
        return V, u, self.given.positions @ w

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.step()

    def step(self) -> None:
        V, u, w = self.weights
        g = self.positions @ w
        scores = torch.cat([u[self.s] + g[:-1], g[-1].expand(len(self.s), 1)], dim=1)
        S = torch.softmax(scores, dim=1)[:, :-1]
        f = (V[self.y].gather(1, self.s) * S).sum(dim=1)
        grad_V, grad_u, grad_w = torch.autograd.grad(-(f + EPSILON).log().mean(), (V, u, w))
        with torch.no_grad():
            V -= LR * grad_V
            u -= LR * self.given.rho * grad_u
            w -= LR * self.given.rho * grad_w


def entries(setting: Setting | None = None) -> dict[str, Entry]:
    """Who takes part."""
    setting = Setting() if setting is None else setting
    kinds: dict[str, Any] = {"numpy": Indexed, "torch": Torch}
    found = {"ours": Entry(setting.ours, 200, lambda: 0.0)}
    for name, kind in kinds.items():
        found[name] = Entry(kind(setting).run, 20, lambda kind=kind: setting.gap(kind(setting)))
    return found


if __name__ == "__main__":
    sys.exit(main("random_walk", SIZE, entries, SAME, LEAST))
