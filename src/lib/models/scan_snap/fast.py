"""Scan and Snap's data and model over arrays: sampling, loss and exact gradients, R runs in one call.

Chapter `scan_snap`. Source: Tian, Wang, Chen, Du, "Scan and Snap: Understanding Training Dynamics and Token Composition
in 1-layer Transformer" (arXiv 2305.16380), Sections 3 and 8, Lemmas 1 and 2; weights, own queries, M and the random
start from the authors' released settings. The textbook beside this file computes the same, one sequence at a time.

Without positions a sequence enters only through its histogram: how often each token occurs. A sample is one row of
counts, and forward pass and gradients are three matrix products; no one-hot tensor is built. The limit of infinite
length is the same code with one "sample" a class, whose counts are the class's law. With many classes nearly all of a
decoder input is zero: if the samples are sorted by class, what is not zero is a strip (the common tokens) and a few
blocks on the diagonal (neighbouring classes with their distinct tokens), and products skip the rest.

Logits, losses and entropies are in nats. K classes, C contextual tokens, Q queries, M outputs; R runs stand on the
first axis. What is out of range, or of another shape than the task's, is refused with an `InputError`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lib.errors import InputError, is_whole, require
from lib.sampling import HistogramSampler, Rngs, check_distribution

__all__ = [
    "Batch", "Params", "Task", "Transformer", "attention", "base_task", "entropy", "entropy_of", "loss_and_gradient",
    "mass_on", "output_weights", "population", "random_start", "sample", "zero_start",
]  # fmt: skip

Array = NDArray[np.float64]
Queries = Literal["own", "shared"] | int

_CHUNK = 1 << 16  # numbers of one array of a batch that the cache should hold
_WILD = 300.0  # nats; beyond this spread of logits, squares of scores could underflow
_CLASSES = 2  # of one block: fewer save work, more save calls
_MANY, _LARGE = 8, 64  # classes and samples from which on blocks pay


@dataclass(frozen=True, eq=False)
class Task:
    """K equally likely sequence classes. Class n is the next token n.

    Attributes:
        P: (K, C); row n is the law P(l | n) of a contextual token in class n.
        query: (K,) query token psi(n) of each class, 0 .. Q - 1; every query has at least one class.
        M: size of the decoder's vocabulary, at least K. Outputs 0 .. K - 1 are the next tokens, the others never occur.
        L: contextual tokens of a sequence, at least 1; None for the limit of infinite length.

    The paper counts the query as well: its sequence length is T = L + 1 tokens.
    """

    P: Array
    query: NDArray[np.intp]
    M: int
    L: int | None = 127

    def __post_init__(self) -> None:
        object.__setattr__(self, "P", np.ascontiguousarray(self.P, dtype=np.float64))
        P, query = self.P, np.asarray(self.query)
        require(P.ndim == 2 and P.size > 0, "P", "shape (K, C), nothing empty", P.shape)
        empty = np.flatnonzero(~(P != 0).any(axis=-1))
        require(len(empty) == 0, "P", "tokens in every class", f"none in class {', '.join(map(str, empty))}")
        check_distribution("P (rows)", P)
        require(query.shape == (self.K,), "query", f"shape ({self.K},)", query.shape)
        require(np.issubdtype(query.dtype, np.integer), "query", "whole numbers", query.dtype)
        object.__setattr__(self, "query", query.astype(np.intp))
        found = np.unique(query)
        every = np.array_equal(found, np.arange(len(found)))
        require(every, "query", "each of 0 .. Q - 1 at least once", found.tolist())
        require(is_whole(self.M) and self.M >= self.K, "M", f"a whole number of at least K = {self.K}", self.M)
        whole = self.L is None or (is_whole(self.L) and self.L >= 1)
        require(whole, "L", "a whole number of at least 1, or None", self.L)

    @property
    def K(self) -> int:
        """Number of classes, which is the number of next tokens that occur."""
        return self.P.shape[0]

    @property
    def C(self) -> int:
        """Number of contextual tokens in the vocabulary."""
        return self.P.shape[1]

    @property
    def Q(self) -> int:
        """Number of query tokens."""
        return int(self.query.max()) + 1

    @cached_property
    def _owners(self) -> NDArray[np.intp]:
        """(C,) number of classes that each token occurs in."""
        return np.count_nonzero(self.P, axis=0)

    @cached_property
    def common(self) -> NDArray[np.bool_]:
        """(C,): the token occurs in two classes or more."""
        return self._owners >= 2

    @cached_property
    def distinct(self) -> NDArray[np.bool_]:
        """(K, C): the token occurs in this class and in no other."""
        return (self.P > 0) & (self._owners == 1)

    @cached_property
    def leader(self) -> NDArray[np.intp]:
        """(K,): the most frequent distinct token of each class, the last one of several; every class has one."""
        check_distinct(self)
        weight = np.where(self.distinct, self.P, 0.0)
        return self.C - 1 - weight[:, ::-1].argmax(axis=-1)

    @cached_property
    def starts(self) -> NDArray[np.intp] | None:
        """(K + 1,) ends of the common tokens and of each class's distinct tokens, if they are ordered like that."""
        starts = np.cumsum(np.append(self.C - self.distinct.sum(), self.distinct.sum(axis=1)))
        token = np.arange(self.C)
        ordered = (self.distinct == ((token >= starts[:-1, None]) & (token < starts[1:, None]))).all()
        return starts if ordered else None

    @cached_property
    def sampler(self) -> HistogramSampler:
        """The exact sampler of token histograms."""
        return HistogramSampler(self.P)


