"""The one-layer linear transformer f(X, k) = V X a^(k): sampling, loss and exact gradients, R runs in one call.

Chapter `scb`. Source: arXiv 2410.23438, Section 2.2 (model), Section 2.3 and Lemma B.3 (loss, gradients).

Cost: O(batch * T * N) a step with tiny constants; no one-hot tensor is built. With the tail masks
F_n = 1{token >= n}, the products C_n = F_n a^(k) are tail masses, h_n = C_n - C_(n+1) is the attended histogram,
and the attention gradient at position t, (V^T r)_(x_t), is a combination of the same masks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lib.errors import require
from lib.models.scb.task import Array, Task
from lib.sampling import Rngs, choose

# Masks of about this many numbers stay in the second-level cache while both products read them.
_CHUNK = 400_000


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
    uniform = np.array([rng.random((3, batch)) for rng in rngs])  # (R, 3, B)
    shared = task.mu.ndim == 1
    rows = np.arange(runs)[:, None]
    own = () if shared else (rows,)
    cuts = np.repeat(task.sampler.cuts[None], runs, axis=0) if shared else task.sampler.cuts
    last = choose(task.cumulative_mu if shared else task.cumulative_mu[:, None], uniform[:, 0])
    positions, weights = task.support
    where = choose(weights[(*own, last)], uniform[:, 1])
    position = positions[(*own, last, where)]  # (R, B)
    seen = draws[rows, np.arange(batch), position]  # (R, B)
    token = (seen[..., None] >= cuts[:, None, :]).sum(axis=-1)
    label = choose(task.cumulative_P[(*own, token)], uniform[:, 2])
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
    runs, B, T = batch.draws.shape
    N = V.shape[-1]
    tail = np.empty((runs, B, N + 1))  # attended mass of tokens >= n; n = 0 is all of it, n = N is none
    rows = np.arange(runs)[:, None]
    each = np.arange(B)
    tail[..., 0] = np.matmul(A, np.ones(T))[rows, batch.last]
    tail[..., N] = 0.0
    step = max(1, _CHUNK // (B * (N - 1) * T))
    one_pass = step >= runs
    masks = _masks(batch, slice(0, step), dtype)
    for r in range(0, runs, step):
        s = slice(r, r + step)
        masks = masks if r == 0 else _masks(batch, s, dtype)
        mass = np.matmul(masks, A[s].astype(dtype).swapaxes(-1, -2))  # (r, B (N - 1), N)
        mass = mass.reshape(len(masks), B, N - 1, N)
        tail[s, :, 1:N] = mass[np.arange(len(masks))[:, None], each, :, batch.last[s]]
    h = tail[..., :-1] - tail[..., 1:]  # (R, B, N)
    residual = np.matmul(h, V.swapaxes(-1, -2))
    residual[rows, each, batch.label] -= 1
    loss = np.square(residual).sum(axis=(1, 2)) * (0.5 / B)
    grad_V = np.matmul(residual.swapaxes(-1, -2), h) / B
    look_up = np.matmul(residual, V) / B  # (R, B, N): (V^T r) for each sample
    picks = np.zeros((runs, N, B))  # 1 where sample b has last token k
    picks[rows, batch.last, each] = 1
    base = np.matmul(picks, look_up[..., :1])  # (R, N, 1)
    slope = look_up[..., 1:] - look_up[..., :-1]  # (R, B, N - 1)
    weights = (picks[..., None] * slope[:, None]).reshape(runs, N, B * (N - 1)).astype(dtype)
    grad_A = np.empty_like(A)
    for r in range(0, runs, step):
        s = slice(r, r + step)
        if not one_pass:
            masks = _masks(batch, s, dtype)
        grad_A[s] = np.matmul(weights[s], masks)
        grad_A[s] += base[s]
    return loss, Params(grad_V, grad_A)


def _masks(batch: Batch, runs: slice, dtype: type) -> NDArray:
    """(r, B (N - 1), T) masks 1{token >= n} of the runs in the slice, as numbers."""
    above = batch.draws[runs, :, None, :] >= batch.cuts[runs, None, :, None]
    return above.reshape(len(above), -1, above.shape[-1]).astype(dtype)
