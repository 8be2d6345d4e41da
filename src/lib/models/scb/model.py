"""The one-layer linear transformer f(X, k) = V X a^(k): sampling, loss and exact gradients, R runs in one call.

Chapter `scb`. Source: arXiv 2410.23438, Section 2.2 (model), Section 2.3 and Lemma B.3 (loss, gradients), Section 5.2
(the softmax variant), Sections 2.1 and 6 (labels fed back as tokens, an extension that the paper leaves to others).

Cost: O(batch * T * N) a step with tiny constants; no one-hot tensor is built. With the tail masks
F_n = 1{token >= n}, the products C_n = F_n a^(k) are tail masses, h_n = C_n - C_(n+1) is the attended histogram,
and the attention gradient at position t, (V^T r)_(x_t), is a combination of the same masks.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lib.attention import softmax, softmax_pullback
from lib.errors import require
from lib.models.scb.task import Array, Task
from lib.sampling import Rngs, choose

# Masks of about this many numbers stay in a cache (8 MB) while both products read them.
_CHUNK = 2_000_000
# OpenBLAS multiplies without copies up to 10**6 multiplications a product; 4 rows suit its kernels best.
_PRODUCT, _ROWS = 1_000_000, 4


class Params(NamedTuple):
    """Parameters of R runs."""

    V: Array  #: (R, N, N); column j is the output for token j
    A: Array  #: (R, N, T); row k is the attention a^(k) when the last token is k


class Batch(NamedTuple):
    """One minibatch of B fresh samples for each of R runs."""

    draws: NDArray  #: (R, B, T) raw draws; token >= n exactly when draw >= cuts[n - 1]
    cuts: NDArray  #: (R, N - 1)
    last: NDArray[np.intp]  #: (R, B) last token k
    label: NDArray[np.intp]  #: (R, B) label x_o

    def tokens(self) -> NDArray[np.intp]:
        """(R, B, T) the context as token numbers, for pictures and slow reference code."""
        return np.count_nonzero(self.draws[..., None] >= self.cuts[:, None, None, :], axis=-1)


class LinearTransformer:
    """An SCB task together with the linear model, in the form that `lib.train.train` asks for.

    Args:
        task: one task for all runs, or R tasks, one a run.
        dtype: precision of the token products; float32 is exact to about 1e-7 and twice as fast as float64.
            Parameters and updates are float64 always.

    Source: arXiv 2410.23438, Section 2.2.
    """

    def __init__(self, task: Task, dtype: type = np.float32) -> None:
        self.task = task
        self.dtype = dtype

    def init(self, runs: int = 1, rngs: Rngs = ()) -> Params:
        """The paper's start: V = mu 1^T (trivial transition), A = 1/T (uniform attention), for `runs` runs."""
        return initial(self.task, runs)

    def sample(self, batch: int, rngs: Rngs, step: int = 0) -> Batch:
        """Fresh samples; see `sample`."""
        return sample(self.task, batch, rngs)

    def loss_and_gradient(self, params: Params, batch: Batch) -> tuple[Array, Params]:
        """Minibatch loss and gradient; see `loss_and_gradient`."""
        return loss_and_gradient(params, batch, self.dtype)


def initial(task: Task, runs: int = 1) -> Params:
    """V = mu 1^T and A = 1/T for `runs` runs: trivial transition, uniform attention.

    Source: arXiv 2410.23438, Section 2.3.
    """
    N, T = task.N, task.T
    return Params(np.broadcast_to(task.mu[..., :, None], (runs, N, N)).copy(), np.full((runs, N, T), 1 / T))


