"""Speed of chapter `scan_snap`: the training as a careful user writes it, with histograms in place of sequences.

The model of arXiv 2305.16380, Section 3, with all columns of the decoder, a random start and momentum 0.9, both
learning rates 1.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy: one thread for everybody

import sys
from typing import Any

import numpy as np
import torch
from parts.race import Entry, main

from hal.chapters.scan_snap.runs import learn
from lib.models import scan_snap as ss
from lib.sampling import generators

BATCH, MOMENTUM, CHECKED = 128, 0.9, 10
SIZE = "K = 20 classes, 10 queries, M = 240, batch 128"
SAME = 1e-9
LEAST = 1.1  # of the best rival's time in units of ours, well below what was measured


def task_of() -> ss.Task:
    """The largest vocabulary of the paper."""
    return ss.base_task(K=20, queries=10)


def ours(task: ss.Task, steps: int) -> ss.Params:
    """The library's parameters."""
    return learn(task, [0], steps=steps, random=True, record={}, record_at=[0, steps]).params


def samples(task: ss.Task, steps: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Histograms (B, C) and classes (B,) that `ours` draws."""
    rngs = generators([0])
    drawn = (ss.sample(task, BATCH, rngs) for _ in range(steps))
    return [(np.asarray(b.counts[0], dtype=np.float64), b.label[0]) for b in drawn]


class Histograms:
    """NumPy, gradients by hand, double precision."""

    def __init__(self, task: ss.Task) -> None:
        first = ss.random_start(task, generators([0], purpose=2))
        self.task, self.rng = task, np.random.default_rng(0)
        self.weights = [first.Y[0].copy(), first.Z[0].copy()]
        self.velocity = [np.zeros_like(x) for x in self.weights]

    def found(self) -> list[np.ndarray]:
        return self.weights

    def draw(self) -> tuple[np.ndarray, np.ndarray]:
        """Histograms and classes, all samples at once."""
        label = self.rng.integers(self.task.K, size=BATCH)
        return self.rng.multinomial(self.task.L, self.task.P[label]).astype(np.float64), label

    def step(self, counts: np.ndarray, label: np.ndarray) -> None:
        (Y, Z), query = self.weights, self.task.query[label]
        f = counts * np.exp(Z - Z.max(axis=1, keepdims=True))[query]
        f /= np.sqrt(np.einsum("bc,bc->b", f, f))[:, None]
        out = f @ Y
        out = np.exp(out - out.max(axis=1, keepdims=True))
        out /= out.sum(axis=1, keepdims=True)
        out[np.arange(BATCH), label] -= 1
        out /= BATCH
        g = out @ Y.T
        g = f * (g - f * np.einsum("bc,bc->b", f, g)[:, None])
        of_query = (query == np.arange(len(Z))[:, None]).astype(np.float64)
        for x, speed, slope in zip(self.weights, self.velocity, (f.T @ out, of_query @ g), strict=True):
            speed *= MOMENTUM
            speed += slope
            x -= speed

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.step(*self.draw())


class Torch:
    """The same by automatic differentiation and `torch.optim.SGD`, double precision."""

    def __init__(self, task: ss.Task) -> None:
        first = ss.random_start(task, generators([0], purpose=2))
        self.task, self.P, self.query = task, torch.from_numpy(task.P), torch.from_numpy(task.query)
        self.weights = [torch.from_numpy(x[0].copy()).requires_grad_() for x in first]
        self.optimiser = torch.optim.SGD(self.weights, lr=1.0, momentum=MOMENTUM)

    def found(self) -> list[np.ndarray]:
        return [x.detach().numpy() for x in self.weights]

    def draw(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Histograms and classes, all samples at once."""
        label = torch.randint(self.task.K, (BATCH,))
        tokens = torch.multinomial(self.P[label], self.task.L or 0, replacement=True)
        ones = torch.ones(tokens.shape, dtype=torch.float64)
        return torch.zeros(BATCH, self.task.C, dtype=torch.float64).scatter_add(1, tokens, ones), label

    def step(self, counts: torch.Tensor, label: torch.Tensor) -> None:
        Y, Z = self.weights
        f = torch.nn.functional.normalize(counts * Z[self.query[label]].exp(), dim=1)
        loss = torch.nn.functional.cross_entropy(f @ Y, label)
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.step(*self.draw())


def entries(task: ss.Task | None = None) -> dict[str, Entry]:
    """Who takes part."""
    task = task_of() if task is None else task

    def gap(rival: Any, convert: Any = lambda x: x) -> float:
        for sample in samples(task, CHECKED):
            rival.step(*(convert(x) for x in sample))
        return max(float(np.abs(x[0] - y).max()) for x, y in zip(ours(task, CHECKED), rival.found(), strict=True))

    return {
        "ours": Entry(lambda steps: ours(task, steps), 100, lambda: 0.0),
        "numpy": Entry(Histograms(task).run, 30, lambda: gap(Histograms(task))),
        "torch": Entry(Torch(task).run, 20, lambda: gap(Torch(task), torch.from_numpy)),
    }


if __name__ == "__main__":
    sys.exit(main("scan_snap", SIZE, entries, SAME, LEAST))
