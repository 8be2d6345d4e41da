"""The task and the model of sparse contextual bigrams over arrays, R runs in one call, with exact gradients.

Chapter `scb`. Source: Ren, Wang, Lee, "Learning and Transferring Sparse Contextual Bigrams with Linear Transformers"
(arXiv 2410.23438): Section 2.1 and equation (1) for the task and its samples, Section 2.2 for the model f(X, k) = V X
a^(k), Section 2.3 and Lemma B.3 for loss and gradients, Section 3.1 for the signals; the ring is ours. The paper stores
Q and A as T x N; row k here is its column k.

Lengths are in tokens; laws, weights, losses and signals have no unit. R runs stand on the first axis, those of a task
too where it is R tasks; (R?, ...) is with or without. `InputError` names what is refused: laws that are none, sizes
that disagree or are out of range.

Cost: O(batch * T * N) a step with tiny constants; no one-hot tensor is built. With the tail masks F_n = 1{token >= n},
the products C_n = F_n a^(k) are tail masses, h_n = C_n - C_(n+1) is the attended histogram, and the attention gradient
at position t, (V^T r)_(x_t), is a combination of the same masks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lib.errors import require
from lib.sampling import Rngs, TokenSampler, check_distribution, choose

__all__ = [
    "Batch", "LinearTransformer", "Params", "Task", "alpha_A", "alpha_V", "centred_V", "delta_A", "delta_U",
    "delta_V", "distance_A", "distance_V", "even_weights", "loss_and_gradient", "mu_inner", "mu_inner_rows",
    "mu_norm", "mu_norm_rows", "ring_task", "ring_transition", "sample", "skewed_law", "sparse_targets",
]  # fmt: skip

Array = NDArray[np.float64]
# Masks of about this many numbers stay in a cache (8 MB) while both products read them.
_CHUNK = 2_000_000
# OpenBLAS multiplies without copies up to 10**6 multiplications a product; 4 rows suit its kernels best.
_PRODUCT, _ROWS = 1_000_000, 4


@dataclass(frozen=True, eq=False)
class Task:
    """One SCB task, or R tasks of the same shape.

    The last token k says where to look: a position s is drawn from row k of `Q`. The token found there says what
    comes next: the label is drawn from column x_s of `P`.
    """

    mu: Array  #: (R?, N) law of the context tokens, positive, stationary for P
    P: Array  #: (R?, N, N) transition matrix; column j is the law of the label after token j
    Q: Array  #: (R?, N, T) attention targets; row k is a sparse probability vector over the T positions

    def __post_init__(self) -> None:
        for name in ("mu", "P", "Q"):
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), dtype=np.float64))
        mu, P, Q = self.mu, self.P, self.Q
        require(mu.ndim in (1, 2) and mu.shape[-1] >= 2, "mu", "shape (N,) or (R, N) with N >= 2", mu.shape)
        lead, n = mu.shape[:-1], mu.shape[-1]
        require(P.shape == (*lead, n, n), "P", f"shape {(*lead, n, n)}", P.shape)
        require(Q.ndim == mu.ndim + 1 and Q.shape[:-1] == (*lead, n), "Q", f"shape {(*lead, n, 'T')}", Q.shape)
        check_distribution("mu", mu)
        require(np.all(mu > 0), "mu", "positive probabilities", f"a smallest of {mu.min():g}")
        check_distribution("P (columns)", P, axis=-2)
        drift = float(np.abs(np.einsum("...ij,...j->...i", P, mu) - mu).max())
        require(drift <= 1e-9, "mu", "the stationary law of P (P mu = mu)", f"a largest difference of {drift:.3g}")
        check_distribution("Q (rows)", Q)

    @property
    def N(self) -> int:
        """Number of tokens in the vocabulary."""
        return self.mu.shape[-1]

    @property
    def T(self) -> int:
        """Length of the context, in tokens."""
        return self.Q.shape[-1]

    @property
    def sparsity(self) -> int:
        """The largest number of positions that a row of Q looks at (the paper's integer Q)."""
        return int(np.count_nonzero(self.Q, axis=-1).max())

    @cached_property
    def K_P(self) -> Array:
        """Strength of the transition signal, ||P||_mu^2 - ||mu||^2; shape () or (R,)."""
        return mu_norm(self.P - self.mu[..., :, None], self.mu) ** 2

    @cached_property
    def K_Q(self) -> Array:
        """Strength of the attention signal, ||Q||_mu^2 - 1/T; shape () or (R,)."""
        return mu_norm_rows(self.Q - 1 / self.T, self.mu) ** 2

    @cached_property
    def sampler(self) -> TokenSampler:
        """The exact sampler of context tokens."""
        return TokenSampler(self.mu)

    @cached_property
    def targets(self) -> tuple[Array, NDArray[np.intp]]:
        """Cumulative joint law (R?, N * sparsity) of last token and place in its support, and the positions."""
        positions = np.argsort(-self.Q, axis=-1, kind="stable")[..., : self.sparsity]
        joint = np.cumsum(
            (self.mu[..., None] * np.take_along_axis(self.Q, positions, axis=-1)).reshape(*self.mu.shape[:-1], -1),
            axis=-1,
        )
        # Divided by the sum, so that rounding leaves no chance to a place of weight 0 at the end.
        return joint / joint[..., -1:], positions.reshape(joint.shape)

    @cached_property
    def label_edges(self) -> Array:
        """(R?, N, N) cumulative law of the label after token j, plus j: all tokens' laws as one increasing list."""
        edges = np.cumsum(np.swapaxes(self.P, -1, -2), axis=-1)
        return edges / edges[..., -1:] + np.arange(self.N)[:, None]


def mu_inner(M: Array, W: Array, mu: Array) -> Array:
    """Column-weighted inner product <M, W>_mu = sum_k mu_k <M_:k, W_:k> of (..., I, N) matrices; shape (...)."""
    return np.einsum("...ik,...ik,...k->...", M, W, mu)


def mu_inner_rows(M: Array, W: Array, mu: Array) -> Array:
    """The same for attention stored by rows, (..., N, T): sum_k mu_k <M_k, W_k>; shape (...)."""
    return np.einsum("...kt,...kt,...k->...", M, W, mu)


def mu_norm(M: Array, mu: Array) -> Array:
    """||M||_mu of (..., I, N) matrices, the norm in which the paper measures V - P; shape (...)."""
    return np.sqrt(mu_inner(M, M, mu))


def mu_norm_rows(M: Array, mu: Array) -> Array:
    """||M||_mu of attention stored by rows, (..., N, T); shape (...)."""
    return np.sqrt(mu_inner_rows(M, M, mu))


def skewed_law(N: int, skew: float) -> Array:
    """Zipf's law (N,), mu_k proportional to (k + 1) ** -skew; skew 0 is uniform."""
    require(N >= 2, "N", "at least 2 tokens", N)
    require(np.isfinite(skew) and skew >= 0, "skew", "a finite number of at least 0", skew)
    weights = np.arange(1, N + 1, dtype=np.float64) ** -skew
    return weights / weights.sum()


def ring_transition(mu: Array, c: float) -> Array:
    """Transition matrix (N, N) that turns a circle: (1 - c) mu 1^T + c Pi, with stationary law mu (N,).

    The tokens are arcs of a circle with lengths mu. Pi turns the circle by 1/N and asks which arc a uniform point of
    token j lands in. Turning keeps lengths, so Pi mu = mu for every mu; for the uniform law Pi is the cyclic shift.
    K_P grows as c ** 2; with c = 0 the transition is trivial.
    """
    mu = np.asarray(mu, dtype=np.float64)
    check_distribution("mu", mu)
    require(np.isfinite(c) and 0 <= c <= 1, "c", "a strength between 0 and 1", c)
    n = mu.size
    ends = np.concatenate([[0.0], np.cumsum(mu)])
    ends[-1] = 1.0
    start, stop = ends[:-1] + 1 / n, ends[1:] + 1 / n
    joint = np.zeros((n, n))
    for turn in (0.0, 1.0):  # an arc that passes the top of the circle is two pieces
        low = np.maximum(ends[:-1, None] + turn, start[None, :])
        high = np.minimum(ends[1:, None] + turn, stop[None, :])
        joint += np.maximum(high - low, 0.0)
    pi = joint / joint.sum(axis=0)
    return (1 - c) * mu[:, None] + c * pi


def sparse_targets(T: int, weights: Sequence[float] | Array, N: int, rng: np.random.Generator) -> Array:
    """Attention targets (N, T): for each last token the given weights at random distinct positions.

    The weights (Q,) or (N, Q) are positive and sum to 1 over the last axis.
    """
    w = np.atleast_2d(np.asarray(weights, dtype=np.float64))
    sparsity = w.shape[-1]
    require(1 <= sparsity <= T, "weights", f"a sparsity Q of at most T = {T}", f"Q = {sparsity}")
    check_distribution("weights", w)
    require(np.all(w > 0), "weights", "positive weights", f"a smallest of {w.min():g}")
    Q = np.zeros((N, T))
    for k in range(N):
        Q[k, rng.choice(T, size=sparsity, replace=False)] = w[k % len(w)]
    return Q


def even_weights(sparsity: int) -> Array:
    """(Q,) target weights that fall in proportion Q + 1, ..., 2 with Q = 2 giving (0.6, 0.4): distinct, none small."""
    require(sparsity >= 1, "sparsity", "at least 1 position", sparsity)
    w = np.arange(sparsity + 1, 1, -1, dtype=np.float64)
    return w / w.sum()


def ring_task(
    T: int = 1024,
    N: int = 4,
    c: float = 0.75,
    weights: Sequence[float] | Array = (0.6, 0.4),
    skew: float = 0.0,
    *,
    rng: np.random.Generator | int = 0,
) -> Task:
    """The chapter's standard task: a ring transition, the same weights at random positions for every last token.

    A context of T tokens, N kinds of them, strength c of the transition in [0, 1], attention weights (Q,), exponent
    `skew` of Zipf's law for mu; `rng` is a generator or seed, for the positions only.

    Example:
        >>> task = ring_task(T=64)
        >>> task.N, task.T, task.sparsity, float(task.K_P)
        (4, 64, 2, 0.421875)
    """
    rng = np.random.default_rng(rng)
    require(T >= 1, "T", "a context of at least 1 token", T)
    mu = skewed_law(N, skew)
    return Task(mu, ring_transition(mu, c), sparse_targets(T, weights, N, rng))


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
    """V = mu 1^T and A = 1/T for `runs` runs: trivial transition, uniform attention."""
    N, T = task.N, task.T
    return Params(np.broadcast_to(task.mu[..., :, None], (runs, N, N)).copy(), np.full((runs, N, T), 1 / T))


def sample(task: Task, batch: int, rngs: Rngs) -> Batch:
    """Draw a `Batch` of R x `batch` samples of one task or R tasks, one a run; run r depends on rngs[r] alone."""
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


def alpha_V(params: Params, task: Task) -> Array:
    """Signal of V, (R,): least squares on the line from mu 1^T (0) to P (1), of V centred: V mu does not count."""
    return mu_inner(centred_V(params, task), (task.P - task.mu[..., :, None]), task.mu) / task.K_P


def alpha_A(params: Params, task: Task) -> Array:
    """Signal of A, (R,): least squares on the line from uniform attention (0) to Q (1)."""
    return mu_inner_rows(params.A - 1 / task.T, task.Q - 1 / task.T, task.mu) / task.K_Q


def centred_V(params: Params, task: Task) -> Array:
    """U = V - (V mu) 1^T, the part of V that can carry transition signal; shape (R, N, N)."""
    return params.V - np.matmul(params.V, task.mu[..., None])


def delta_V(params: Params, task: Task) -> Array:
    """Delta_V = V - mu 1^T - alpha_V R, the part of V off the signal line; shape (R, N, N)."""
    return params.V - task.mu[..., :, None] - alpha_V(params, task)[:, None, None] * (task.P - task.mu[..., :, None])


def delta_U(params: Params, task: Task) -> Array:
    """Delta_U = U - alpha_V R, the same without the drift of V mu; shape (R, N, N)."""
    return centred_V(params, task) - alpha_V(params, task)[:, None, None] * (task.P - task.mu[..., :, None])


def delta_A(params: Params, task: Task) -> Array:
    """Delta_A = A - 1/T - alpha_A (Q - 1/T), the part of A off the signal line; shape (R, N, T)."""
    return params.A - 1 / task.T - alpha_A(params, task)[:, None, None] * (task.Q - 1 / task.T)


def distance_V(params: Params, task: Task) -> Array:
    """||V - P||_mu; shape (R,). Zero when the transition is learned."""
    return mu_norm(params.V - task.P, task.mu)


def distance_A(params: Params, task: Task) -> Array:
    """||A - Q||_mu; shape (R,). Zero when the attention is learned; about sqrt(K_Q) at the start."""
    return mu_norm_rows(params.A - task.Q, task.mu)
