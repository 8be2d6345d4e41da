"""Other laws of the examples: two groups that decide together, a copy of the one that decides; and no softmax.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lib import optim
from lib.errors import require
from lib.models import group_sparse as gs
from lib.sampling import generators
from lib.train import GivenBatches, train

Array = NDArray[np.float64]
TESTS = 1000  # fresh examples of the same law
OTHER = 2  # row of the second group, the third of all


class Shared(NamedTuple):
    """R trained runs, measured on fresh examples."""

    attention: Array  #: (R, D) mean weight on every group
    accuracy: Array  #: (R,)


def two_groups(seeds: Sequence[int], D: int = 6, d: int = 4, n: int = 500, lr: float = 0.1, steps: int = 300) -> Shared:
    """The label is the sign of the sum of the components of groups 2 and 3 along v*; arguments as for `learn`.

    Raises:
        InputError: if there are fewer than 3 groups.
    """
    task = _task(D, d)

    def change(examples: gs.Examples) -> gs.Examples:
        both = examples.X[:, :, [task.star, OTHER]] @ task.v_star
        return gs.Examples(examples.X, np.where(both.sum(axis=-1) < 0, -1.0, 1.0))

    return _learn(gs.GroupTransformer(task), change, seeds, n, optim.sgd(lr), steps)


def copied_group(
    seeds: Sequence[int], c: float, D: int = 6, d: int = 4, n: int = 500, lr: float = 0.1, steps: int = 300
) -> Shared:
    """Group 2 decides; group 3 has the correlation c with it, variable by variable; the rest as for `learn`.

    Raises:
        InputError: if the correlation is out of range, or there are fewer than 3 groups.
    """
    require(-1 <= c <= 1, "c", "a correlation from -1 to 1", c)
    task = _task(D, d)

    def change(examples: gs.Examples) -> gs.Examples:
        X = examples.X.copy()
        X[:, :, OTHER] = c * X[:, :, task.star] + np.sqrt(1 - c * c) * X[:, :, OTHER]
        return gs.Examples(X, examples.y)

    return _learn(gs.GroupTransformer(task), change, seeds, n, optim.sgd(lr), steps)


def linear_attention(
    seeds: Sequence[int],
    D: int = 6,
    d: int = 4,
    n: int = 500,
    lr: float = 0.03,
    steps: int = 300,
    moving: bool = True,
) -> Shared:
    """The task of the chapter, learned without the softmax; attention is the share of the weights' absolute values.

    Arguments are as for `learn`; `moving`: learn the key-query matrix, or the value alone.
    """
    model, rates = gs.LinearAttention(gs.Task(D=D, d=d)), optim.sgd(lr)
    return _learn(model, None, seeds, n, rates if moving else optim.per_field(v=rates, W=optim.freeze()), steps)


def _task(D: int, d: int) -> gs.Task:
    require(D > OTHER, "D", "at least 3 groups", D)
    return gs.Task(D=D, d=d)


def _learn(
    model: gs.GroupTransformer,
    change: Callable[[gs.Examples], gs.Examples] | None,
    seeds: Sequence[int],
    n: int,
    optimiser: optim.Transform,
    steps: int,
) -> Shared:
    given, fresh = (model.task.sample(count, generators(seeds, k)) for k, count in enumerate((n, TESTS)))
    if change:
        given, fresh = change(given), change(fresh)
    params = train(GivenBatches(model, [given]), model.init(len(seeds)), optimiser, steps).params
    weights = np.abs(model.attention(params, fresh.X))
    share = (weights / weights.sum(axis=-2, keepdims=True)).mean(axis=(1, 3))
    return Shared(share, gs.accuracy(model.output(params, fresh.X), fresh.y))