def check_distinct(task: Task) -> None:
    """Refuse a task in which a class has no distinct token."""
    require(task.distinct.any(axis=-1).all(), "task", "a distinct token in every class", "a class without one")


def check_logits(Z: Array, task: Task) -> None:
    """Refuse attention logits Z (R, Q, C) of other queries or tokens than the task's: they would broadcast silently."""
    if Z.shape[1:] != (task.Q, task.C):  # said only then: this stands in the innermost loop
        raise InputError(f"Z: expected shape (R, {task.Q}, {task.C}), got {Z.shape}")


def base_task(
    K: int = 2,
    common: int = 10,
    distinct: int = 10,
    queries: Queries = "own",
    M: int | None = None,
    L: int | None = 127,
    lowest: float = 0.1,
) -> Task:
    """Common tokens of weight 1 and, for each class, distinct tokens of weights from `lowest` to 1, equally spaced.

    Tokens are ordered: common, then the distinct tokens of class 0 (weights rising), of class 1, and so on.

    Args:
        K: classes.
        common: common tokens; 0 for none.
        distinct: distinct tokens of each class, at least 1.
        queries: "own" query a class, one "shared" by all, or their number, a divisor of K; neighbours share one.
        M: size of the decoder's vocabulary; None counts all tokens, C + Q + K, as the released code does (34 for
            Syn-Small; 33, 79, 125, 240 for Syn-Medium with 1, 3, 5, 10 queries).
        L: contextual tokens of a sequence, or None for infinitely many.
        lowest: weight of the rarest distinct token, in (0, 1].
    """
    require(is_whole(common) and common >= 0, "common", "a whole number of tokens, at least 0", common)
    require(is_whole(distinct) and distinct >= 1, "distinct", "a whole number of tokens a class, at least 1", distinct)
    require(0 < lowest <= 1, "lowest", "a weight in (0, 1]", lowest)
    return task_from(np.ones((1, common)), np.linspace(lowest, 1, distinct), K, queries, M, L)


