"""Speed of chapter `one_nn`: two numbers on fresh prompts as a careful user writes them, normal points, then products.

The same mathematics as the library's `ReducedPair`: W = diag(xi_1 I, 0, -xi_2), labels averaged out. The
library draws inner products without points.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy: one thread for everybody

import sys
from typing import Any

import numpy as np
import torch
from parts.race import Entry, main

from hal.chapters.one_nn.runs import learn_pair
from lib.models import one_nn as model
from lib.sampling import generators

D, N, BATCH, LR, SIGMA, CHECKED = 8, 16, 256, 2.0, 3.0, 20
SIZE = "d = 8, N = 16, batch 256"
SAME = 1e-10
LEAST = 4.0  # of the best rival's time in units of ours, well below what was measured


def ours(steps: int, batch: int = BATCH) -> np.ndarray:
    """(xi_1, xi_2) of the library."""
    run = learn_pair([0], d=D, N=N, sigma=SIGMA, lr=LR, batch=batch, steps=steps, record_at=[0, steps])
    return np.array([run.params.xi1[0], run.params.xi2[0]])


def samples(steps: int, batch: int = BATCH) -> list[np.ndarray]:
    """Inner products (B, N) of the prompts that `ours` draws."""
    problem, rngs = model.ReducedPair(D, N, SIGMA), generators([0])
    return [np.ascontiguousarray(problem.sample(batch, rngs).z[0].T) for _ in range(steps)]


class Plain:
    """NumPy, gradients by hand, double precision."""

    def __init__(self, batch: int = BATCH) -> None:
        self.xi, self.rng, self.batch = np.array([0.0, SIGMA]), np.random.default_rng(0), batch

    def draw(self) -> np.ndarray:
        """Inner products (B, N) of fresh points."""
        x = self.rng.standard_normal((self.batch, N + 1, D))
        x /= np.sqrt(np.einsum("bnd,bnd->bn", x, x))[..., None]
        return np.matmul(x[:, :-1], x[:, -1, :, None])[..., 0]

    def step(self, z: np.ndarray) -> None:
        rows = np.arange(len(z))
        scores = np.concatenate([self.xi[0] * z, np.full((len(z), 1), self.xi[0] - self.xi[1])], axis=1)
        q = np.exp(scores - scores.max(axis=1, keepdims=True))
        q /= q.sum(axis=1, keepdims=True)
        error = q.copy()
        error[rows, z.argmax(axis=1)] -= 1
        error[:, -1] = 0
        slope = q * (error - (q * error).sum(axis=1, keepdims=True)) / len(z)
        own = slope[:, -1].sum()
        self.xi -= LR * np.array([((slope[:, :-1] * z).sum() + own) / D, -own])

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.step(self.draw())


class Torch:
    """The same by automatic differentiation, double precision."""

    def __init__(self, batch: int = BATCH) -> None:
        self.parts, self.batch = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in (0.0, SIGMA)], batch

    @property
    def xi(self) -> np.ndarray:
        return np.array([x.item() for x in self.parts])

    def draw(self) -> torch.Tensor:
        """Inner products (B, N) of fresh points."""
        x = torch.nn.functional.normalize(torch.randn(self.batch, N + 1, D, dtype=torch.float64), dim=-1)
        return (x[:, :-1] @ x[:, -1, :, None])[..., 0]

    def step(self, z: torch.Tensor) -> None:
        xi1, xi2 = self.parts
        scores = torch.cat([xi1 * z, (xi1 - xi2).expand(len(z), 1)], dim=1)
        q = torch.softmax(scores, dim=1)[:, :-1]
        near = q.gather(1, z.argmax(dim=1, keepdim=True))[:, 0]
        one, two = torch.autograd.grad((0.5 * q.square().sum(dim=1) - near).mean(), self.parts)
        with torch.no_grad():
            xi1 -= LR / D * one
            xi2 -= LR * two

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.step(self.draw())


def entries(batch: int = BATCH) -> dict[str, Entry]:
    """Who takes part."""

    def gap(rival: Any, convert: Any) -> float:
        for z in samples(CHECKED, batch):
            rival.step(convert(z))
        return float(np.abs(ours(CHECKED, batch) - rival.xi).max())

    return {
        "ours": Entry(lambda steps: ours(steps, batch), 300, lambda: 0.0),
        "numpy": Entry(Plain(batch).run, 50, lambda: gap(Plain(batch), lambda z: z)),
        "torch": Entry(Torch(batch).run, 50, lambda: gap(Torch(batch), torch.from_numpy)),
    }


if __name__ == "__main__":
    sys.exit(main("one_nn", SIZE, entries, SAME, LEAST))
