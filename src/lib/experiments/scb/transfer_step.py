"""Explorer `scb-transfer`: one large-batch attention step from a transferred start instead of Stage 1.

Chapter `scb`. Source: arXiv 2410.23438, Section 4 and Theorem 4.1; the batch law is beyond the paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.errors import require
from lib.experiments.scb.algorithm import generators
from lib.experiments.scb.flow import make_task
from lib.experiments.scb.stage_run import columns
from lib.models import scb
from lib.sweep import vectorised
from lib.theory import scb as theory

SEEDS = 6
# Small chunks stay in the cache: a slider move must be answered within half a second.
_CHUNK = 256
BATCHES = tuple(2**p for p in range(6, 15))


@vectorised("T", defaults={"T": 256, "rho": 0.5, "samples": 1024, "N": 4, "Q": 2})
def transfer_step(points: list[dict[str, Any]]) -> list[dict[str, NDArray]]:
    """Scores of all positions after one attention step, and how often they find the support, by batch size.

    Args:
        points: settings T, rho (correlation of the old transition with the new), samples (batch of the one step),
            N, Q and seed.

    Returns:
        For each point: score (N, columns), |A - 1/T| over its largest entry in the row, at the point's batch;
        position (columns,); useful (N, columns), true where Q has weight; here, the batch; batches (9,) and
        share (9,), the share of six seeds whose support is found; found (of six) at the point's batch; law, the
        batch for one half.

    Raises:
        InputError: if a setting is out of range.
    """
    kinds: dict[tuple, list[int]] = {}
    for i, p in enumerate(points):
        require(p["samples"] >= 1, "samples", "at least 1", p["samples"])
        kinds.setdefault(tuple(sorted((k, v) for k, v in p.items() if k != "samples")), []).append(i)
    out: list[dict[str, NDArray]] = [{}] * len(points)
    for where in kinds.values():  # points that differ in samples alone look at the same samples
        for i, found in zip(where, _growing([points[i] for i in where]), strict=True):
            out[i] = found
    return out


def first_step(
    task: scb.Task, V: NDArray, batches: Sequence[int], seeds: Sequence[int], chunk: int = 1024
) -> NDArray[np.float64]:
    """Attention scores after one step from uniform attention, for growing batches of the same samples.

    Args:
        task: one task.
        V: (N, N) or (R, N, N) start of the output layer.
        batches: M increasing batch sizes, in samples.
        seeds: R seeds of the samples.
        chunk: samples drawn at a time.

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
        for done in range(0, size, chunk):
            part = min(chunk, size - done)
            _, gradient = scb.loss_and_gradient(params, scb.sample(task, part, rngs))
            total += part * gradient.A
        score = -total / batch / task.mu[:, None]
        out.append(score - score.mean(axis=-1, keepdims=True))
    return np.stack(out)


def _growing(points: list[dict[str, Any]]) -> list[dict[str, NDArray]]:
    """The results of points that agree in everything but the batch."""
    point, seed = points[0], points[0].get("seed", 0)
    task = make_task(point, seed)
    R_hat = scb.correlated_signal(task, point["rho"], generators([seed], 2)[0])
    start, seeds = task.mu[:, None] + R_hat, [SEEDS * seed + s for s in range(SEEDS)]
    batches = list(BATCHES)
    scores = first_step(task, start, batches, seeds, chunk=_CHUNK)
    # A batch between the stops gets samples of its own: it must not change those of the curve.
    for batch in sorted({int(p["samples"]) for p in points} - set(BATCHES)):
        scores = np.concatenate([scores, first_step(task, start, [batch], seeds, chunk=_CHUNK)])
        batches.append(batch)
    found = np.array([scb.support_recovered(scb.Params(R_hat, s + 1 / task.T), task) for s in scores])
    picks = columns(task)
    s2 = theory.constants(task.mu, task.P, task.Q).s2
    law = theory.one_step_batch(point["rho"], s2, task.T, task.mu.min(), task.Q[task.Q > 0].min())
    out = []
    for p in points:
        here = batches.index(int(p["samples"]))
        score = np.abs(scores[here, 0])
        out.append(
            {
                "score": (score / score.max(axis=-1, keepdims=True))[:, picks],
                "useful": task.Q[:, picks] > 0,
                "here": np.asarray(p["samples"]),
                "position": picks,
                "batches": np.array(BATCHES),
                "share": found[[batches.index(b) for b in BATCHES]].mean(axis=-1),
                "found": np.asarray(int(found[here].sum())),
                "law": np.asarray(law),
            }
        )
    return out
