"""Training on a fixed set of walks, on all walks there are, and on a sample with all its turns.

Chapter `random_walk`. Source: arXiv 2511.23239, Sections 2 and 5.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lib.models import random_walk as rw
from lib.sampling import generators
from lib.theory.random_walk import root_target, step_matrix
from lib.train import GivenBatches, Trajectory, train

__all__ = ["Learned", "learn", "learn_population", "learn_turns", "record_of"]

Array = NDArray[np.float64]
TESTS = 1000  # fresh walks that measure a trained layer


class Learned(NamedTuple):
    """R trained runs with the model and the walks that they are measured on."""

    model: rw.MinimalTransformer
    walks: rw.Walks
    run: Trajectory


def record_of(model: rw.MinimalTransformer, walk: rw.Walk, walks: rw.Walks) -> dict[str, Any]:
    """What to record of a run, measured on given walks.

    "accuracy", "divergence" (nats), "parent" (attention on the node before the target), "lag" (of the most attended
    token), "to_step" and "to_root" (distance of V's direction from the law of a step, from its root).
    """
    Pi, root, law = step_matrix(walk.K, walk.p).T, root_target(walk.K, walk.p), walk.next_law(walks.s)
    return {
        "accuracy": lambda p: rw.accuracy(model.output(p, walks), walks),
        "divergence": lambda p: rw.divergence(model.output(p, walks), law, walks.weight),
        "parent": lambda p: model.attention(p, walks)[..., -2].mean(axis=1),
        "lag": lambda p: rw.attended_lag(model.attention(p, walks)),
        "to_step": lambda p: rw.direction_distance(p.V, Pi),
        "to_root": lambda p: rw.direction_distance(p.V, root),
    }


def learn(
    walk: rw.Walk,
    seeds: Sequence[int],
    lr: float = 1.0,
    steps: int = 50,
    n: int = 1000,
    record_at: Sequence[int] | None = None,
    start: rw.Minimal | None = None,
    **layer: Any,
) -> Learned:
    """Train on n walks a seed, each step on all of them; measure on fresh walks of the same kind.

    Args:
        walk: the task.
        seeds: R seeds; run r draws its walks and its start from seeds[r] alone.
        lr: learning rate of V and W.
        steps: of gradient descent.
        n: walks.
        record_at: see `lib.train.train`; default the start and the end.
        start: parameters, default those of the model.
        **layer: of `lib.models.random_walk.MinimalTransformer`, without K and N.

    Raises:
        InputError: if an argument is out of range.
    """
    model = rw.MinimalTransformer(K=walk.K, N=walk.N, **layer)
    walks, fresh = walk.sample(n, generators(seeds)), walk.sample(TESTS, generators(seeds, 3))
    params = model.init(len(seeds), generators(seeds, 2)) if start is None else start
    return _trained(model, walk, walks, fresh, params, lr, steps, record_at)


def learn_population(
    walk: rw.Walk,
    seeds: Sequence[int] = (0,),
    lr: float | Array = 1.0,
    steps: int = 50,
    record_at: Sequence[int] | None = None,
    start: rw.Minimal | None = None,
    **layer: Any,
) -> Learned:
    """Train on every walk by its chance, and measure on them: for deterministic walks, and for short ones.

    Args:
        walk, steps, record_at, start, **layer: see `learn`.
        seeds: of the starts; without meaning for a start at zero.
        lr: a number, or one a run.
    """
    model = rw.MinimalTransformer(K=walk.K, N=walk.N, **layer)
    walks = walk.population()
    params = model.init(len(seeds), generators(seeds, 2)) if start is None else start
    return _trained(model, walk, walks, walks, params, lr, steps, record_at)


def learn_turns(
    walk: rw.Walk,
    seeds: Sequence[int],
    lr: float = 1.0,
    steps: int = 50,
    n: int = 1000,
    record_at: Any = None,
    M: int = 1000,
) -> tuple[rw.CirculantTransformer, Trajectory]:
    """Train from zero on n walks a seed and all their turns, K n walks in effect.

    Records "parent", "lag" and "accuracy" (on the walks themselves).

    Args:
        walk, seeds, lr, steps, n, record_at: see `learn`.
        M: length of the positional vectors.
    """
    model = rw.CirculantTransformer(K=walk.K, N=walk.N, M=M)
    batch = rw.turns(walk.sample(n, generators(seeds)), walk.K)
    record = {
        "parent": lambda p: model.attention(p)[:, -2],
        "lag": lambda p: rw.attended_lag(model.attention(p)),
        "accuracy": lambda p: rw.turned_accuracy(model.output(p, batch), batch.weight),
    }
    at = [0, steps] if record_at is None else record_at
    fixed = GivenBatches(model, [batch])
    return model, train(fixed, model.init(len(seeds)), model.optimiser(lr), steps, record=record, record_at=at)


def _trained(
    model: rw.MinimalTransformer,
    walk: rw.Walk,
    walks: rw.Walks,
    tests: rw.Walks,
    start: rw.Minimal,
    lr: float | Array,
    steps: int,
    record_at: Sequence[int] | None,
) -> Learned:
    at = [0, steps] if record_at is None else record_at
    fixed, record = GivenBatches(model, [walks]), record_of(model, walk, tests)
    return Learned(model, tests, train(fixed, start, model.optimiser(lr), steps, record=record, record_at=at))
