"""The attention's step of the paper's algorithm in one go: a chain of five transforms, in half the time.

Chapter `scb`. At T = 5000 a pass over the attention costs as much as the arithmetic of the paper. The tests hold this
step to the chain `precondition`, `project_affine`, `scale_by_learning_rate`, `prox_l1`, `restore_affine`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lib import optim
from lib.optim.hyper import Hyper, StepCount, align, hyper


def attention_step(inverse: np.ndarray, lr: Hyper, threshold: Hyper | None = None) -> optim.Transform:
    r"""Move to $z = a - \eta\,(I - \frac1T 11^\top)\, g / \mu_k$, soft-threshold z, share what is missing from sum 1.

    Args:
        inverse: (N,) or (R, N) one over the frequency of the token that owns each row.
        lr: step size eta_A; number, (R,), or schedule of the step.
        threshold: soft threshold lambda per step, likewise; None or 0 leaves the proximal part out.

    Returns:
        A transform for fields (R, N, T) whose rows are along the last axis; its state counts the steps.

    Raises:
        InputError: if a rate or threshold is negative or not finite.

    Source: arXiv 2410.23438, equations (5) and (6).
    """
    rate = hyper("lr", lr, low=0.0)
    level = None if threshold is None else hyper("threshold", threshold, low=0.0)
    minus = -np.asarray(inverse, dtype=np.float64)[..., :, None]

    def one(gradient: np.ndarray, a: np.ndarray, step: int) -> np.ndarray:
        share = 1 / a.shape[-1]
        u = gradient * (align("lr", rate(step), a) * minus)
        u -= np.add.reduce(u, axis=-1, keepdims=True) * share
        shrink = 0.0 if level is None else align("threshold", level(step), a)
        off = shrink == 0.0
        if np.all(off):
            return u
        z = a + u
        z -= z.clip(-shrink, shrink)
        z += (1.0 - np.add.reduce(z, axis=-1, keepdims=True)) * share
        z -= a
        # A run without threshold takes the same step, to the last bit, alone and in company.
        return np.where(off, u, z) if np.any(off) else z

    def update(updates: Any, state: StepCount, params: Any) -> tuple[Any, StepCount]:
        moved = [one(u, p, state.step) for u, p in zip(updates, params, strict=True)]
        return optim.base.rebuild(updates, moved), StepCount(state.step + 1)

    return optim.Transform(lambda params: StepCount(0), update)
