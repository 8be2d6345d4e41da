"""The one-layer transformer without positions: sampling, loss and exact gradients, R runs in one call.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 3 and Lemma 1.

Without positions a sequence enters only through its histogram: how often each token occurs. A sample is one row of
counts, and forward pass and gradients are three matrix products, by blocks if there are many classes (`blocks`); no
one-hot tensor is built. The limit of infinite length is the same code with one "sample" a class, whose counts are the
class's law.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lib.errors import InputError, require
from lib.models.scan_snap.blocks import Blocks, backward, find_blocks, forward, has_blocks, outer
from lib.models.scan_snap.task import Array, Task, check_logits
from lib.sampling import Rngs

_CHUNK = 1 << 16  # numbers of one array of a batch that the cache should hold
_WILD = 300.0  # nats; beyond this spread of logits, squares of scores could underflow


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
    """A task with its model, in the form that `lib.train.train` asks for. Source: arXiv 2305.16380, Section 3.

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
        """Minibatch loss in nats and its gradient; see `loss_and_gradient`."""
        return loss_and_gradient(params, batch, self.task)


def zero_start(task: Task, runs: int = 1) -> Params:
    """Y = 0 and Z = 0 for `runs` runs, the decoder folded: attention follows token frequency.

    Args:
        task: gives the sizes.
        runs: R, at least 1.

    Raises:
        InputError: if runs < 1.

    Source: arXiv 2305.16380, Section 3.1.
    """
    require(runs >= 1, "runs", "at least 1 run", runs)
    return Params(np.zeros((runs, task.C, min(task.M, task.K + 1))), np.zeros((runs, task.Q, task.C)))


def random_start(task: Task, rngs: Rngs) -> Params:
    """Every entry of Y (all M columns) and Z uniform in +-1/sqrt(M); run r depends on rngs[r] alone.

    Args:
        task: gives the sizes and M.
        rngs: R generators.

    Raises:
        InputError: if there is no generator.

    Source: the authors' released settings (the default start of a linear layer of width M).
    """
    require(len(rngs) > 0, "rngs", "at least one generator", "none")
    draws = [rng.uniform(-1, 1, task.C * (task.M + task.Q)) / np.sqrt(task.M) for rng in rngs]
    return Params(
        np.stack([d[: task.C * task.M].reshape(task.C, task.M) for d in draws]),
        np.stack([d[task.C * task.M :].reshape(task.Q, task.C) for d in draws]),
    )


def sample(task: Task, batch: int, rngs: Rngs) -> Batch:
    """Draw `batch` sequences for each run: a class, its query, and a histogram of L tokens.

    Args:
        task: with finite L.
        batch: samples B a run, at least 1.
        rngs: R generators; run r depends on rngs[r] alone.

    Returns:
        A `Batch` of R x B samples.

    Raises:
        InputError: if batch < 1 or the task's length is infinite.

    Source: arXiv 2305.16380, Section 3.2.
    """
    require(batch >= 1, "batch", "at least 1 sample", batch)
    L = task.L
    if L is None:
        raise InputError("task: expected a finite length L to sample, got L = None")
    label = np.stack([rng.integers(task.K, size=batch) for rng in rngs])
    drawn = [task.sampler.draw(row, L, rng) for row, rng in zip(label, rngs, strict=True)]
    counts = drawn[0][None] if len(drawn) == 1 else np.stack(drawn)  # without a copy for one run
    return Batch(counts, task.query[label], label)


def population(task: Task) -> Batch:
    """One example a class, counts P(l | n): its mean loss is that of infinitely many, infinitely long sequences.

    Source: arXiv 2305.16380, Lemma 2.
    """
    counts = task.P.reshape(-1, task.K, task.C)
    return Batch(counts, task.query[None], np.arange(task.K)[None])


def loss_and_gradient(params: Params, batch: Batch, task: Task) -> tuple[Array, Params]:
    """Mean cross-entropy of a minibatch, and its exact gradient in Y and Z.

    With scores s = counts * exp(z_m), f = s / ||s||_2 and delta = e_label - softmax(Y^T f): the loss falls along
    f delta^T in Y and along f * (g - f (f . g)), g = Y delta, in row m of Z.

    Args:
        params: parameters of R runs, decoder full or folded.
        batch: samples of R runs, or the same for all.
        task: gives K, M and Q.

    Returns:
        loss (R,) in nats, and the gradient as `Params`. A run whose logits overflow has a loss that is not finite.

    Raises:
        InputError: if Y has neither M nor K + 1 columns, or Y or Z other tokens or queries than the task.

    Source: arXiv 2305.16380, equation (2) and Lemma 1.
    """
    Y, Z = params
    check_logits(Z, task)
    require(Y.shape[:-1] == (len(Z), task.C), "Y", "a row for each run and token of Z", Y.shape)
    weights = output_weights(Y.shape[-1], task)
    B = batch.label.shape[-1]
    loss, grad = np.empty(len(Y)), Params(np.empty(Y.shape), np.empty(Z.shape))
    for part, (counts, query, label), blocks in _parts(params, batch, task):
        f = _decoder_input(Z[part], counts, query)
        alpha = forward(f, Y[part], blocks)  # logits first; overwritten step by step
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
        outer(f, alpha, blocks, out=grad.Y[part])
        if weights[-1] != 1:
            alpha[..., -1] *= weights[-1]
        g = backward(alpha, Y[part], blocks)
        g -= f * np.einsum("rbc,rbc->rb", f, g)[..., None]
        g *= f
        of_query = query[:, None, :] == np.arange(Z.shape[1])[:, None]  # (r or 1, Q, B)
        np.matmul(of_query.astype(np.float64), g, out=grad.Z[part])
    return loss, grad


def output_weights(columns: int, task: Task) -> Array:
    """(columns,) how many outputs each column of the decoder stands for: 1, and M - K for a folded last one.

    Raises:
        InputError: if there are neither M nor K + 1 columns.
    """
    folded = min(task.M, task.K + 1)
    require(columns in (task.M, folded), "Y", f"M = {task.M} columns, or {folded} folded", columns)
    weights = np.ones(columns)
    weights[-1] = task.M - columns + 1
    return weights


def _parts(params: Params, batch: Batch, task: Task) -> Iterator[tuple[slice, Batch, Blocks | None]]:
    """Runs to do at once, their samples, and the blocks of these.

    As many runs as the cache holds, but one by one if some logits are wide apart (see `_decoder_input`), or if runs
    have blocks of their own.
    """
    Y, Z = params
    B = batch.label.shape[-1]
    blocked = has_blocks(task, B)
    shared = all(len(x) == 1 for x in batch)
    alone = (Z.max(axis=(-1, -2)) - Z.min(axis=(-1, -2))) > _WILD
    own = blocked and not shared
    step = 1 if own or alone.any() else max(1, _CHUNK // (B * (Y.shape[-2] + Y.shape[-1])))
    samples, blocks = batch, None
    for start in range(0, len(Y), step):
        part = slice(start, start + step)
        if not shared:
            samples = Batch(*(x if len(x) == 1 else x[part] for x in batch))  # type: ignore[arg-type]  # the fields are arrays of unlike types
        if blocked and (start == 0 or not shared):
            order, blocks = find_blocks(samples.label[0], task)
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
