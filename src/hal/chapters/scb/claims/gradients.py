"""Claim SCB-31: gradients computed without one-hot vectors equal the textbook ones.

Chapter `scb`, our own code; the formulas are arXiv 2410.23438, Lemma B.3.
"""

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scb.claims._measure import random_point
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import scb
from lib.sampling import generators

_N, _T, _BATCH = 3, 5000, 16


def dense_gradients(params: scb.Params, tokens: NDArray, last: NDArray, label: NDArray) -> scb.Params:
    """Minibatch gradient of one run by the textbook: a one-hot matrix X for each sample, three einsums.

    Args:
        params: one run (R = 1).
        tokens: (B, T) contexts.
        last: (B,) last tokens.
        label: (B,) labels.
    """
    V, A = params.V[0], params.A[0]
    N, B = len(V), len(label)
    X = np.eye(N)[tokens]  # (B, T, N)
    h = np.einsum("btn,bt->bn", X, A[last])
    residual = h @ V.T - np.eye(N)[label]
    by_sample = np.einsum("btn,bn->bt", X, residual @ V)
    grad_A = np.einsum("bk,bt->kt", np.eye(N)[last], by_sample)
    return scb.Params(np.einsum("bi,bj->ij", residual, h)[None] / B, grad_A[None] / B)


def _relative(found: NDArray, wanted: NDArray) -> float:
    return float(np.abs(found - wanted).max() / np.abs(wanted).max())


@claim(
    "SCB-31",
    where="our own code; the formulas are those of Lemma B.3",
    says="The gradients of this book, computed without building one-hot vectors, equal the textbook ones up to the "
    "rounding of single precision.",
    control={"shift": 1},
    breaks="tokens are told apart by 'greater' in place of 'at least'",
)
def _check_31(shift: int = 0, block: int = 0) -> Result:
    """Shift: added to the fast code's cuts between tokens, as a wrong comparison sign would do."""
    worst = 0.0
    for i, seed in enumerate(seed_block(block, 4)):
        task = scb.random_task(_T, _N + i, 2, kappa=1.0, skew=0.3, rng=seed)
        params = random_point(task, seed, keep_mean=False, size=0.1)
        params = scb.Params(params.V, np.abs(params.A) / np.abs(params.A).sum(-1, keepdims=True))
        batch = scb.sample(task, _BATCH, generators([seed]))
        wanted = dense_gradients(params, batch.tokens()[0], batch.last[0], batch.label[0])
        _, fast = scb.loss_and_gradient(params, batch._replace(cuts=batch.cuts + batch.cuts.dtype.type(shift)))
        worst = max(worst, _relative(fast.V, wanted.V), _relative(fast.A, wanted.A))
    return result(
        Part("largest error of a gradient, over its largest entry", worst, 4e-6, kind="rounding"),  # single precision
        seeds=seed_block(block, 4),
    )
