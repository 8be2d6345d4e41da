"""A step that makes zeros: the l1 proximal step (soft threshold), written as an increment.

It looks at z = params + updates, so it comes after the learning rate in a chain. An entry set to zero is exactly
zero after `apply_updates` (p + (0 - p)) unless a later transform moves it; the other entries may differ from the
threshold of z in the last bit.
"""

from typing import Any

import numpy as np

from lib.optim.affine import line_sums
from lib.optim.base import Array, Transform, rebuild
from lib.optim.hyper import Hyper, StepCount, Value, align, hyper, model_axis, reach


def prox_l1(threshold: Hyper, keep_sums: int | None = None) -> Transform:
    r"""Two-sided soft threshold of the new parameters: $z \leftarrow \mathrm{sign}(z)\max(|z|-\lambda, 0)$.

    Args:
        threshold: $\lambda \ge 0$ per step, in units of the parameters (not multiplied by the learning rate);
            a number, an array (R,), or a schedule of the step.
        keep_sums: a model axis, counted from the end, whose sums the step must keep: the update is projected as by
            `project_affine`, and what the threshold takes from a line is given back to it in equal shares (so that
            zeros turn into these shares).

    Source: proximal operator of $\lambda\lVert z\rVert_1$ (ISTA, Daubechies et al. 2004); Stage 2 of SCB,
    arXiv:2410.23438, Algorithm 1, with the projection after it.
    """
    at = hyper("threshold", threshold, low=0.0)
    axis = None if keep_sums is None else model_axis(keep_sums)

    def one(u: Array, p: Array, level: Value) -> Array:
        return _soft(u, p, level) if axis is None else _keeping_sums(u, p, level, axis)

    def update(updates: Any, state: StepCount, params: Any) -> tuple[Any, StepCount]:
        value = at(state.step)
        moved = [one(u, p, align("threshold", value, p)) for u, p in zip(updates, params, strict=True)]
        return rebuild(updates, moved), StepCount(state.step + 1)

    return Transform(lambda params: StepCount(0), update)


def _keeping_sums(u: Array, p: Array, level: Value, axis: int) -> Array:
    """The move from p to the soft threshold of p + u - mean(u), less the mean of that move."""
    share = 1 / reach(axis, u)
    mean = line_sums(u, axis) * share
    if isinstance(level, float):
        if level == 0.0:
            return u - mean
    elif not level.any():
        return u - mean
    move = p + u
    # outside the band the threshold leaves z - mean -+ level: the move u - mean, less or plus the level
    move.clip(mean - level, mean + level, out=move)
    np.subtract(u, move, out=move)
    move -= line_sums(move, axis) * share
    # a run without threshold takes the same step, to the last bit, alone and in company
    return move if isinstance(level, float) else np.where(level == 0.0, u - mean, move)


def _soft(u: Array, p: Array, level: Value) -> Array:
    """The move from p to the soft threshold of p + u."""
    z = p + u
    z -= z.clip(-level, level)
    z -= p
    return z
