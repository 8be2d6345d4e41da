r"""Logistic regression: the baseline on the flattened input; on $HS1$, a value learned while attention is frozen.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 4 (downstream task and linear baseline). Sizes below 1 are
refused with `InputError`.
"""

from typing import NamedTuple, TypeVar

import numpy as np

from lib.errors import require, whole
from lib.models.group_sparse.fast import Array, Examples, GroupTransformer, Params, logistic, logistic_slope
from lib.sampling import Rngs


class Weights(NamedTuple):
    """Parameters of R runs."""

    w: Array  #: (R, m)


class Features(NamedTuple):
    """n examples as vectors for each of R runs, or (leading axis 1) the same for all runs."""

    x: Array  #: (R or 1, n, m)
    y: Array  #: (R or 1, n) labels, -1 or 1


Batch = TypeVar("Batch", Examples, Features)


class LogisticRegression:
    """Labels from vectors of length m by sign(w x), with the logistic loss; its batches are given.

    Args:
        m: length of an example, at least 1.
    """

    draws = False

    def __init__(self, m: int) -> None:
        self.m = whole("m", m, 1)

    def init(self, runs: int = 1, rngs: Rngs = ()) -> Weights:
        """All zeros."""
        return Weights(np.zeros((whole("runs", runs, 1), self.m)))

    def sample(self, batch: int = 0, rngs: Rngs = (), step: int = 0) -> Features:
        """Nothing can be drawn: see `lib.train.GivenBatches`."""
        require(False, "problem", "given batches: GivenBatches(LogisticRegression(m), batches)", "none")
        raise AssertionError

    def output(self, params: Weights, x: Array) -> Array:
        """f (R, n) of vectors (R or 1, n, m)."""
        return np.matmul(x, params.w[..., None])[..., 0]

    def loss_and_gradient(self, params: Weights, batch: Features) -> tuple[Array, Weights]:
        """Mean logistic loss (R,) in nats, and its gradient."""
        margin = batch.y * self.output(params, batch.x)
        slope = batch.y * logistic_slope(margin) / margin.shape[-1]
        return logistic(margin).mean(axis=-1), Weights(np.matmul(slope[:, None], batch.x)[:, 0])


def flattened(examples: Examples) -> Features:
    """The examples as vectors of all d D variables."""
    return Features(examples.X.reshape(*examples.X.shape[:2], -1), examples.y)


def attended(model: GroupTransformer, params: Params, examples: Examples) -> Features:
    r"""The examples as $HS1$ (R, n, d + D): what a value vector reads while attention, by W alone, stays as it is."""
    H = model.tokens(examples.X)
    total = model.attention(params, examples.X).sum(axis=-1)
    y = np.broadcast_to(examples.y, total.shape[:2])
    return Features(np.matmul(total[..., None, :], H)[..., 0, :], y)


def one_by_one(batch: Batch) -> list[Batch]:
    """One batch an example, in order: the stream of online SGD, for `lib.train.GivenBatches`."""
    first, y = batch
    return [type(batch)(first[:, i : i + 1], y[:, i : i + 1]) for i in range(y.shape[1])]
