r"""From the linear block towards GPT-2: softmax, depth, LayerNorm, a trained read-out in stacks.

Chapter `linear_block`. Source: ours; the linear block is that of arXiv 2402.14951, Section 3. Tokens keep their size,
n = d + 1; softmax is over all M + 1 tokens, and the query's token is never a value. `Stack` has a residual
around its MLP, as GPT-2, and torch differentiates it.
What is out of range, or is not there, raises InputError.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hal.chapters.linear_block.models.gpt import Differentiated, layer_norm, linear
from lib.errors import require, whole
from lib.models.linear_block.fast import Array, Prompts, Task
from lib.sampling import Rngs

ATTENTIONS, NORMS = ("linear", "softmax"), ("none", "inside", "end", "both")


class StackParams(NamedTuple):
    """Parameters of R stacks; L layers, L' of them with an MLP (all or none), n = d + 1."""

    K: Array  #: (R, L, n, n) keys
    Q: Array  #: (R, L, n, n) queries
    P: Array  #: (R, L, n, n) projection
    V: Array  #: (R, L, n, n) values
    W1: Array  #: (R, L', hidden, n) first matrix of the MLP
    W2: Array  #: (R, L', hidden, n) second matrix of the MLP
    norm1: Array  #: (R, L, 2, n) scale and shift of the LayerNorm before attention
    norm2: Array  #: (R, L', 2, n) of the one before the MLP
    norm: Array  #: (R, 2, n) of the one at the end
    read: Array  #: (R, n) read-out of the query's token


class Stack(Differentiated):
    """Layers of one-headed attention, with or without MLPs, as a problem for `lib.train.train`.

    A layer adds $P^\\top V$ times the tokens of the examples, weighted by attention, and then, with an MLP,
    $W_2^\\top\\mathrm{relu}(W_1\\cdot)$. The query's token is never a value.

    Args:
        task: what it learns.
        mlp: with MLPs.
        attention: "linear", or "softmax" over all M + 1 tokens.
        norm: where LayerNorm stands, one of `NORMS`: "inside" is before each attention and each MLP, "end" before the
            read-out; GPT-2 has "both".
        layers: at least 1.
        readout: the output is a trained linear map of the query's token; without it, the token's last entry.
        hidden: rows of W1 and W2, at least 1.
        scale: standard deviation of the entries at the start, above 0; the read-out starts so near the last entry.
    """

    params = StackParams

    def __init__(
        self,
        task: Task,
        mlp: bool = True,
        attention: str = "linear",
        norm: str = "none",
        layers: int = 1,
        readout: bool = False,
        hidden: int = 20,
        scale: float = 0.3,
    ) -> None:
        require(attention in ATTENTIONS, "attention", f"one of {', '.join(ATTENTIONS)}", repr(attention))
        require(norm in NORMS, "norm", f"one of {', '.join(NORMS)}", repr(norm))
        require(np.isfinite(scale) and scale > 0, "scale", "a finite number above 0", scale)
        self.task, self.mlp, self.attention, self.norm = task, bool(mlp), attention, norm
        self.layers, self.hidden = whole("layers", layers, 1), whole("hidden", hidden, 1)
        self.readout, self.scale = bool(readout), float(scale)

    def init(self, runs: int, rngs: Rngs) -> StackParams:
        """Normal entries, run r from rngs[r] alone."""
        require(len(rngs) == runs, "rngs", f"{runs} generators", len(rngs))
        n, L = self.task.d + 1, self.layers
        inner = L if self.mlp else 0
        shapes = [(L, n, n)] * 4 + [(inner, self.hidden, n)] * 2
        drawn = [[self.scale * rng.standard_normal(shape) for shape in [*shapes, (n,)]] for rng in rngs]
        *matrices, read = (np.stack(field) for field in zip(*drawn, strict=True))
        last = np.eye(n)[-1]
        read = last + self.readout * read
        plain = np.stack([np.ones(n), np.zeros(n)])
        norms = [np.broadcast_to(plain, (runs, *shape, 2, n)).copy() for shape in ((L,), (inner,), ())]
        return StackParams(*[*matrices, *norms, read])

    def loss_and_gradient(self, params: StackParams, batch: Prompts) -> tuple[Array, StackParams]:
        """Mean squared error (R,) of the query's label, and its gradient; zero for a read-out that is not trained."""
        loss, gradient = super().loss_and_gradient(params, batch)
        return loss, gradient if self.readout else gradient._replace(read=np.zeros_like(gradient.read))

    def forward(self, leaves: list[Any], tokens: Any) -> Any:
        """Predicted label of the query (R, B), as a tensor, of leaves, see `tensors`, and tokens (R, B, M + 1, n)."""
        import torch

        p, h = StackParams(*leaves), tokens
        M = h.shape[-2] - 1
        for i in range(self.layers):
            u = self._normed("inside", h, p.norm1[:, i])
            asking = u[:, :, -1:] if i == self.layers - 1 else u  # of the last layer only the query's token is read
            asked = linear(linear(asking, p.Q[:, i].mT), p.K[:, i])
            scores = asked @ u.mT
            weights = scores / M if self.attention == "linear" else torch.softmax(scores, dim=-1)
            mixed = weights[..., :M] @ u[:, :, :M]
            h = h[:, :, -asking.shape[2] :] + linear(linear(mixed, p.V[:, i].mT), p.P[:, i])
            if self.mlp:
                u = self._normed("inside", h, p.norm2[:, i])
                h = h + linear(torch.relu(linear(u, p.W1[:, i].mT)), p.W2[:, i])
        return (self._normed("end", h, p.norm)[:, :, -1] @ p.read[..., None])[..., 0]

    def _normed(self, where: str, h: Any, scale_and_shift: Any) -> Any:
        return layer_norm(h, scale_and_shift) if self.norm in (where, "both") else h
