"""A GPT-style model on the same prompts: pre-LayerNorm, several heads, learned positions, with or without MLPs.

Chapter `linear_block`. Source: arXiv 2402.14951, Table 1 and Appendix I (GPT-2 on the tokens of Section 3, the loss on
the query alone, residual projections that start smaller). Depth and LayerNorm are the point here, so torch
differentiates, all runs at once; it is imported inside the functions. Nothing of the last layer is computed but the
query's token.
What is out of range, or is not there, raises InputError.
"""

import math
from typing import Any, ClassVar, NamedTuple

import numpy as np

from lib.errors import require, whole
from lib.models.linear_block.fast import Array, OnPrompts, Prompts, Task
from lib.sampling import Rngs

_SMALL, _EPS = 0.02, 1e-5  # deviation of GPT-2's matrices at the start; what LayerNorm adds to a variance


class GptParams(NamedTuple):
    """Parameters of R runs; L layers, L' of them with an MLP (all or none), width w, tokens of size n = d + 1."""

    read_in: Array  #: (R, n, w)
    position: Array  #: (R, M + 1, w)
    norm1: Array  #: (R, L, 2, w) scale and shift before attention
    qkv: Array  #: (R, L, w, 3 w)
    qkv_bias: Array  #: (R, L, 3 w)
    out: Array  #: (R, L, w, w) projection of the heads
    out_bias: Array  #: (R, L, w)
    norm2: Array  #: (R, L', 2, w) before the MLP
    up: Array  #: (R, L', w, 4 w)
    up_bias: Array  #: (R, L', 4 w)
    down: Array  #: (R, L', 4 w, w)
    down_bias: Array  #: (R, L', w)
    norm: Array  #: (R, 2, w) at the end
    read_out: Array  #: (R, w)
    bias: Array  #: (R,)


class Differentiated(OnPrompts):
    """A problem that torch differentiates: `forward` says what the model predicts."""

    params: ClassVar[Any]  #: the NamedTuple of its parameters
    kind: Any = np.float64  #: in which torch computes
    device = "cpu"

    def forward(self, leaves: list[Any], tokens: Any) -> Any:
        """Predicted label of the query (R, B), as a tensor.

        Args:
            leaves: the parameters, see `tensors`.
            tokens: (R, B, M + 1, d + 1) of `Prompts.tokens`, on the device.
        """
        raise NotImplementedError

    def output(self, params: Any, prompts: Prompts) -> Array:
        """Predicted label of the query, (R, B)."""
        import torch

        with torch.no_grad():
            found = self.forward([self._tensor(x) for x in params], self._tensor(prompts.tokens()))
        return np.asarray(found.double().cpu().numpy())

    def loss_and_gradient(self, params: Any, batch: Prompts) -> tuple[Array, Any]:
        """Mean squared error (R,) of the query's label, and its gradient."""
        import torch

        leaves = self.tensors(params)
        found = self.forward(leaves, self._tensor(batch.tokens()))
        losses = ((found - self._tensor(batch.target)) ** 2).mean(dim=1)
        # runs share nothing: the sum's slopes are each run's own
        slopes = torch.autograd.grad(losses.sum(), leaves, materialize_grads=True)
        gradient = self.params(*(slope.double().cpu().numpy() for slope in slopes))
        return losses.detach().double().cpu().numpy(), gradient

    def tensors(self, params: Any) -> list[Any]:
        """The parameters as leaves of torch, on the device, to be differentiated."""
        return [self._tensor(x).requires_grad_() for x in params]

    def _tensor(self, x: Array) -> Any:
        import torch

        return torch.from_numpy(np.ascontiguousarray(x, dtype=self.kind)).to(self.device)


