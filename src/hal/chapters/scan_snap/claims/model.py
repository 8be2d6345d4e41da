"""Claims SNAP-1 to 3: the gradients, the histogram that stands for a sequence, and the limit of long sequences.

Chapter `scan_snap`. Beside the library's model, which knows only how often a token occurs, stands the model as the
paper writes it, a sequence at a time, and shares nothing with it: one-hot rows, attention by position, Lemma 1
literally. Source: arXiv 2305.16380, Sections 3 and 4.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.claims._measure import largest
from hal.chapters.scan_snap.runs import learn
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import scan_snap as ss
from lib.sampling import generators
from lib.theory import scan_snap as theory

Array = NDArray[np.float64]
_LENGTHS = 2 ** np.arange(5, 14)


class Sequences(NamedTuple):
    """B sequences; the query is not among the tokens it attends to."""

    tokens: NDArray[np.intp]  #: (B, L)
    query: NDArray[np.intp]  #: (B,)
    label: NDArray[np.intp]  #: (B,)


def gradient_by_position(Y: Array, Z: Array, data: Sequences, bias: Array | float = 0.0) -> tuple[float, Array, Array]:
    """Mean loss and its gradient by Lemma 1, one sequence after the other. Source: arXiv 2305.16380, Lemma 1.

    Args:
        Y: decoder (C, M).
        Z: attention logits (Q, C).
        data: the sequences.
        bias: added to the logit of each position, (L,); the model of the chapter has none.

    Returns:
        loss in nats, gradients in Y (C, M) and Z (Q, C).
    """
    C, M = Y.shape
    loss, grad_Y, grad_Z = 0.0, np.zeros_like(Y), np.zeros_like(Z)
    for tokens, m, n in zip(*data, strict=True):
        X = np.eye(C)[tokens]  # (L, C)
        b = np.exp(X @ Z[m] + bias)
        b /= b.sum()
        mixed = X.T @ b
        size = np.sqrt(mixed @ mixed)
        logits = Y.T @ (mixed / size)
        alpha = np.exp(logits - logits.max())
        alpha /= alpha.sum()
        delta = np.eye(M)[n] - alpha
        projector = np.eye(C) - np.outer(mixed, mixed) / size**2
        loss -= np.log(alpha[n]) / len(data.label)
        grad_Y -= np.outer(mixed / size, delta) / len(data.label)
        grad_Z[m] -= X.T @ (np.diag(b) @ (X @ (projector / size @ (Y @ delta)))) / len(data.label)
    return float(loss), grad_Y, grad_Z


def gradient_by_torch(Y: Array, Z: Array, data: Sequences, fixed_norm: bool = False) -> tuple[float, Array, Array]:
    """The same loss, differentiated automatically in double precision.

    Args:
        Y: decoder (C, M).
        Z: attention logits (Q, C).
        data: the sequences.
        fixed_norm: treat the length that the decoder input is divided by as a constant.

    Returns:
        loss in nats, gradients in Y (C, M) and Z (Q, C).
    """
    import torch

    y, z = (torch.tensor(value, requires_grad=True) for value in (Y, Z))
    tokens, query, label = (torch.as_tensor(value) for value in data)
    score = torch.exp(torch.gather(z[query], 1, tokens))  # (B, L)
    X = torch.nn.functional.one_hot(tokens, len(Y)).to(score.dtype)
    mixed = torch.einsum("bl,blc->bc", score, X)
    size: Any = mixed.norm(dim=1, keepdim=True)
    loss = torch.nn.functional.cross_entropy(mixed / (size.detach() if fixed_norm else size) @ y, label)
    loss.backward()
    assert y.grad is not None
    assert z.grad is not None
    return float(loss.detach()), y.grad.numpy(), z.grad.numpy()


def _case(seed: int, batch: int = 24, length: int = 15) -> tuple[ss.Task, ss.Params, Sequences, ss.Batch]:
    """A random point of a small task and `batch` sequences, token by token and as histograms."""
    rng = np.random.default_rng(seed)
    task = ss.base_task(K=4, common=3, distinct=3, queries=2, L=length)
    params = ss.Params(rng.normal(size=(1, task.C, task.M)), rng.normal(size=(1, task.Q, task.C)))
    label = rng.integers(task.K, size=batch)
    tokens = np.stack([rng.choice(task.C, size=length, p=task.P[n]) for n in label])
    counts = np.stack([np.bincount(row, minlength=task.C) for row in tokens]).astype(np.float64)
    query = task.query[label]
    return task, params, Sequences(tokens, query, label), ss.Batch(counts[None], query[None], label[None])


def _folded_error(task: ss.Task, params: ss.Params, data: Sequences, batch: ss.Batch, fixed_norm: bool) -> float:
    """The same error where the M - K outputs that never come next have equal columns, and one stands for all."""
    columns = np.minimum(np.arange(task.M), task.K)
    loss, grad = ss.loss_and_gradient(params._replace(Y=params.Y[..., : task.K + 1]), batch, task)
    wanted, of_Y, of_Z = gradient_by_torch(params.Y[0][:, columns], params.Z[0], data, fixed_norm)
    return largest(loss[0] - wanted, grad.Y[0][:, columns] - of_Y, grad.Z[0] - of_Z)


@claim(
    "SNAP-1",
    where="Lemma 1; conservation beyond the paper",
    says=(
        "The written-out gradients of both layers are the derivatives of the loss. They leave the sum of every row of "
        "the decoder and of the attention logits as it was."
    ),
    control={"fixed_norm": True},
    breaks="the length that the decoder input is divided by does not count as depending on attention",
)
def _check_1(fixed_norm: bool = False, block: int = 0) -> Result:
    seeds = seed_block(block, 4)
    errors, sums, folded = [], [], []
    for seed in seeds:
        task, params, data, batch = _case(seed)
        loss, grad = ss.loss_and_gradient(params, batch, task)
        wanted, of_Y, of_Z = gradient_by_torch(params.Y[0], params.Z[0], data, fixed_norm)
        errors.append(largest(loss[0] - wanted, grad.Y[0] - of_Y, grad.Z[0] - of_Z))
        sums.append(largest(of_Y.sum(axis=1), of_Z.sum(axis=1)))
        folded.append(_folded_error(task, params, data, batch, fixed_norm))
    start = ss.random_start(ss.base_task(), generators(seeds[:1], purpose=2))
    end = learn(ss.base_task(), seeds[:1], steps=100, random=True, record={}, record_at=[0, 100]).params
    drift = largest(*(b.sum(axis=-1) - a.sum(axis=-1) for a, b in zip(start, end, strict=True)))
    return result(
        Part(
            "largest error of loss and gradients against automatic differentiation",
            largest(*errors),
            1e-12,
            kind="rounding",
        ),
        Part("the same with the never-next outputs folded into one column", max(folded), 1e-12, kind="rounding"),
        Part("largest sum of a row of the gradients", max(sums), 1e-12, kind="rounding"),
        Part("largest change of Y 1 and z_m 1 in 100 steps with momentum, nats", drift, 1e-11, kind="rounding"),
        seeds=seeds,
    )


@claim(
    "SNAP-2",
    where="Section 3.1 and Lemma 1",
    says=(
        "A sequence enters only through how often each token occurs: from the histogram come the same loss and the "
        "same gradients as from the sequence, position by position."
    ),
    control={"tilt": 1.0},
    breaks="attention logits rise along the sequence by 1 nat",
)
def _check_2(tilt: float = 0.0, block: int = 0) -> Result:
    """The model of counts beside that of positions, whose logits gain `tilt` nats from the first to the last."""
    seeds = seed_block(block, 4)
    loss_error, error = 0.0, 0.0
    for seed in seeds:
        task, params, data, batch = _case(seed)
        loss, grad = ss.loss_and_gradient(params, batch, task)
        bias = tilt * np.linspace(0, 1, data.tokens.shape[1])
        wanted, of_Y, of_Z = gradient_by_position(params.Y[0], params.Z[0], data, bias)
        loss_error = max(loss_error, abs(loss[0] - wanted))
        error = max(error, largest(grad.Y[0] - of_Y, grad.Z[0] - of_Z))
    return result(
        Part("largest error of the loss, nats", loss_error, 1e-12, kind="rounding"),
        Part("largest error of an entry of the gradients", error, 1e-12, kind="rounding"),
        seeds=seeds,
    )


def _distances(task: ss.Task, Z: Array, length: int, seed: int, pieces: int | None) -> tuple[float, float]:
    """Mean distance of attention and of the decoder input from their limits, over 600 sequences.

    Only `pieces` tokens are drawn, where that is given, and each is repeated to fill the length.
    """
    drawn = length if pieces is None else pieces
    sized = ss.Task(task.P, task.query, task.M, drawn)
    batch = ss.sample(sized, 600, generators([seed]))
    n = batch.label[0]
    score = batch.counts[0] * np.exp(Z[batch.query[0]])
    c = score / score.sum(axis=1, keepdims=True)
    f = score / np.sqrt(np.square(score).sum(axis=1, keepdims=True))
    limits = theory.attention(task.P, Z, task.query)[n], theory.decoder_inputs(task.P, Z, task.query)[n]
    near, direction = (float(np.linalg.norm(a - b, axis=1).mean()) for a, b in zip((c, f), limits, strict=True))
    return near, direction


@claim(
    "SNAP-3",
    where="Lemma 2 (its rate beyond the paper)",
    says=(
        "In long sequences attention and decoder input depend on the next token alone; the distance to that limit "
        "falls like one over the square root of the length."
    ),
    control={"pieces": 32},
    breaks="tokens are not independent: a sequence repeats 32 draws as often as it takes to fill it",
)
def _check_3(pieces: int | None = None, block: int = 0) -> Result:
    task, seeds = ss.base_task(), seed_block(block, len(_LENGTHS))
    Z = np.random.default_rng(seeds[0]).normal(size=(task.Q, task.C))
    found = np.log([_distances(task, Z, int(L), seed, pieces) for seed, L in zip(seeds, _LENGTHS, strict=True)])
    slopes = np.polyfit(np.log(_LENGTHS), found, 1)[0]
    return result(
        Part("exponent of |X^T b - c_n| in the length, L = 32 to 8192", slopes[0], -0.5, 0.04),
        Part("exponent of |f - f_n|", slopes[1], -0.5, 0.04),
        seeds=seeds,
    )
