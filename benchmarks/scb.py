"""Speed of chapter `scb`: the training of a sparse contextual bigram as a careful user writes it, with indices.

Steps are those of arXiv 2410.23438, equations (3) to (6), without the threshold: Stage 1, in which nearly all time is
spent.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy: one thread for everybody

import sys
from typing import Any

import numpy as np
import torch
from parts.race import Entry, main

from hal.chapters.scb.runs import learn
from lib.models import scb
from lib.sampling import generators

TASK: dict[str, Any] = {"T": 5000, "N": 3}
BATCH, LR, CHECKED = 16, 0.01, 5
SIZE = "N = 3, T = 5000, batch 16"
SAME = 1e-5  # single precision
LEAST = 2.5  # of the best rival's time in units of ours, well below what was measured


def ours(task: scb.Task, steps: int) -> scb.Params:
    """The library's parameters after Stage 1."""
    model = scb.LinearTransformer(task, np.float32)
    more = {"lr_after": LR, "threshold": 0.0, "switch": steps, "record": {}, "record_at": [0, steps]}
    return learn(task, [0], lr=LR, batch=BATCH, steps=steps, model=model, **more).params


def samples(task: scb.Task, steps: int) -> list[tuple[np.ndarray, ...]]:
    """Those that `ours` draws: tokens (B, T), last tokens (B,), labels (B,)."""
    rngs = generators([0])
    drawn = (scb.sample(task, BATCH, rngs) for _ in range(steps))
    return [(b.tokens()[0].astype(np.int64), b.last[0], b.label[0]) for b in drawn]


class Indexed:
    """NumPy: histograms by `bincount`, gradients by hand, single precision."""

    def __init__(self, task: scb.Task) -> None:
        self.task, self.rng = task, np.random.default_rng(0)
        self.V = np.outer(task.mu, np.ones(task.N)).astype(np.float32)
        self.A = np.full((task.N, task.T), 1 / task.T, dtype=np.float32)
        self.edges, self.positions = np.cumsum(task.mu)[:-1].astype(np.float32), np.cumsum(task.Q, axis=1)
        self.labels = np.cumsum(task.P, axis=0)

    def draw(self) -> tuple[np.ndarray, ...]:
        """A batch, all samples at once."""
        u = self.rng.random((BATCH, self.task.T), dtype=np.float32)
        tokens = np.zeros(u.shape, dtype=np.int64)
        for edge in self.edges:
            tokens += u > edge
        last = np.searchsorted(self.edges, self.rng.random(BATCH))
        place = (self.positions[last] < self.rng.random((BATCH, 1))).sum(axis=1)
        seen = tokens[np.arange(BATCH), np.minimum(place, self.task.T - 1)]
        return tokens, last, (self.labels[:-1, seen] < self.rng.random(BATCH)).sum(axis=0)

    def step(self, tokens: np.ndarray, last: np.ndarray, label: np.ndarray) -> None:
        task, N = self.task, self.task.N
        cells = tokens + N * np.arange(BATCH)[:, None]
        h = np.bincount(cells.ravel(), weights=self.A[last].ravel(), minlength=BATCH * N)
        h = h.reshape(BATCH, N).astype(np.float32)
        residual = h @ self.V.T
        residual[np.arange(BATCH), label] -= 1
        of_query = (last == np.arange(N)[:, None]).astype(np.float32)
        grad_A = of_query @ (residual @ self.V).take(cells) / BATCH
        grad_V = residual.T @ h / BATCH
        self.V -= LR / task.K_Q * (grad_V - grad_V.mean(axis=0)) / task.mu
        self.A -= LR / task.K_P * (grad_A - grad_A.mean(axis=1, keepdims=True)) / task.mu[:, None]

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.step(*self.draw())


class Torch:
    """Histograms by `scatter_add`, gradients by automatic differentiation, single precision."""

    def __init__(self, task: scb.Task) -> None:
        self.task, self.mu = task, torch.from_numpy(task.mu).float()
        self.weights = [
            torch.outer(self.mu, torch.ones(task.N)).requires_grad_(),
            torch.full((task.N, task.T), 1 / task.T).requires_grad_(),
        ]
        self.edges = torch.cumsum(self.mu, 0)[:-1]
        self.positions, self.labels = torch.from_numpy(task.Q), torch.from_numpy(task.P.T.copy())

    @property
    def V(self) -> np.ndarray:
        return self.weights[0].detach().numpy()

    @property
    def A(self) -> np.ndarray:
        return self.weights[1].detach().numpy()

    def draw(self) -> tuple[torch.Tensor, ...]:
        """A batch, all samples at once."""
        tokens = torch.bucketize(torch.rand(BATCH, self.task.T), self.edges)
        last = torch.multinomial(self.mu, BATCH, replacement=True)
        place = torch.multinomial(self.positions[last], 1)
        return tokens, last, torch.multinomial(self.labels[tokens.gather(1, place)[:, 0]], 1)[:, 0]

    def step(self, tokens: torch.Tensor, last: torch.Tensor, label: torch.Tensor) -> None:
        task, (V, A) = self.task, self.weights
        h = torch.zeros(BATCH, task.N).scatter_add(1, tokens, A[last])
        wanted = torch.nn.functional.one_hot(label, task.N)
        loss = 0.5 * (h @ V.T - wanted).square().sum() / BATCH
        grad_V, grad_A = torch.autograd.grad(loss, (V, A))
        with torch.no_grad():
            V -= float(LR / task.K_Q) * (grad_V - grad_V.mean(0)) / self.mu
            A -= float(LR / task.K_P) * (grad_A - grad_A.mean(1, keepdim=True)) / self.mu[:, None]

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.step(*self.draw())


def entries(task: scb.Task | None = None) -> dict[str, Entry]:
    """Who takes part."""
    task = scb.ring_task(**TASK) if task is None else task

    def gap(rival: Any, convert: Any = lambda x: x) -> float:
        for sample in samples(task, CHECKED):
            rival.step(*(convert(x) for x in sample))
        known = ours(task, CHECKED)
        return float(max(np.abs(known.V[0] - rival.V).max(), np.abs(known.A[0] - rival.A).max()))

    return {
        "ours": Entry(lambda steps: ours(task, steps), 300, lambda: 0.0),
        "numpy": Entry(Indexed(task).run, 50, lambda: gap(Indexed(task))),
        "torch": Entry(Torch(task).run, 50, lambda: gap(Torch(task), torch.from_numpy)),
    }


if __name__ == "__main__":
    sys.exit(main("scb", SIZE, entries, SAME, LEAST))