def sample(task: Task, batch: int, rngs: Rngs) -> Batch:
    """Draw a `Batch` of R x `batch` samples of one task or R tasks, one a run; run r depends on rngs[r] alone.

    Raises:
        InputError: if batch < 1 or the number of generators is not that of the tasks.

    Source: arXiv 2410.23438, equation (1).
    """
    require(batch >= 1, "batch", "at least 1 sample", batch)
    runs = len(rngs)
    if task.mu.ndim == 2:
        require(len(task.mu) == runs, "rngs", f"{len(task.mu)} generators, one a task", runs)
    draws = task.sampler.draw((batch, task.T), rngs)
    if runs == 1:
        uniform = rngs[0].random((2, 1, batch))
    else:
        uniform = np.array([rng.random((2, batch)) for rng in rngs]).swapaxes(0, 1)
    cuts, edges, (joint, positions) = task.sampler.cuts, task.label_edges, task.targets
    start = _starts(runs, batch, task.T)
    if task.mu.ndim == 1:
        cell = joint.searchsorted(uniform[0], side="right")  # last token and position, jointly
        token = cuts.searchsorted(draws.reshape(-1)[start + positions[cell]], side="right")
        label = edges.reshape(-1).searchsorted(uniform[1] + token, side="right") % task.N
        cuts = cuts[None] if runs == 1 else cuts[None].repeat(runs, axis=0)
    else:
        rows = np.arange(runs)[:, None]
        cell = choose(joint[:, None], uniform[0])
        seen = draws.reshape(-1)[start + positions[rows, cell]]
        token = np.add.reduce(seen[..., None] >= cuts[:, None], axis=-1)
        label = choose(edges[rows, token], uniform[1] + token)
    last = cell // (joint.shape[-1] // task.N)
    return Batch(draws, cuts, last, label)


def loss_and_gradient(params: Params, batch: Batch, dtype: type = np.float32) -> tuple[Array, Params]:
    """Mean squared loss (R,) of a minibatch, and its exact gradient in V and A; token products have precision `dtype`.

    With h = X a^(k) and r = V h - e_label: loss = ||r||^2 / 2, grad V = r h^T, and the gradient in a^(k) at position
    t is (V^T r) at token x_t; rows of A whose last token is absent have gradient zero.

    Source: arXiv 2410.23438, equation (3) and Lemma B.3.
    """
    V, A = params
    runs, B, _ = batch.draws.shape
    N = V.shape[-1]
    masks = _Masks(batch, dtype)
    units, outputs, differences = _constants(N)
    # (R, rows of A filled up, B): 1 at the row that a sample asks
    asked = units.take(batch.last, axis=0).swapaxes(-1, -2)
    own_row = asked[:, :, None]
    # Tail masses C_n of the attended tokens. V h = steps C for h_n = C_n - C_(n+1) and steps_n = V_n - V_(n-1).
    tail = np.empty((runs, N, B))
    np.matmul(row_sums(A).swapaxes(-1, -2), asked[:, :N], out=tail[:, :1])
    np.add.reduce(masks.attended(A, units.shape[1]) * own_row, axis=1, out=tail[:, 1:])
    steps = np.matmul(V, differences)
    residual = np.matmul(steps, tail)
    residual -= outputs.take(batch.label, axis=0).swapaxes(-1, -2)
    loss = np.add.reduce(np.square(residual).reshape(runs, -1), axis=-1) * (0.5 / B)
    residual *= 1 / B
    grad_V = np.matmul(np.matmul(residual, tail.swapaxes(-1, -2)), differences.T)
    # V^T r as coefficients of the masks, from n = 0 (all tokens) on; a sample speaks to its own row of A only.
    look_up = np.matmul(steps.swapaxes(-1, -2), residual)
    base = np.matmul(asked[:, :N], look_up[:, 0, :, None])
    return loss, Params(grad_V, masks.spread(own_row * look_up[:, None, 1:], base))


