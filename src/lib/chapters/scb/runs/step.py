"""One step of the paper's algorithm, both layers: what chains of transforms do, written out, in half the time.

Chapter `scb`. At T = 5000 a pass over the attention costs as much as the arithmetic of the paper. The tests hold this
step to `per_field` of the chains `precondition`, `scale_by_learning_rate` for V and `precondition`, `project_affine`,
`scale_by_learning_rate`, `prox_l1`, `restore_affine` for A.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.models.scb.model import Params, row_sums
from lib.optim import Transform
from lib.optim.hyper import Hyper, StepCount, Value, align, hyper


def both_layers(
    mu: NDArray[np.float64], lr_V: Hyper, lr_A: Hyper, threshold: Hyper | None = None, keep_mean: bool = False
) -> Transform:
    r"""V moves by $-\eta_V\,G_V D^{-1}$; A to the soft threshold of $a - \eta_A(I - \frac1T 11^\top)\,g/\mu_k$.

    What the threshold takes from the sum of a row is shared out equally, so that rows of A keep their sums.

    Args:
        mu: (N,) or (R, N) frequency of the token that owns each column of V and each row of A.
        lr_V: step size eta_V; number, (R,), or schedule of the step.
        lr_A: step size eta_A, likewise.
        threshold: soft threshold lambda per step, likewise; None or 0 leaves the proximal part out.
        keep_mean: also keep V mu where it is (beyond the paper).

    Returns:
        A transform for `Params`; its state counts the steps.

    Raises:
        InputError: if a rate or threshold is negative or not finite.

    Source: arXiv 2410.23438, equations (4) to (6).
    """
    rate_V, rate_A = hyper("lr", lr_V, low=0.0), hyper("lr", lr_A, low=0.0)
    level = hyper("threshold", 0.0 if threshold is None else threshold, low=0.0)
    inverse = -1 / np.asarray(mu, dtype=np.float64)
    columns, rows = inverse[..., None, :], inverse[..., :, None]

    def update(gradient: Any, state: StepCount, params: Any) -> tuple[Any, StepCount]:
        step = state.step
        V = gradient.V * (align("lr", rate_V(step), gradient.V) * columns)
        if keep_mean:
            V -= np.matmul(V, mu[..., None])
        A = gradient.A * (align("lr", rate_A(step), gradient.A) * rows)
        mean = row_sums(A) * (1 / A.shape[-1])
        shrink = align("threshold", level(step), A)
        if isinstance(shrink, float):
            if shrink:
                A = _prox(A, mean, params.A, shrink)
            else:
                A -= mean
        elif shrink.any():
            # A run without threshold takes the same step, to the last bit, alone and in company.
            plain = A - mean
            A = np.where(shrink == 0.0, plain, _prox(A, mean, params.A, shrink))
        else:
            A -= mean
        return Params(V, A), StepCount(step + 1)

    return Transform(lambda params: StepCount(0), update)


def _prox(u: NDArray, mean: NDArray, a: NDArray, shrink: Value) -> NDArray:
    """The move from a to the soft threshold of a + u - mean, less its own mean, so that rows of A keep their sums."""
    z = a + u
    # Outside the band the threshold leaves z - mean -+ shrink: the move u - mean, less or plus the threshold.
    move = np.subtract(u, z.clip(mean - shrink, mean + shrink), out=z)
    move -= row_sums(move) * (1 / move.shape[-1])
    return move
