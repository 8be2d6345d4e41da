"""The attention's step of the paper's Algorithm 1 in one go: what a chain of five transforms does, in half the time.

Chapter `scb`. At T = 5000 the arrays no longer fit a small cache, and a pass over them costs as much as the paper's
arithmetic. The tests hold this step to the chain `precondition`, `project_affine`, `scale_by_learning_rate`,
`prox_l1`, `restore_affine`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lib import optim
from lib.optim.hyper import Hyper, align, hyper


def attention_step(inverse: np.ndarray, lr: Hyper, threshold: Hyper | None = None) -> optim.Transform:
    r"""$z = a - \eta\,(I - \frac1T 11^\top)\, g / \mu_k$, soft threshold of z, and equal shares back to sum 1.

    Args:
        inverse: (N,) or (R, N) one over the frequency of the token that owns each row.
        lr: step size eta_A; number, (R,), or schedule of the step.
        threshold: soft threshold lambda per step, likewise; None or 0 leaves the proximal part out.

    Returns:
        A transform for one field (R, N, T), rows along the last axis; its state counts the steps.

    Raises:
        InputError: if a rate or threshold is negative or not finite.

    Source: arXiv 2410.23438, equations (5) and (6).
    """
    rate = hyper("lr", lr, low=0.0)
    level = None if threshold is None else hyper("threshold", threshold, low=0.0)
    minus = -np.asarray(inverse, dtype=np.float64)[..., :, None]

    def one(u: np.ndarray, p: np.ndarray, step: int) -> np.ndarray:
        u = u * (align("lr", rate(step), p) * minus)
        u -= np.add.reduce(u, axis=-1, keepdims=True) * (1 / u.shape[-1])
        shrink = 0.0 if level is None else align("threshold", level(step), p)
        if not np.any(shrink):
            return u
        z = p + u
        z -= z.clip(-shrink, shrink)
        z += (1.0 - np.add.reduce(z, axis=-1, keepdims=True)) * (1 / u.shape[-1])
        z -= p
        return z

    def update(updates: Any, state: optim.hyper.StepCount, params: Any) -> tuple[Any, optim.hyper.StepCount]:
        moved = [one(u, p, state.step) for u, p in zip(updates, params, strict=True)]
        return optim.base.rebuild(updates, moved), optim.hyper.StepCount(state.step + 1)

    return optim.Transform(lambda params: optim.hyper.StepCount(0), update)
