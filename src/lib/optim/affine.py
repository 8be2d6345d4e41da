"""Keep sums: project the update onto directions that leave sums alone; give back a sum that a step took.

An axis is one of the model, counted from the end: -1 for `A (R, N, T)`, -2 for the columns of `V (R, N, N)`.
"""

from functools import lru_cache

import numpy as np

from lib.errors import InputError, require
from lib.optim.base import Array, Transform, rebuild, stateless
from lib.optim.hyper import model_axis, reach


def project_affine(axis: int) -> Transform:
    r"""Subtract the mean of the update along an axis, so that sums along it stay: $u - \frac1n 11^\top u$.

    Source: projection onto the affine set {1'a = 1} (not the simplex); SCB, arXiv:2410.23438, Algorithm 1.
    """
    axis = model_axis(axis)

    def one(u: Array) -> Array:
        n = reach(axis, u)
        return u - line_sums(u, axis) * (1 / n)

    return stateless(lambda updates, params: rebuild(updates, map(one, updates)))


def restore_affine(total: float, axis: int) -> Transform:
    r"""Bring sums back to `total` after a step that changed them: equal shares of what is missing.

    With $z$ = params + updates along the axis (length n): $u \leftarrow u + \frac1n (s - 1^\top z)$, s the total that
    every line must have, 1 for attention.

    Source: the projection after the prox step of SCB, arXiv:2410.23438, Algorithm 1.
    """
    axis = model_axis(axis)
    try:
        total = float(total)
    except (TypeError, ValueError):
        raise InputError(f"total: expected a finite number, got {total!r}") from None
    require(np.isfinite(total), "total", "a finite number", total)

    def one(u: Array, p: Array) -> Array:
        n = reach(axis, u)
        missing = total - line_sums(p, axis)
        missing -= line_sums(u, axis)
        return u + missing / n

    return stateless(lambda updates, params: rebuild(updates, map(one, updates, params)))


def line_sums(array: Array, axis: int) -> Array:
    """Sums of (R, ...) along a model axis, which stays with length 1; products with ones are faster along the last."""
    if axis == -1:
        return array.dot(_ones(array.shape[-1]))[..., None]
    return np.add.reduce(array, axis=axis, keepdims=True)


@lru_cache
def _ones(n: int) -> Array:
    return np.ones(n)