@lru_cache
def _constants(N: int) -> tuple[Array, Array, Array]:
    """Unit vectors (N, N filled up to a multiple of `_ROWS`) and (N, N); the matrix that takes v_n to v_n - v_(n-1)."""
    return np.eye(N, -(-N // _ROWS) * _ROWS), np.eye(N), np.eye(N) - np.eye(N, k=1)


def row_sums(A: Array) -> Array:
    """(R, N, 1) sums over the positions, as products with ones: less time than a sum along an axis."""
    return A.dot(_ones(A.shape[-1]))[..., None]


@lru_cache
def _ones(T: int) -> Array:
    return np.ones(T)


@lru_cache
def _starts(runs: int, batch: int, T: int) -> NDArray[np.int64]:
    """(R, B) place of each sample's first token among all draws."""
    return np.arange(0, runs * batch * T, T).reshape(runs, batch)


class _Masks:
    """The masks 1{token >= n} of a batch, n = 1 .. N - 1, as numbers: the two products that a gradient needs.

    The work is cut into parts, some runs and some positions at a time. Where the cuts are within a run depends on the
    shape of a run alone, so that a run's numbers do not depend on its company.
    """

    def __init__(self, batch: Batch, dtype: type) -> None:
        self.batch, self.dtype = batch, dtype
        runs, B, T = batch.draws.shape
        self.height = B * batch.cuts.shape[-1]
        self.parts = _parts(runs, self.height, T)
        # Made once if they are few enough for a cache to hold until the second product, else made twice.
        self.kept = [self._make(r, t) for r, t in self.parts] if runs * self.height * T <= 2 * _CHUNK else None

    def _make(self, runs: slice, positions: slice) -> NDArray:
        """(r, 1, (N - 1) B, t)"""
        above = self.batch.draws[runs, None, :, positions] >= self.batch.cuts[runs, :, None, None]
        # a conversion from bytes takes two thirds of the time of one from truth values
        return above.view(np.uint8).astype(self.dtype).reshape(len(above), 1, self.height, -1)

    def _each(self) -> Iterator[tuple[slice, slice, NDArray]]:
        for i, (r, t) in enumerate(self.parts):
            yield r, t, self._make(r, t) if self.kept is None else self.kept[i]

    def attended(self, A: Array, height: int) -> NDArray:
        """(R, height, N - 1, B): each row of A (R, N, T) summed over the positions where each mask is 1."""
        runs, N, T = A.shape
        rows: NDArray = np.empty((runs, height // _ROWS, _ROWS, T), self.dtype)
        filled = rows.reshape(runs, height, T)
        filled[:, :N] = A
        filled[:, N:] = 0.0
        if len(self.parts) == 1 and self.kept is not None:
            out = np.matmul(rows, self.kept[0].swapaxes(-1, -2))
        else:
            out = np.zeros((runs, height // _ROWS, _ROWS, self.height))
            for r, t, masks in self._each():
                out[r] += np.matmul(rows[r, ..., t], masks.swapaxes(-1, -2))
        return out.reshape(runs, height, -1, self.batch.draws.shape[1])

    def spread(self, slope: Array, base: Array) -> Array:
        """(R, N, T): base (R, N, 1) plus the sum of slope (R, height, N - 1, B) times the masks."""
        runs, N, _ = base.shape
        out = np.empty((runs, N, self.batch.draws.shape[-1]))
        few = min(N, _ROWS)  # here rows that are filled up would only cost
        weights: NDArray = slope[:, : -(-N // few) * few].astype(self.dtype).reshape(runs, -1, few, self.height)
        for r, t, masks in self._each():
            part = np.matmul(weights[r], masks)
            out[r, :, t] = part.reshape(len(part), -1, part.shape[-1])[:, :N]
        out += base
        return out


@lru_cache
def _parts(runs: int, height: int, T: int) -> list[tuple[slice, slice]]:
    """Some runs and some positions at a time: what fits the cache, and the products that OpenBLAS is fast at."""
    wide = min(T, max(1, _PRODUCT // (height * _ROWS)))
    many = max(1, _CHUNK // (height * T))
    return [(slice(r, r + many), slice(t, t + wide)) for r in range(0, runs, many) for t in range(0, T, wide)]


class SoftmaxParams(NamedTuple):
    """Parameters of R runs of the softmax model."""

    V: Array  #: (R, N, N)
    w: Array  #: (R, N, T) attention logits, in nats


class SoftmaxTransformer(LinearTransformer):
    """The SCB task with softmax attention, in the form that `lib.train.train` asks for."""

    def init(  # type: ignore[override]  # `train` asks for any NamedTuple
        self, runs: int = 1, rngs: Rngs = ()
    ) -> SoftmaxParams:
        """The start with logits 0: the same uniform attention as the linear model."""
        V, A = super().init(runs)
        return SoftmaxParams(V, np.zeros_like(A))

    def loss_and_gradient(  # type: ignore[override]  # logits in place of weights
        self, params: SoftmaxParams, batch: Batch
    ) -> tuple[Array, SoftmaxParams]:
        """Loss (R,) and exact gradient in V and the logits: (diag(a) - a a^T) times the gradient in a."""
        linear = as_linear(params)
        loss, grad = loss_and_gradient(linear, batch, self.dtype)
        return loss, SoftmaxParams(grad.V, softmax_pullback(linear.A, grad.A))


def as_linear(params: SoftmaxParams) -> Params:
    """The linear parameters with the same V and the same attention weights."""
    return Params(params.V, softmax(params.w))
