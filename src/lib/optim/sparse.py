"""Steps that make zeros: the l1 proximal step (soft threshold) and the hard threshold, written as increments.

Both look at z = params + updates, so they come after the learning rate in a chain. An entry set to zero is exactly
zero after `apply_updates` (p + (0 - p)) unless a later transform moves it; the other entries may differ from the
threshold of z in the last bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lib.optim.base import Array, Transform, rebuild
from lib.optim.hyper import Hyper, StepCount, Value, align, hyper, model_axis, reach


def prox_l1(threshold: Hyper) -> Transform:
    r"""Two-sided soft threshold of the new parameters: $z \leftarrow \mathrm{sign}(z)\max(|z|-\lambda, 0)$.

    Args:
        threshold: $\lambda \ge 0$ per step, in units of the parameters (not multiplied by the learning rate);
            a number, an array (R,), or a schedule of the step.

    Raises:
        InputError: if a threshold is negative or not finite.

    Source: proximal operator of $\lambda\lVert z\rVert_1$ (ISTA, Daubechies et al. 2004); Stage 2 of SCB,
    arXiv:2410.23438, Algorithm 1.
    """

    def one(z: Array, level: Value) -> Array:
        z -= z.clip(-level, level)
        return z

    return _on_new_params("threshold", hyper("threshold", threshold, low=0.0), one)


def hard_threshold(level: Hyper, relative: int | None = None) -> Transform:
    r"""Zero the small entries of the new parameters, $|z| < c$, and keep the others.

    Args:
        level: $c \ge 0$; a number, an array (R,), or a schedule of the step.
        relative: a model axis, counted from the end: `level` is then a fraction of the largest |z| along it.

    Raises:
        InputError: if a level is negative or not finite, or `relative` is not a model axis.

    Source: between the stages, and Stage 3, of SCB, arXiv:2410.23438, Algorithm 1.
    """
    axis = None if relative is None else model_axis(relative)

    def one(z: Array, c: Value) -> Array:
        size = np.abs(z)
        if axis is not None:
            reach(axis, z)
            c = c * size.max(axis=axis, keepdims=True)
        z[size < c] = 0.0
        return z

    return _on_new_params("level", hyper("level", level, low=0.0), one)


def _on_new_params(name: str, at: Any, shrink: Any) -> Transform:
    """A Transform from `shrink(z, level)`, which may overwrite its own z = params + updates."""

    def update(updates: Any, state: StepCount, params: Any) -> tuple[Any, StepCount]:
        value = at(state.step)
        moved = []
        for u, p in zip(updates, params, strict=True):
            z = shrink(p + u, align(name, value, p))
            z -= p
            moved.append(z)
        return rebuild(updates, moved), StepCount(state.step + 1)

    return Transform(lambda params: StepCount(0), update)
