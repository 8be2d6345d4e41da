"""Claims SNAP-1 to SNAP-3: the gradients, the histogram that stands for a sequence, and the limit of long sequences.

Chapter `scan_snap`. Source: arXiv 2305.16380, Sections 3 and 4.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lib.chapters.scan_snap.claims._measure import largest
from lib.chapters.scan_snap.claims._sequence import Sequences, gradient_by_position, gradient_by_torch
from lib.chapters.scan_snap.runs import learn
from lib.claims.base import Claim, Part, Result, result
from lib.models import scan_snap as ss
from lib.sampling import generators
from lib.theory import scan_snap as theory

Array = NDArray[np.float64]
_SEEDS = range(4)
_LENGTHS = 2 ** np.arange(5, 14)


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


def _check_1(fixed_norm: bool = False) -> Result:
    errors, sums = [], []
    for seed in _SEEDS:
        task, params, data, batch = _case(seed)
        loss, grad = ss.loss_and_gradient(params, batch, task)
        wanted, of_Y, of_Z = gradient_by_torch(params.Y[0], params.Z[0], data, fixed_norm)
        errors.append(largest(loss[0] - wanted, grad.Y[0] - of_Y, grad.Z[0] - of_Z))
        sums.append(largest(of_Y.sum(axis=1), of_Z.sum(axis=1)))
    start = ss.random_start(ss.base_task(), generators([0], purpose=2))
    end = learn(ss.base_task(), [0], steps=100, random=True, record={}, record_at=[0, 100]).params
    drift = largest(*(b.sum(axis=-1) - a.sum(axis=-1) for a, b in zip(start, end, strict=True)))
    return result(
        Part(
            "largest error of loss and gradients against automatic differentiation",
            largest(*errors),
            1e-12,
            kind="rounding",
        ),
        Part("largest sum of a row of the gradients", max(sums), 1e-12, kind="rounding"),
        Part("largest change of Y 1 and z_m 1 in 100 steps with momentum, nats", drift, 1e-11, kind="rounding"),
        seeds=_SEEDS,
    )


def _check_2(tilt: float = 0.0) -> Result:
    """Tilt: what the logit of a position gains from the first to the last, nats."""
    loss_error, error = 0.0, 0.0
    for seed in _SEEDS:
        task, params, data, batch = _case(seed)
        loss, grad = ss.loss_and_gradient(params, batch, task)
        bias = tilt * np.linspace(0, 1, data.tokens.shape[1])
        wanted, of_Y, of_Z = gradient_by_position(params.Y[0], params.Z[0], data, bias)
        loss_error = max(loss_error, abs(loss[0] - wanted))
        error = max(error, largest(grad.Y[0] - of_Y, grad.Z[0] - of_Z))
    return result(
        Part("largest error of the loss, nats", loss_error, 1e-12, kind="rounding"),
        Part("largest error of an entry of the gradients", error, 1e-12, kind="rounding"),
        seeds=_SEEDS,
    )


def _distances(task: ss.Task, Z: Array, length: int, seed: int, pieces: int | None) -> tuple[float, float]:
    """Mean distance of attention and of the decoder input from their limits, over 600 sequences.

    Pieces: draw only so many tokens, and repeat each to fill the length.
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


def _check_3(pieces: int | None = None) -> Result:
    task = ss.base_task()
    Z = np.random.default_rng(0).normal(size=(task.Q, task.C))
    found = np.log([_distances(task, Z, int(L), seed, pieces) for seed, L in enumerate(_LENGTHS)])
    slopes = np.polyfit(np.log(_LENGTHS), found, 1)[0]
    return result(
        Part("exponent of |X^T b - c_n| in the length, L = 32 to 8192", slopes[0], -0.5, 0.04),
        Part("exponent of |f - f_n|", slopes[1], -0.5, 0.04),
        seeds=range(len(_LENGTHS)),
    )


CLAIMS = [
    Claim(
        "SNAP-1",
        "scan_snap",
        "Lemma 1; conservation beyond the paper",
        "The written-out gradients of both layers are the derivatives of the loss. They leave the sum of every row of "
        "the decoder and of the attention logits as it was.",
        _check_1,
        lambda: _check_1(fixed_norm=True),
        "the length that the decoder input is divided by does not count as depending on attention",
    ),
    Claim(
        "SNAP-2",
        "scan_snap",
        "Section 3.1 and Lemma 1",
        "A sequence enters only through how often each token occurs: from the histogram come the same loss and the "
        "same gradients as from the sequence, position by position.",
        _check_2,
        lambda: _check_2(tilt=1.0),
        "attention logits rise along the sequence by 1 nat",
    ),
    Claim(
        "SNAP-3",
        "scan_snap",
        "Lemma 2 (its rate beyond the paper)",
        "In long sequences attention and decoder input depend on the next token alone; the distance to that limit "
        "falls like one over the square root of the length.",
        _check_3,
        lambda: _check_3(pieces=32),
        "tokens are not independent: a sequence repeats 32 draws as often as it takes to fill it",
    ),
]