class GptBlocks(Differentiated):
    """The model as a problem for `lib.train.train`.

    Args:
        task: what it learns.
        mlp: with MLP sublayers, GELU of four times the width.
        width: w, a multiple of the heads.
        layers: at least 1.
        heads: at least 1.
        device: of torch, "cpu", "cuda", or a GPU by its index, "cuda:1".
        double: compute in double precision, where gradients are to be compared; single is twice as fast.
    """

    params = GptParams

    def __init__(
        self,
        task: Task,
        mlp: bool = True,
        width: int = 32,
        layers: int = 1,
        heads: int = 4,
        device: str = "cpu",
        double: bool = False,
    ) -> None:
        self.task, self.mlp, self.width = task, bool(mlp), whole("width", width, 1)
        self.layers, self.heads = whole("layers", layers, 1), whole("heads", heads, 1)
        self.kind = np.float64 if double else np.float32
        require(self.width % self.heads == 0, "width", f"a multiple of heads = {self.heads}", self.width)
        kind, _, index = device.partition(":")
        good = device == "cpu" or (kind == "cuda" and (device == "cuda" or index.isdecimal()))
        require(good, "device", "cpu, cuda, or a GPU by its index as in cuda:1", repr(device))
        if kind == "cuda":
            import torch

            require(torch.cuda.is_available(), "device", "cpu, as torch finds no cuda here", device)
            count = torch.cuda.device_count()
            require(int(index or 0) < count, "device", f"cuda:0 to cuda:{count - 1}", device)
        self.device = device

    def init(self, runs: int, rngs: Rngs) -> GptParams:
        """GPT-2's start, run r from rngs[r] alone; read-in and read-out uniform, as linear layers of torch start."""
        require(len(rngs) == runs, "rngs", f"{runs} generators", len(rngs))
        return GptParams(*(np.stack(field) for field in zip(*map(self._one, rngs), strict=True)))

    def _one(self, rng: np.random.Generator) -> list[Array]:
        n, w, L = self.task.d + 1, self.width, self.layers
        inner = L if self.mlp else 0
        residual = _SMALL / math.sqrt(L + inner)

        def normal(deviation: float, *shape: int) -> Array:
            return deviation * rng.standard_normal(shape)

        def norms(*shape: int) -> Array:
            return np.stack([np.ones((*shape, w)), np.zeros((*shape, w))], axis=-2)

        return [
            rng.uniform(-1, 1, (n, w)) / math.sqrt(n),
            normal(_SMALL, self.task.M + 1, w),
            norms(L),
            normal(_SMALL, L, w, 3 * w),
            np.zeros((L, 3 * w)),
            normal(residual, L, w, w),
            np.zeros((L, w)),
            norms(inner),
            normal(_SMALL, inner, w, 4 * w),
            np.zeros((inner, 4 * w)),
            normal(residual, inner, 4 * w, w),
            np.zeros((inner, w)),
            norms(),
            rng.uniform(-1, 1, w) / math.sqrt(w),
            np.zeros(()),
        ]

    def forward(self, leaves: list[Any], tokens: Any) -> Any:
        """Predicted label of the query (R, B), as a tensor, of leaves, see `tensors`, and tokens (R, B, M + 1, n)."""
        import torch

        p = GptParams(*leaves)
        R, B = tokens.shape[:2]
        h = linear(tokens, p.read_in) + p.position[:, None]
        for i in range(self.layers):
            last = i == self.layers - 1
            q, k, v = linear(layer_norm(h, p.norm1[:, i]), p.qkv[:, i], p.qkv_bias[:, i]).split(self.width, dim=-1)
            if last:  # only the query's token is read
                q, h = q[:, :, -1:], h[:, :, -1:]
            q, k, v = (x.reshape(R * B, x.shape[2], self.heads, -1).transpose(1, 2) for x in (q, k, v))
            mixed = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=not last)
            mixed = mixed.transpose(1, 2).reshape(R, B, -1, self.width)
            h = h + linear(mixed, p.out[:, i], p.out_bias[:, i])
            if self.mlp:
                u = linear(layer_norm(h, p.norm2[:, i]), p.up[:, i], p.up_bias[:, i])
                u = torch.nn.functional.gelu(u, approximate="tanh")
                h = h + linear(u, p.down[:, i], p.down_bias[:, i])
        return (layer_norm(h, p.norm)[:, :, -1] @ p.read_out[..., None])[..., 0] + p.bias[:, None]


def linear(h: Any, W: Any, bias: Any = None) -> Any:
    """Tokens h (R, B, T, m) times W (R, m, k), plus a bias (R, k); one product a run."""
    found = h.reshape(h.shape[0], -1, h.shape[-1]) @ W
    return (found if bias is None else found + bias[:, None]).reshape(*h.shape[:-1], -1)


def layer_norm(h: Any, scale_and_shift: Any) -> Any:
    """LayerNorm of (R, B, T, w) by a scale and a shift (R, 2, w)."""
    centred = h - h.mean(dim=-1, keepdim=True)
    scale, shift = (scale_and_shift[:, j, None, None] for j in (0, 1))
    return centred * (centred.square().mean(dim=-1, keepdim=True) + _EPS).rsqrt() * scale + shift
