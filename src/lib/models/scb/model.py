"""The one-layer linear transformer f(X, k) = V X a^(k): sampling, loss and exact gradients, R runs in one call.

Chapter `scb`. Source: arXiv 2410.23438, Section 2.2 (model), Section 2.3 and Lemma B.3 (loss, gradients).

Cost: O(batch * T * N) a step with tiny constants; no one-hot tensor is built. With the tail masks
F_n = 1{token >= n}, the products C_n = F_n a^(k) are tail masses, h_n = C_n - C_(n+1) is the attended histogram,
and the attention gradient at position t, (V^T r)_(x_t), is a combination of the same masks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lib.errors import require
from lib.models.scb.task import Array, Task
from lib.sampling import Rngs, choose

# Masks of about this many numbers stay in a cache (8 MB) while both products read them.
_CHUNK = 2_000_000
# OpenBLAS multiplies without copies up to 10**6 multiplications a product; 4 rows suit its kernels best.
_PRODUCT, _ROWS = 1_000_000, 4


class Params(NamedTuple):
    """Parameters of R runs."""

    V: Array  # (R, N, N); column j is the output for token j
    A: Array  # (R, N, T); row k is the attention a^(k) when the last token is k


class Batch(NamedTuple):
    """One minibatch of B fresh samples for each of R runs."""

    draws: NDArray  # (R, B, T) raw draws; token >= n exactly when draw >= cuts[n - 1]
    cuts: NDArray  # (R, N - 1)
    last: NDArray[np.intp]  # (R, B) last token k
    label: NDArray[np.intp]  # (R, B) label x_o

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

    def init(self, runs: int = 1) -> Params:
        """The paper's start: V = mu 1^T (trivial transition), A = 1/T (uniform attention), for `runs` runs."""
        return initial(self.task, runs)

    def sample(self, batch: int, rngs: Rngs) -> Batch:
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
    """Draw `batch` samples for each run; run r depends on rngs[r] alone.

    Args:
        task: one task, or R tasks.
        batch: samples B a run, at least 1.
        rngs: R generators.

    Returns:
        A `Batch` of R x B samples.

    Raises:
        InputError: if batch < 1 or the number of generators is not that of the tasks.

    Source: arXiv 2410.23438, equation (1).
    """
    require(batch >= 1, "batch", "at least 1 sample", batch)
    runs = len(rngs)
    require(task.mu.ndim == 1 or len(task.mu) == runs, "rngs", f"{len(task.mu)} generators, one a task", runs)
    draws = task.sampler.draw((batch, task.T), rngs)
    uniform = np.empty((2, runs, batch))
    for r, rng in enumerate(rngs):
        uniform[:, r] = rng.random((2, batch))
    cuts, edges, (joint, positions) = task.sampler.cuts, task.label_edges, task.targets
    start = np.arange(0, draws.size, task.T).reshape(runs, batch)
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
    """Mean squared loss of a minibatch, and its exact gradient in V and A.

    With h = X a^(k) and r = V h - e_label: loss = ||r||^2 / 2, grad V = r h^T, and the gradient in a^(k) at position
    t is (V^T r) at token x_t; rows of A whose last token is absent have gradient zero.

    Args:
        params: parameters of R runs.
        batch: R x B samples.
        dtype: precision of the token products.

    Returns:
        loss (R,), and the gradient as `Params`.

    Source: arXiv 2410.23438, equation (3) and Lemma B.3.
    """
    V, A = params
    runs, B, _ = batch.draws.shape
    N = V.shape[-1]
    masks = _Masks(batch, dtype)
    blocks = -(-N // _ROWS) * _ROWS  # rows of A, filled up
    sample = np.arange(runs * B)
    last, label = batch.last.ravel(), batch.label.ravel()
    cell = last * B
    cell += sample  # of (row of A, sample), runs one after the other
    if runs > 1:
        cell += (sample // B) * ((blocks - 1) * B)
    h = np.empty((runs * B, N))  # the attended histogram, as a difference of tail masses
    total = np.add.reduce(A, axis=-1)
    h[:, 0] = total[np.arange(runs)[:, None], batch.last].ravel()
    h[:, 1:] = masks.attended(A, blocks).reshape(-1, N - 1)[cell]
    h[:, :-1] -= h[:, 1:]
    h = h.reshape(runs, B, N)
    residual = np.matmul(h, V.swapaxes(-1, -2))
    residual.reshape(-1)[sample * N + label] -= 1.0
    flat = residual.reshape(runs, 1, -1)
    loss = np.matmul(flat, flat.swapaxes(-1, -2))[:, 0, 0] * (0.5 / B)
    residual *= 1 / B
    grad_V = np.matmul(residual.swapaxes(-1, -2), h)
    steps = V.copy()
    steps[..., 1:] -= V[..., :-1]
    weights = np.zeros((runs * blocks * B, N))  # a sample speaks to its own row of A only
    weights[cell] = np.matmul(residual, steps).reshape(-1, N)  # V^T r, as coefficients of the masks from n = 0 on
    return loss, Params(grad_V, masks.spread(weights.reshape(runs, blocks, B, N))[:, :N])


class _Masks:
    """The masks 1{token >= n} of a batch, n = 1 .. N - 1, as numbers: the two products that a gradient needs.

    The work is cut into parts, some runs and some positions at a time. Where the cuts are within a run depends on the
    shape of a run alone, so that a run's numbers do not depend on its company.
    """

    def __init__(self, batch: Batch, dtype: type) -> None:
        self.batch, self.dtype = batch, dtype
        runs, B, T = batch.draws.shape
        self.height = B * batch.cuts.shape[-1]
        wide = min(T, max(1, _PRODUCT // (self.height * _ROWS)))
        many = max(1, _CHUNK // (self.height * T))
        self.parts = [(slice(r, r + many), slice(t, t + wide)) for r in range(0, runs, many) for t in range(0, T, wide)]
        # Made once if they are few enough for a cache to hold until the second product, else made twice.
        self.kept = [self._make(r, t) for r, t in self.parts] if runs <= many else None

    def _make(self, runs: slice, positions: slice) -> NDArray:
        """(r, 1, B (N - 1), t)"""
        draws, cuts = self.batch.draws[runs, :, positions], self.batch.cuts[runs]
        masks: NDArray = np.empty((len(draws), draws.shape[1], cuts.shape[1], draws.shape[2]), self.dtype)
        for n in range(cuts.shape[1]):
            masks[:, :, n] = draws >= cuts[:, n, None, None]
        return masks.reshape(len(draws), 1, self.height, -1)

    def _each(self) -> Iterator[tuple[slice, slice, NDArray]]:
        for i, (r, t) in enumerate(self.parts):
            yield r, t, self._make(r, t) if self.kept is None else self.kept[i]

    def attended(self, A: Array, height: int) -> NDArray:
        """(R, height, B (N - 1)): each row of A (R, N, T) summed over the positions where each mask is 1."""
        runs, N, T = A.shape
        rows: NDArray = np.empty((runs, height // _ROWS, _ROWS, T), self.dtype)
        filled = rows.reshape(runs, height, T)
        filled[:, :N] = A
        filled[:, N:] = 0.0
        if len(self.parts) == 1 and self.kept is not None:
            return np.matmul(rows, self.kept[0].swapaxes(-1, -2))
        out = np.zeros((runs, height // _ROWS, _ROWS, self.height))
        for r, t, masks in self._each():
            out[r] += np.matmul(rows[r, ..., t], masks.swapaxes(-1, -2))
        return out

    def spread(self, weights: Array) -> Array:
        """(R, height, T): sum over samples and n of weights (R, height, B, N) times the masks; that of n = 0 is 1."""
        runs, height, *_ = weights.shape
        out = np.empty((runs, height, self.batch.draws.shape[-1]))
        split = out.reshape(runs, height // _ROWS, _ROWS, -1)
        base = np.add.reduce(weights[..., 0], axis=-1).reshape(runs, -1, _ROWS, 1)
        slope: NDArray = weights[..., 1:].astype(self.dtype).reshape(runs, -1, _ROWS, self.height)
        for r, t, masks in self._each():
            split[r, ..., t] = np.matmul(slope[r], masks)
            split[r, ..., t] += base[r]
        return out
