"""Beyond the paper: a walk that sometimes stays where it is, and Adam on the ridge of the deterministic walk.

Chapter `random_walk`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lib import optim
from lib.errors import require
from lib.models import random_walk as rw
from lib.sampling import generators
from lib.train import GivenBatches, train

__all__ = ["Lazy", "adam_escape", "lazy"]


class Lazy(NamedTuple):
    """Trained runs on lazy walks."""

    accuracy: NDArray[np.float64]  #: (R,) on fresh walks
    best: float  #: the largest chance of a step
    lag: NDArray[np.intp]  #: (R,) most attended


def lazy(seeds: Sequence[int], stay: float, K: int = 6, N: int = 97, steps: int = 20, n: int = 1000) -> Lazy:
    """Train from zero on walks that stay with chance `stay`, else go either way with equal chance.

    Args:
        seeds: R seeds.
        stay: in [0, 1].
        K: nodes.
        N: nodes of a walk.
        steps: of gradient descent at learning rate 1.
        n: walks.

    Raises:
        InputError: if `stay` is not a chance.
    """
    require(0 <= stay <= 1, "stay", "a probability in [0, 1]", stay)
    model = rw.MinimalTransformer(K=K, N=N)

    def draw(stream: int) -> rw.Walks:
        walks = []
        for rng in generators(list(seeds), stream):
            moves = rng.choice([0, 1, K - 1], size=(n, N - 1), p=[stay, (1 - stay) / 2, (1 - stay) / 2])
            first = rng.integers(0, K, size=(n, 1))
            walks.append(np.concatenate([first, first + np.cumsum(moves, axis=1)], axis=1) % K)
        return rw.Walks(np.array(walks), np.full((len(seeds), n), 1 / n))

    walks, fresh = draw(0), draw(3)
    fixed = GivenBatches(model, [walks])
    params = train(fixed, model.init(len(seeds)), model.optimiser(1.0), steps, record_at=[0, steps]).params
    lag = rw.attended_lag(model.attention(params, fresh))
    return Lazy(rw.accuracy(model.output(params, fresh), fresh), max(stay, (1 - stay) / 2), lag)


def adam_escape(
    seeds: Sequence[int], sigma: float, lr: float = 0.01, steps: int = 200, K: int = 6, N: int = 97
) -> NDArray[np.float64]:
    """First step at which Adam on V, u and g is always right on the K clockwise walks, (R,); NaN if it never is.

    Args:
        seeds: R seeds of the starts.
        sigma: deviation of the start; 0 starts at zero.
        lr: Adam's learning rate.
        steps: of training.
        K: nodes.
        N: nodes of a walk.
    """
    model = rw.MinimalTransformer(K=K, N=N, sigma=sigma)
    walks, at = rw.Walk(K, N, 1.0).population(), range(steps + 1)
    record = {"right": lambda x: rw.accuracy(model.output(x, walks), walks)}
    start, fixed = model.init(len(seeds), generators(list(seeds), 2)), GivenBatches(model, [walks])
    right = train(fixed, start, optim.adam(lr), steps, record=record, record_at=at)["right"] > 0.999
    return np.where(right.any(axis=1), right.argmax(axis=1), np.nan)
