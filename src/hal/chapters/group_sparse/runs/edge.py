"""The largest learning rate at which no early step raises the loss, over groups and variables, and in the population.

Chapter `group_sparse`. Source: ours, beyond arXiv 2504.08638. Six scalars with contents, on samples made symmetric.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hal.chapters.group_sparse.models import PairTransformer, SymmetricTransformer
from lib.models import group_sparse as gs
from lib.sampling import generators

STEPS = 8
LEAST, MOST, HALVINGS = 3.0, 48.0, 10  # of eta D


class Setting(NamedTuple):
    """A size."""

    D: int  #: groups
    d: int  #: variables in a group


def first_rise(problem: Any, params: Any, batch: Any, rates: Sequence[Any], steps: int) -> int:
    """The first step of gradient descent that raises the loss of one run, 0 if none of them does.

    Args:
        problem, batch: with `loss_and_gradient`.
        params: where it begins; a NamedTuple.
        rates: a learning rate for each of its fields.
        steps: how many.
    """
    before = np.inf
    for step in range(steps + 1):
        loss, gradient = problem.loss_and_gradient(params, batch)
        if not loss[0] <= before + 1e-12:
            return step
        before = float(loss[0])
        params = type(params)(*(x - rate * g for x, rate, g in zip(params, rates, gradient, strict=True)))
    return 0


def _edge(D: int, rises: Any) -> tuple[float, int]:
    """eta D between a rate without a rise and one with, and the step that rises there; by halves of the logarithm."""
    low, high, step = LEAST, MOST, 0
    for _ in range(HALVINGS):
        middle = float(np.sqrt(low * high))
        found = rises(middle / D)
        low, high, step = (low, middle, found) if found else (middle, high, step)
    return float(np.sqrt(low * high)), step


def pair_edge(D: int, steps: int = 200) -> tuple[float, int]:
    """The population without contents: the largest eta D at which no step raises the loss, and the step that does."""
    pair = PairTransformer(D)
    ways = pair.rates
    return _edge(D, lambda lr: first_rise(pair, pair.init(), None, [lr * ways["alpha"], lr * ways["b"]], steps))


def six_edge(setting: Setting, seed: int, gap: float, examples: int) -> tuple[float, int]:
    """The same of six scalars, contents among them, on a sample.

    Args:
        setting: the size.
        seed: of the sample.
        gap: of the logit of the relevant group at first, in nats.
        examples: in the sample.
    """
    D, d = setting
    six, rho = SymmetricTransformer(gs.Task(D=D, d=d)), (D + 1) / 2
    batch = six.sample(examples, generators([seed]))
    sizes = np.array([1, D - 1, D - 1, D - 1, max(1, (D - 1) * (D - 2))])
    start = six.init()
    start.B[:, [0, 2]] = gap
    ways = (1.0, 1.0, 1 / (d - 1), rho**2 / sizes)
    return _edge(D, lambda lr: first_rise(six, start, batch, [lr * way for way in ways], STEPS))
