"""One attention step of a large batch, drawn in pieces.

Chapter `scb`. Source: arXiv 2410.23438, Section 4 and Theorem 4.1.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lib.errors import require
from lib.models import scb
from lib.sampling import generators

_CHUNK = 1024  # samples drawn at a time


def first_step(task: scb.Task, V: NDArray, batches: Sequence[int], seeds: Sequence[int]) -> NDArray[np.float64]:
    """Attention scores after one step from uniform attention, for growing batches of the same samples.

    Args:
        task: one task.
        V: (N, N) or (R, N, N) start of the output layer.
        batches: M increasing batch sizes, in samples.
        seeds: R seeds of the samples.

    Returns:
        (M, R, N, T) scores: minus the preconditioned, projected gradient in A. Positive means look here.

    Raises:
        InputError: if the batch sizes do not increase.

    Source: arXiv 2410.23438, Section 4.
    """
    sizes = np.diff(np.r_[0, np.asarray(batches)])
    require(np.all(sizes > 0), "batches", "increasing batch sizes of at least 1", list(batches))
    rngs = generators(seeds, 4)
    params = scb.Params(
        np.broadcast_to(V, (len(seeds), task.N, task.N)).copy(), np.full((len(seeds), task.N, task.T), 1 / task.T)
    )
    total = np.zeros_like(params.A)
    out = []
    for size, batch in zip(sizes, batches, strict=True):
        for done in range(0, size, _CHUNK):
            part = min(_CHUNK, size - done)
            _, gradient = scb.loss_and_gradient(params, scb.sample(task, part, rngs))
            total += part * gradient.A
        score = -total / batch / task.mu[:, None]
        out.append(score - score.mean(axis=-1, keepdims=True))
    return np.stack(out)
