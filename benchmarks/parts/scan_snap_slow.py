"""The training of Scan and Snap as one writes it first: what `lib` is measured against.

One-hot sequences, softmax attention over positions, automatic differentiation and `torch.optim.SGD`; samples drawn one
sequence at a time. Source: the model of arXiv 2305.16380, Section 3; the code is ours.
"""

from __future__ import annotations

import random

import numpy as np
import torch

from lib.models import scan_snap as ss


class OneHot:
    """One run of the model over a vocabulary of M ids, ordered context, queries, next tokens.

    Args:
        task: finite L, M = C + Q + K.
        start: one run of parameters, Y with all M columns.
        lr_Y: rate of the decoder.
        lr_Z: rate of attention.
        dtype: single precision as torch has it by default, or double.
    """

    def __init__(
        self, task: ss.Task, start: ss.Params, lr_Y: float, lr_Z: float, dtype: torch.dtype = torch.float32
    ) -> None:
        self.task, self.dtype = task, dtype
        self.weights = [torch.tensor(row[row > 0], dtype=torch.float32) for row in task.P]
        self.tokens = [torch.from_numpy(np.flatnonzero(row)) for row in task.P]
        M, C, Q = task.M, task.C, task.Q
        self.decoder = torch.nn.Linear(M, M, bias=False, dtype=dtype)
        self.attention = torch.nn.Linear(M, M, bias=False, dtype=dtype)
        with torch.no_grad():
            # Only rows of contextual tokens and of queries ever matter.
            self.decoder.weight[:, :C] = torch.from_numpy(np.roll(start.Y[0], -task.K, axis=1).T).to(dtype)
            self.attention.weight[:C, C : C + Q] = torch.from_numpy(start.Z[0].T).to(dtype)
        groups = [
            {"params": self.decoder.parameters(), "lr": lr_Y},
            {"params": self.attention.parameters(), "lr": lr_Z},
        ]
        self.optimiser = torch.optim.SGD(groups, momentum=0.9)

    def draw(self, batch: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Tokens (B, L) and classes (B,) drawn one sequence at a time."""
        tokens, label = [], []
        for _ in range(batch):
            n = random.choice(range(self.task.K))
            picked = torch.multinomial(self.weights[n], self.task.L or 0, replacement=True)
            tokens.append(self.tokens[n][picked])
            label.append(n)
        return torch.stack(tokens), torch.tensor(label)

    def step(self, tokens: torch.Tensor, label: torch.Tensor) -> float:
        """One update on a minibatch; returns its loss in nats."""
        C, Q, M = self.task.C, self.task.Q, self.task.M
        hot = torch.nn.functional.one_hot
        X = hot(tokens, M).to(self.dtype)  # (B, L, M)
        query = hot(torch.from_numpy(self.task.query)[label] + C, M).to(self.dtype)
        logits = torch.einsum("blm,bm->bl", X, self.attention(query))
        mixed = torch.einsum("blm,bl->bm", X, torch.softmax(logits, dim=1))
        output = self.decoder(mixed / mixed.norm(dim=1, keepdim=True))
        loss = torch.nn.functional.cross_entropy(output, label + C + Q)
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        return loss.item()


def sequences(batch: ss.Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """The samples of one run as tokens (B, L), in some order, and classes (B,)."""
    ids = np.arange(batch.counts.shape[-1])
    tokens = np.stack([np.repeat(ids, row.astype(np.intp)) for row in batch.counts[0]])
    return torch.from_numpy(tokens), torch.from_numpy(batch.label[0])
