"""Speed of chapter `group_sparse`: whole matrices and batched products on given examples, as a user writes them.

The model of arXiv 2504.08638, Section 2, by gradient descent from zero. Nobody draws: the training set is fixed.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy: one thread for everybody

import sys
from typing import Any

import numpy as np
import torch
from parts.race import Entry, main

from lib import optim
from lib.models import group_sparse as gs
from lib.sampling import generators
from lib.train import GivenBatches, train

D, d, EXAMPLES, LR, CHECKED = 6, 4, 2000, 0.1, 10
SIZE = "d = 4, D = 6, 2,000 examples"
SAME = 1e-10
LEAST = 0.9  # of the best rival's time in units of ours, well below what was measured


class Setting:
    """The examples that all see."""

    def __init__(self, n: int = EXAMPLES) -> None:
        self.batch = gs.Task(D=D, d=d).sample(n, generators([0]))
        self.problem = gs.GroupTransformer(gs.Task(D=D, d=d))
        self.H, self.y = self.problem.tokens(self.batch.X)[0], self.batch.y[0]

    def ours(self, steps: int) -> gs.Params:
        fixed = GivenBatches(self.problem, [self.batch])
        return train(fixed, None, optim.sgd(LR), steps, record_at=[0, steps]).params

    def gap(self, rival: Any) -> float:
        """Largest difference of v and W after some steps."""
        rival.run(CHECKED)
        return max(float(np.abs(x[0] - y).max()) for x, y in zip(self.ours(CHECKED), rival.found(), strict=True))


class Batched:
    """NumPy, batched products, gradients by hand, double precision."""

    def __init__(self, setting: Setting) -> None:
        self.H, self.y = setting.H, setting.y
        m = self.H.shape[-1]
        self.v, self.W = np.zeros(m), np.zeros((m, m))

    def found(self) -> tuple[np.ndarray, ...]:
        return self.v, self.W

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.step()

    def step(self) -> None:
        H, n = self.H, len(self.y)
        S = np.exp(np.matmul(H @ self.W, H.swapaxes(1, 2)))  # (n, key, query)
        S /= S.sum(axis=1, keepdims=True)
        value = H @ self.v
        said = np.einsum("nk,nkq->nq", value, S)
        c = -self.y / (1 + np.exp(self.y * said.sum(axis=1))) / n
        slope = c[:, None, None] * S * (value[:, :, None] - said[:, None])
        grad_W = np.tensordot(H, np.matmul(slope, H), axes=([0, 1], [0, 1]))
        self.v -= LR * np.einsum("n,nk,nkm->m", c, S.sum(axis=2), H, optimize=True)
        self.W -= LR * grad_W


class Torch:
    """The same by automatic differentiation, double precision."""

    def __init__(self, setting: Setting) -> None:
        self.H, self.y = torch.from_numpy(setting.H), torch.from_numpy(setting.y)
        m = self.H.shape[-1]
        self.weights = [torch.zeros(shape, dtype=torch.float64, requires_grad=True) for shape in (m, (m, m))]

    def found(self) -> tuple[np.ndarray, ...]:
        v, W = (x.detach().numpy() for x in self.weights)
        return v, W

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.step()

    def step(self) -> None:
        v, W = self.weights
        S = torch.softmax(self.H @ W @ self.H.transpose(1, 2), dim=1)
        f = (S.sum(dim=2) * (self.H @ v)).sum(dim=1)
        loss = torch.nn.functional.softplus(-self.y * f).mean()
        with torch.no_grad():
            for x, slope in zip(self.weights, torch.autograd.grad(loss, self.weights), strict=True):
                x -= LR * slope


def entries(setting: Setting | None = None) -> dict[str, Entry]:
    """Who takes part."""
    setting = Setting() if setting is None else setting
    kinds: dict[str, Any] = {"numpy": Batched, "torch": Torch}
    found = {"ours": Entry(setting.ours, 20, lambda: 0.0)}
    for name, kind in kinds.items():
        found[name] = Entry(kind(setting).run, 10, lambda kind=kind: setting.gap(kind(setting)))
    return found


if __name__ == "__main__":
    sys.exit(main("group_sparse", SIZE, entries, SAME, LEAST))
