"""Beyond the paper: other graphs, several heads, positions that are drawn and learned.

Chapter `random_walk`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.random_walk.runs.learning import TESTS
from lib.models import random_walk as rw
from lib.sampling import generators
from lib.theory.random_walk import joint_root
from lib.train import GivenBatches, Trajectory, train

__all__ = ["on_graph", "with_heads", "with_positions"]

Array = NDArray[np.float64]


def on_graph(
    steps_of: Array, seeds: Sequence[int], N: int = 97, steps: int = 50, n: int = 1000,
    record_at: Sequence[int] | None = None, **layer: Any,
) -> Trajectory:  # fmt: skip
    """Train from zero, at learning rate 1, on n walks a seed on a graph; measure on fresh walks.

    Records "accuracy", "lag" (of the most attended token), "parent" (attention on lag 1), "to_root" and "to_step"
    (distance of the direction of V from the root of the joint law of parent and target, and from the law of a step).

    Args:
        steps_of: chances of a step, (K, K).
        seeds: R seeds.
        N: nodes of a walk.
        steps: of gradient descent.
        n: walks.
        record_at: see `lib.train.train`; default the start and the end.
        **layer: of `lib.models.random_walk.MinimalTransformer`, without K and N.

    Raises:
        InputError: if an argument is out of range.
    """
    walk = rw.GraphWalk(steps_of, N)
    model = rw.MinimalTransformer(K=walk.K, N=N, **layer)
    walks, fresh = walk.sample(n, generators(seeds)), walk.sample(TESTS, generators(seeds, 3))
    root = joint_root(steps_of, N)
    record = {
        "accuracy": lambda p: rw.accuracy(model.output(p, fresh), fresh),
        "parent": lambda p: model.attention(p, fresh)[..., -2].mean(axis=1),
        "lag": lambda p: rw.attended_lag(model.attention(p, fresh)),
        "to_root": lambda p: rw.direction_distance(p.V, root),
        "to_step": lambda p: rw.direction_distance(p.V, steps_of.T),
    }
    at = [0, steps] if record_at is None else record_at
    fixed = GivenBatches(model, [walks])
    return train(fixed, model.init(len(seeds)), model.optimiser(1.0), steps, record=record, record_at=at)


def with_heads(
    H: int, walk: rw.Walk, seeds: Sequence[int], lr: float = 1.0, steps: int = 50, n: int = 1000,
    record_at: Sequence[int] | None = None, twins: bool = False, **layer: Any,
) -> Trajectory:  # fmt: skip
    """Train H heads on n walks a seed; measure on fresh walks.

    Records "accuracy", "divergence" (nats), "odd" (R, H): attention on odd lags less that on even ones, of every head.

    Args:
        H: heads.
        walk: the task.
        seeds: R seeds of walks and starts.
        lr: learning rate of V and W.
        steps, n, record_at, **layer: see `on_graph`.
        twins: all heads of a run start as its first one.

    Raises:
        InputError: if an argument is out of range.
    """
    model = rw.HeadedTransformer(H, K=walk.K, N=walk.N, **layer)
    walks, fresh = walk.sample(n, generators(seeds)), walk.sample(TESTS, generators(seeds, 3))
    law = walk.next_law(fresh.s)

    def odd(p: rw.Heads) -> Array:
        by_lag = model.attention(p, fresh).mean(axis=2)[..., -2::-1]
        return by_lag[..., ::2].sum(axis=-1) - by_lag[..., 1::2].sum(axis=-1)

    record = {
        "accuracy": lambda p: rw.accuracy(model.output(p, fresh), fresh),
        "divergence": lambda p: rw.divergence(model.output(p, fresh), law, fresh.weight),
        "odd": odd,
    }
    at = [0, steps] if record_at is None else record_at
    start, fixed = model.init(len(seeds), generators(seeds, 2)), GivenBatches(model, [walks])
    if twins:
        start = rw.Heads(*(np.repeat(x[:, :1], H, axis=1) for x in start))
    return train(fixed, start, model.optimiser(lr), steps, record=record, record_at=at)


def with_positions(
    walk: rw.Walk, seeds: Sequence[int], positions: str = "random", learned: bool = True, lr: float = 1.0,
    steps: int = 20, n: int | None = None, record_at: Sequence[int] | None = None, M: int = 1000, **layer: Any,
) -> Trajectory:  # fmt: skip
    """Train from zero with other positions, on n walks a seed, or on all walks there are; measure on these.

    Records "accuracy", "parent" and "lag".

    Args:
        walk: the task.
        seeds: R seeds of walks and positions.
        positions, learned: see `lib.models.random_walk.PlacedTransformer`.
        lr: learning rate of V, W and, if they are learned, positions.
        steps, record_at: see `on_graph`.
        n: walks; None: every walk by its chance.
        M: length of a positional vector.
        **layer: loss and epsilon.

    Raises:
        InputError: if an argument is out of range.
    """
    model = rw.PlacedTransformer(positions=positions, learned=learned, K=walk.K, N=walk.N, M=M, **layer)
    walks = walk.population() if n is None else walk.sample(n, generators(seeds))
    record = {
        "accuracy": lambda p: rw.accuracy(model.output(p, walks), walks),
        "parent": lambda p: model.attention(p, walks)[..., -2].mean(axis=1),
        "lag": lambda p: rw.attended_lag(model.attention(p, walks)),
    }
    at = [0, steps] if record_at is None else record_at
    start, fixed = model.init(len(seeds), generators(seeds, 2)), GivenBatches(model, [walks])
    return train(fixed, start, model.optimiser(lr), steps, record=record, record_at=at)
