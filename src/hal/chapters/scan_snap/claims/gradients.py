"""Claim SNAP-24: gradients from token counts equal those from one-hot sequences.

Chapter `scan_snap`, our own code; the formulas are arXiv 2305.16380, Lemma 1.
"""

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs import medium_task
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import scan_snap as ss
from lib.sampling import generators

_QUERIES, _BATCH = 10, 128  # M = 240, the largest task of the paper


def one_hot_gradient(
    params: ss.Params, tokens: NDArray[np.intp], query: NDArray[np.intp], label: NDArray[np.intp]
) -> ss.Params:
    """Minibatch gradient of one run by the textbook: one-hot sequences, softmax over positions, the chain rule.

    Args:
        params: one run (R = 1), Y with all M columns.
        tokens: (B, L) contextual tokens.
        query: (B,) queries.
        label: (B,) next tokens.

    Returns:
        The gradient of the mean loss, one run.

    Source: arXiv 2305.16380, equation (2).
    """
    Y, Z = params.Y[0], params.Z[0]
    X = np.eye(len(Y))[tokens]  # (B, L, C)
    b = np.exp(np.einsum("blc,bc->bl", X, Z[query]))
    b /= b.sum(axis=1, keepdims=True)
    c = np.einsum("blc,bl->bc", X, b)
    norm = np.linalg.norm(c, axis=1, keepdims=True)
    f = c / norm
    output = np.exp(f @ Y)
    residual = (output / output.sum(axis=1, keepdims=True) - np.eye(Y.shape[1])[label]) / len(label)
    g = residual @ Y.T
    by_position = np.einsum("blc,bc->bl", X, (g - f * (f * g).sum(axis=1, keepdims=True)) / norm)
    by_logit = b * (by_position - (b * by_position).sum(axis=1, keepdims=True))
    by_sample = np.einsum("blc,bl->bc", X, by_logit)
    return ss.Params((f.T @ residual)[None], (np.eye(len(Z))[query].T @ by_sample)[None])


@claim(
    "SNAP-24",
    where="our own code; the formulas are those of Lemma 1",
    says=(
        "Gradients from token counts equal those from one-hot sequences, at the paper's largest size: 128 sequences of "
        "127 tokens from a vocabulary of 240. Which tokens occur and how often is all that the model sees."
    ),
    control={"foreign": True},
    breaks="a token of another class in every sequence, where the fast products expect none",
)
def _check_24(foreign: bool = False, block: int = 0) -> Result:
    """Where `foreign`, the last token of every sequence is a distinct token of another class."""
    seeds = seed_block(block, 1)
    task = medium_task(_QUERIES)
    params = ss.random_start(task, generators(seeds, purpose=2))
    batch = ss.sample(task, _BATCH, generators(seeds))
    tokens = np.stack([np.repeat(np.arange(task.C), row.astype(np.intp)) for row in batch.counts[0]])
    if foreign:
        tokens[:, -1] = task.leader[(batch.label[0] + task.K // 2) % task.K]
        counts = np.stack([np.bincount(row, minlength=task.C) for row in tokens])
        batch = batch._replace(counts=counts[None].astype(np.float64))
    known = one_hot_gradient(params, tokens, batch.query[0], batch.label[0])
    _, found = ss.loss_and_gradient(params, batch, task)
    worst = max(np.abs(a - b).max() / np.abs(b).max() for a, b in zip(found, known, strict=True))
    return result(
        Part("largest error of a gradient, over its largest entry", worst, 1e-12, kind="rounding"),
        seeds=seeds,
    )