def task_from(leading: Array, weights: Array, K: int, queries: Queries, M: int | None, L: int | None) -> Task:
    """Leading tokens (K or 1, n) that classes share, then each class's own with these weights (D,); the rest as for
    `base_task`."""
    require(is_whole(K) and K >= 2, "K", "a whole number of classes, at least 2", K)
    number = {"own": K, "shared": 1}.get(queries, queries) if isinstance(queries, str) else queries
    fits = is_whole(number) and 1 <= number <= K and K % number == 0
    require(fits, "queries", f'"own", "shared", or a divisor of K = {K}', queries)
    table = np.hstack([np.broadcast_to(leading, (K, leading.shape[1])), np.kron(np.eye(K), weights)])
    P = table / table.sum(axis=1, keepdims=True)
    return Task(P, np.arange(K) // (K // int(number)), P.shape[1] + int(number) + K if M is None else M, L)


class Params(NamedTuple):
    """Parameters of R runs, logits in nats.

    The decoder has a column for each of the M outputs, or is folded: the M - K never-next outputs keep equal columns
    if they start equal, so column K stands for all of them.
    """

    Y: Array  #: (R, C, M), or (R, C, K + 1) folded; row l is what token l says about the next token
    Z: Array  #: (R, Q, C); row m is the attention logits of query m


class Batch(NamedTuple):
    """B samples for each of R runs, or (leading axis 1) the same samples for all runs."""

    counts: Array  #: (R or 1, B, C) how often each token occurs; up to a factor a sample
    query: NDArray[np.intp]  #: (R or 1, B)
    label: NDArray[np.intp]  #: (R or 1, B) next token


class Transformer:
    """A task with its model, in the form that `lib.train.train` asks for.

    Args:
        task: finite L: fresh samples at each step; L = None: the population, one example a class, nothing is drawn.
        shared: all runs see the samples of the first generator (common random numbers): cheaper, and differences
            between settings are then not differences between samples.
    """

    def __init__(self, task: Task, shared: bool = False) -> None:
        self.task, self.shared = task, shared
        self._population = population(task)

    @property
    def draws(self) -> bool:
        """Whether samples are drawn: not if L is None."""
        return self.task.L is not None

    def init(self, runs: int = 1, rngs: Rngs = ()) -> Params:
        """All zeros; see `zero_start`."""
        return zero_start(self.task, runs)

    def sample(self, batch: int = 0, rngs: Rngs = (), step: int = 0) -> Batch:
        """Fresh samples, or the population; see `sample` and `population`."""
        if self.task.L is None:
            return self._population
        return sample(self.task, batch, rngs[:1] if self.shared else rngs)

    def loss_and_gradient(self, params: Params, batch: Batch) -> tuple[Array, Params]:
        """Minibatch loss and its gradient; see `loss_and_gradient`."""
        return loss_and_gradient(params, batch, self.task)


def zero_start(task: Task, runs: int = 1) -> Params:
    """Y = 0 and Z = 0 for `runs` runs, the decoder folded: attention follows token frequency."""
    require(runs >= 1, "runs", "at least 1 run", runs)
    return Params(np.zeros((runs, task.C, min(task.M, task.K + 1))), np.zeros((runs, task.Q, task.C)))


def random_start(task: Task, rngs: Rngs) -> Params:
    """Every entry of Y (all M columns) and Z uniform in +-1/sqrt(M); run r depends on rngs[r] alone."""
    require(len(rngs) > 0, "rngs", "at least one generator", "none")
    draws = [rng.uniform(-1, 1, task.C * (task.M + task.Q)) / np.sqrt(task.M) for rng in rngs]
    return Params(
        np.stack([d[: task.C * task.M].reshape(task.C, task.M) for d in draws]),
        np.stack([d[task.C * task.M :].reshape(task.Q, task.C) for d in draws]),
    )


def sample(task: Task, batch: int, rngs: Rngs) -> Batch:
    """`batch` samples for each run, of finite L: a class, its query, and a histogram of L tokens; run r depends on
    rngs[r] alone."""
    require(batch >= 1, "batch", "at least 1 sample", batch)
    L = task.L
    if L is None:
        raise InputError("task: expected a finite length L to sample, got L = None")
    label = np.stack([rng.integers(task.K, size=batch) for rng in rngs])
    drawn = [task.sampler.draw(row, L, rng) for row, rng in zip(label, rngs, strict=True)]
    counts = drawn[0][None] if len(drawn) == 1 else np.stack(drawn)  # without a copy for one run
    return Batch(counts, task.query[label], label)


def population(task: Task) -> Batch:
    """One example a class, counts P(l | n): its mean loss is that of infinitely many, infinitely long sequences."""
    return Batch(task.P[None], task.query[None], np.arange(task.K)[None])


def loss_and_gradient(params: Params, batch: Batch, task: Task) -> tuple[Array, Params]:
    """Mean cross-entropy of a minibatch (R,), and its exact gradient in Y and Z.

    With scores s = counts * exp(z_m), f = s / ||s||_2 and delta = e_label - softmax(Y^T f): the loss falls along
    f delta^T in Y and along f * (g - f (f . g)), g = Y delta, in row m of Z. A run whose logits overflow has a loss
    that is not finite.
    """
    Y, Z = params
    check_logits(Z, task)
    require(Y.shape[:-1] == (len(Z), task.C), "Y", "a row for each run and token of Z", Y.shape)
    weights = output_weights(Y.shape[-1], task)
    B = batch.label.shape[-1]
    loss, grad = np.empty(len(Y)), Params(np.empty(Y.shape), np.empty(Z.shape))
    for part, (counts, query, label), blocks in _parts(params, batch, task):
        f = _decoder_input(Z[part], counts, query)
        alpha = _forward(f, Y[part], blocks)  # logits first; overwritten step by step
        alpha -= alpha.max(axis=-1, keepdims=True)
        flat = alpha.reshape(-1)
        hit = np.arange(0, alpha.size, alpha.shape[-1]).reshape(alpha.shape[:-1]) + label  # places of the labels
        right = flat[hit][..., None]
        np.exp(alpha, out=alpha)
        # The label apart from the rest: 1 - alpha_label as a sum of small numbers stays exact when it is 1e-12.
        flat[hit] = 0.0
        rest = np.matmul(alpha, weights[:, None])
        loss[part] = (np.log1p(rest + np.expm1(right)) - right).mean(axis=(-2, -1))
        scale = 1 / (B * (rest + np.exp(right)))
        alpha *= scale
        flat[hit] = (rest * -scale)[..., 0]  # now -delta / B
        _outer(f, alpha, blocks, out=grad.Y[part])
        if weights[-1] != 1:
            alpha[..., -1] *= weights[-1]
        g = _backward(alpha, Y[part], blocks)
        g -= f * np.einsum("rbc,rbc->rb", f, g)[..., None]
        g *= f
        of_query = query[:, None, :] == np.arange(Z.shape[1])[:, None]  # (r or 1, Q, B)
        np.matmul(of_query.astype(np.float64), g, out=grad.Z[part])
    return loss, grad


def output_weights(columns: int, task: Task) -> Array:
    """(columns,) how many outputs each of M or K + 1 columns stands for: 1, and M - K for a folded last one."""
    folded = min(task.M, task.K + 1)
    require(columns in (task.M, folded), "Y", f"M = {task.M} columns, or {folded} folded", columns)
    weights = np.ones(columns)
    weights[-1] = task.M - columns + 1
    return weights


class _Blocks(NamedTuple):
    """Where f (r, B, C) may differ from zero, as slices of samples and tokens."""

    common: slice  #: tokens, for all samples
    own: list[tuple[slice, slice]]  #: (samples, tokens) of each block


def has_blocks(task: Task, batch: int) -> bool:
    """Whether blocks are worth their calls: many classes, many samples, and tokens in order."""
    return task.K > _MANY and batch >= _LARGE and task.starts is not None


def _find_blocks(label: NDArray[np.intp], starts: NDArray[np.intp]) -> tuple[NDArray[np.intp], _Blocks]:
    """The order that sorts samples by class, (B,), and their blocks once sorted."""
    K = len(starts) - 1
    order = np.argsort(label, kind="stable")
    first = np.append(np.arange(0, K, _CLASSES), K)
    rows, tokens = np.searchsorted(label[order], first).tolist(), starts[first].tolist()
    own = [(slice(*rows[i : i + 2]), slice(*tokens[i : i + 2])) for i in range(len(first) - 1)]
    return order, _Blocks(slice(0, tokens[0]), own)


def _forward(f: Array, Y: Array, blocks: _Blocks | None) -> Array:
    """f Y, (r, B, C) with (r, C, M) to (r, B, M)."""
    if blocks is None:
        return np.matmul(f, Y)
    out = np.matmul(f[..., blocks.common], Y[:, blocks.common])
    for rows, tokens in blocks.own:
        out[:, rows] += np.matmul(f[:, rows, tokens], Y[:, tokens])
    return out


def _outer(f: Array, delta: Array, blocks: _Blocks | None, out: Array) -> None:
    """f^T delta into `out`, (r, B, C) with (r, B, M) to (r, C, M)."""
    if blocks is None:
        np.matmul(f.swapaxes(-1, -2), delta, out=out)
        return
    np.matmul(f[..., blocks.common].swapaxes(-1, -2), delta, out=out[:, blocks.common])
    for rows, tokens in blocks.own:
        np.matmul(f[:, rows, tokens].swapaxes(-1, -2), delta[:, rows], out=out[:, tokens])


def _backward(delta: Array, Y: Array, blocks: _Blocks | None) -> Array:
    """delta Y^T, (r, B, M) with (r, C, M) to (r, B, C); zero where f is."""
    if blocks is None:
        return np.matmul(delta, Y.swapaxes(-1, -2))
    out = np.zeros((*delta.shape[:-1], Y.shape[1]))
    np.matmul(delta, Y[:, blocks.common].swapaxes(-1, -2), out=out[..., blocks.common])
    for rows, tokens in blocks.own:
        np.matmul(delta[:, rows], Y[:, tokens].swapaxes(-1, -2), out=out[:, rows, tokens])
    return out


def _parts(params: Params, batch: Batch, task: Task) -> Iterator[tuple[slice, Batch, _Blocks | None]]:
    """Runs to do at once, their samples, and the blocks of these.

    As many runs as the cache holds, but one by one if some logits are wide apart (see `_decoder_input`), or if runs
    have blocks of their own.
    """
    Y, Z = params
    B = batch.label.shape[-1]
    starts = task.starts if has_blocks(task, B) else None
    shared = all(len(x) == 1 for x in batch)
    alone = (Z.max(axis=(-1, -2)) - Z.min(axis=(-1, -2))) > _WILD
    own = starts is not None and not shared
    step = 1 if own or alone.any() else max(1, _CHUNK // (B * (Y.shape[-2] + Y.shape[-1])))
    samples, blocks = batch, None
    for start in range(0, len(Y), step):
        part = slice(start, start + step)
        if not shared:
            samples = Batch(*(x if len(x) == 1 else x[part] for x in batch))  # type: ignore[arg-type]  # the fields are arrays of unlike types
        if starts is not None and (start == 0 or not shared):
            order, blocks = _find_blocks(samples.label[0], starts)
            samples = Batch(samples.counts[:, order], samples.query[:, order], samples.label[:, order])
        yield part, samples, blocks


def _decoder_input(Z: Array, counts: Array, query: NDArray[np.intp]) -> Array:
    """f (r, B, C): scores counts * exp(z), divided by their Euclidean norm."""
    if Z.max() - Z.min() > _WILD:  # the largest logit may belong to a token that is absent: use the largest present
        z = np.where(counts > 0, _rows(Z, query), -np.inf)
        f = counts * np.exp(z - z.max(axis=-1, keepdims=True))
    else:
        f = counts * _rows(np.exp(Z - Z.max(axis=-1, keepdims=True)), query)
    f /= np.sqrt(np.einsum("rbc,rbc->rb", f, f))[..., None]
    return f


def _rows(values: Array, query: NDArray[np.intp]) -> Array:
    """Row of each sample's query: (r, Q, C) and (r or 1, B) to (r, B, C)."""
    if values.shape[1] == 1:
        return values
    if len(query) == 1:
        return values.take(query[0], axis=1)
    return values[np.arange(len(values))[:, None], query]


def attention(params: Params, task: Task) -> Array:
    """(R, K, C) attention c_n of each class in an infinitely long sequence, P(l | n) exp(z_l) divided by its sum."""
    check_logits(params.Z, task)
    z = np.where(task.P > 0, params.Z[:, task.query], -np.inf)  # a token that is absent must not set the scale
    scores = task.P * np.exp(z - z.max(axis=-1, keepdims=True))
    return scores / scores.sum(axis=-1, keepdims=True)


def entropy(params: Params, task: Task) -> Array:
    """(R,) entropy of the attention on a class's distinct tokens, renormalised to 1; mean over classes.

    It is the quantity of the paper's Figure 6, as the released numbers imply it; at most the logarithm of the number of
    distinct tokens. Where common tokens have drawn all attention, what is left for the distinct ones may be too small
    for a float; their shares are found all the same.
    """
    check_logits(params.Z, task)
    check_distinct(task)
    z = np.where(task.distinct, params.Z[:, task.query], -np.inf)  # the largest of these sets the scale
    return _entropy(np.where(task.distinct, task.P, 0.0) * np.exp(z - z.max(axis=-1, keepdims=True)))


def entropy_of(c: Array, task: Task) -> Array:
    """The same (...) from attention c (..., K, C); NaN where that is 0 on all distinct tokens of a class."""
    check_distinct(task)
    with np.errstate(invalid="ignore"):
        return _entropy(np.where(task.distinct, c, 0.0))


def _entropy(own: Array) -> Array:
    """Mean over classes (...) of the entropies of rows (..., K, C), each divided by its sum."""
    p = own / own.sum(axis=-1, keepdims=True)
    # taken from 0, not negated: the entropy of one token alone is 0, not -0
    return 0.0 - (p * np.log(np.where(p > 0, p, 1.0))).sum(axis=-1).mean(axis=-1)


def mass_on(c: Array, tokens: NDArray[np.bool_]) -> Array:
    """(...) attention c (..., K, C) on the marked tokens, (C,) or (K, C) bool, mean over classes."""
    return np.where(tokens, c, 0.0).sum(axis=-1).mean(axis=-1)
