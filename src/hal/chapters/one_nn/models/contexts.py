"""Test prompts as inner products with labels: what two numbers xi answer, and how often right, labels separated or not.

Chapter `one_nn`. Source: arXiv 2411.10830, the theorem on distribution shift and its figure (delta = 0.1). What is out
of range raises `InputError`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.errors import require, whole
from lib.models.one_nn.fast import Array, draw_products, fair_signs


class Contexts(NamedTuple):
    """B labelled prompts."""

    z: Array  #: (N, B) inner products of the examples with the query
    y: Array  #: (N, B) labels, +1 or -1


class Scores(NamedTuple):
    """How K pairs of numbers do on the same prompts."""

    loss: Array  #: (K,) mean (f - y_*)^2 / 2
    accuracy: Array  #: (K,) share of prompts where f has the sign of y_*


def draw_contexts(d: int, N: int, batch: int, rng: np.random.Generator, delta: float = 0.0) -> Contexts:
    """Prompts, B = `batch`, of N examples in dimension d >= 2, their fair labels separated by `delta`, from 0 to 4.

    Points and first labels do not depend on `delta`; see `lib.models.one_nn.separate`.
    """
    require(bool(0 <= delta <= 4), "delta", "a squared distance between 0 and 4", delta)
    z = draw_products(whole("d", d, 2), (whole("N", N, 1), whole("batch", batch, 1)), rng)
    y = fair_signs(z.shape, rng)
    if delta > 0:
        near = z > z.max(axis=0) - delta / 2
        y = np.where(near, _answers(z, y), y)
    return Contexts(z, y)


def score(xi1: ArrayLike, xi2: ArrayLike, contexts: Contexts) -> Scores:
    """Loss and accuracy of W = diag(xi_1 I, 0, -xi_2) on prompts, for K pairs of numbers, each (K,).

    Where xi_2 is infinite the query never attends to itself.
    """
    first, second = np.atleast_1d(np.asarray(xi1, float)), np.atleast_1d(np.asarray(xi2, float))
    require(first.shape == second.shape and first.ndim == 1, "xi2", f"shape {first.shape}, as xi1", second.shape)
    require(bool(np.all(np.isfinite(first))), "xi1", "finite numbers", xi1)
    require(not np.any(np.isnan(second) | (second == -np.inf)), "xi2", "numbers above minus infinity", xi2)
    answer = _answers(*contexts)
    found = [_errors(a, b, contexts, answer) for a, b in zip(first, second, strict=True)]
    return Scores(*(np.array(values) for values in zip(*found, strict=True)))


def _answers(z: Array, given: NDArray[Any]) -> NDArray[Any]:
    """What is given of the nearest examples."""
    return np.take_along_axis(given, z.argmax(axis=0)[None], axis=0)[0]


def _exponentials(xi1: float, xi2: float, z: Array) -> tuple[Array, Array]:
    """Attention (N, B) on the examples before it is divided by its sum, and that sum (B,), the query's own in it."""
    scores = xi1 * z
    own = xi1 - xi2
    top = np.maximum(scores.max(axis=0), own)
    e = np.exp(scores - top)
    return e, np.add.reduce(e, axis=0) + np.exp(own - top)


def _errors(xi1: float, xi2: float, contexts: Contexts, answer: Array) -> tuple[float, float]:
    """Loss and accuracy of one pair."""
    e, total = _exponentials(xi1, xi2, contexts.z)
    f = np.add.reduce(e * contexts.y, axis=0) / total
    error = f - answer
    return 0.5 * float(np.square(error).mean()), float(np.mean(f * answer > 0))
