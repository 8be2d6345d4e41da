"""The chapter's trainings: on drawn walks, on all there are, on a sample with all its turns, on questions.

Chapter `random_walk`. Source: arXiv 2511.23239, Sections 2, 5 and 6; that tokens have length 1 where a layer learns
questions is our reading. Run r draws its walks and its start from seeds[r] alone. What is measured is recorded at the
start and the end, unless `record_at` has other steps, see `lib.train.train`. What is out of range raises InputError.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.random_walk.models.circulant import CirculantTransformer, Turns, turned_accuracy, turns
from hal.chapters.random_walk.models.tasks import COUNT, questions
from lib.models import random_walk as rw
from lib.sampling import generators
from lib.theory.random_walk import step_matrix
from lib.train import GivenBatches, Trajectory, train

Array = NDArray[np.float64]
TESTS = 1000  # fresh walks that measure a trained layer


class Learned(NamedTuple):
    """R trained runs with the model and the walks that they are measured on."""

    model: rw.MinimalTransformer
    walks: rw.Walks
    run: Trajectory


def answers_of(model: Any, walks: rw.Walks, law: Array) -> dict[str, Any]:
    """What to record of answers to walks: "accuracy", and "divergence" in nats from their `law`, (R or 1, n, K)."""
    return {
        "accuracy": lambda p: rw.accuracy(model.output(p, walks), walks),
        "divergence": lambda p: rw.divergence(model.output(p, walks), law, walks.weight),
    }


def record_of(model: Any, walk: rw.Walk, walks: rw.Walks) -> dict[str, Any]:
    """What to record of a run, measured on given walks of a task.

    Beside what `answers_of` has, "parent" (attention on the node before the target), "lag" (of the most attended
    token), "odd" (attention on odd lags less that on even ones).
    """
    return answers_of(model, walks, walk.next_law(walks.s)) | {
        "parent": lambda p: model.attention(p, walks)[..., -2].mean(axis=1),
        "lag": lambda p: rw.attended_lag(model.attention(p, walks)),
        "odd": lambda p: odd_lags(model.attention(p, walks)),
    }


def odd_lags(attention: Array) -> Array:
    """Attention on odd lags less that on even ones, mean over walks, (...), of S (..., n, N)."""
    by_lag = attention.mean(axis=-2)[..., -2::-1]
    return by_lag[..., ::2].sum(axis=-1) - by_lag[..., 1::2].sum(axis=-1)


def turns_record(model: CirculantTransformer, walk: rw.Walk, batch: Turns) -> dict[str, Any]:
    """Of the layer by turns on its walks: "accuracy", "parent", "lag", and the distance of V's direction from the law
    of a step, "to_step".
    """
    steps = step_matrix(walk.K, walk.p)
    return {
        "accuracy": lambda p: turned_accuracy(model.output(p, batch), batch.weight),
        "parent": lambda p: model.attention(p)[:, -2],
        "lag": lambda p: rw.attended_lag(model.attention(p)),
        "to_step": lambda p: rw.direction_distance(model.spread_out(p).V, steps.T),
    }


def trained(
    model: Any,
    batch: Any,
    seeds: Sequence[int],
    record: dict[str, Any],
    lr: float | Array,
    steps: int,
    record_at: Sequence[int] | None = None,
    start: Any = None,
    **rate: float,
) -> Trajectory:
    """Train a layer, each step on the whole batch, from its own start or a given one, perhaps at another `lr_W`."""
    at = [0, steps] if record_at is None else record_at
    params = model.init(len(seeds), generators(seeds, 2)) if start is None else start
    return train(GivenBatches(model, [batch]), params, model.optimiser(lr, **rate), steps, record=record, record_at=at)


def drawn(walk: rw.Walk, seeds: Sequence[int], n: int) -> tuple[rw.Walks, rw.Walks]:
    """The n walks a seed to train on, and fresh ones that measure."""
    return walk.sample(n, generators(seeds)), walk.sample(TESTS, generators(seeds, 3))


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
    """Train on n walks a seed, each step on all of them; measure by `record_of` on fresh walks of the same kind.

    Args:
        walk: the task.
        seeds: R seeds.
        lr: learning rate of V and W.
        steps: of gradient descent.
        n: walks.
        record_at: steps to record at.
        start: parameters, default those of the model.
        **layer: of `lib.models.random_walk.MinimalTransformer`, without K and N.
    """
    model = rw.MinimalTransformer(K=walk.K, N=walk.N, **layer)
    walks, fresh = drawn(walk, seeds, n)
    run = trained(model, walks, seeds, record_of(model, walk, fresh), lr, steps, record_at, start)
    return Learned(model, fresh, run)


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

    Arguments are those of `learn`; `lr` may be one a run. Seeds are those of the starts, without meaning for a start
    at zero.
    """
    model, walks = rw.MinimalTransformer(K=walk.K, N=walk.N, **layer), walk.population()
    record = record_of(model, walk, walks)
    return Learned(model, walks, trained(model, walks, seeds, record, lr, steps, record_at, start))


def learn_turns(
    walk: rw.Walk,
    seeds: Sequence[int],
    lr: float = 1.0,
    steps: int = 50,
    n: int = 1000,
    record_at: Sequence[int] | None = None,
    lr_W: float | None = None,
    **layer: Any,
) -> tuple[CirculantTransformer, Trajectory]:
    """Train from zero on n walks a seed and all their turns, K n walks in effect; measure on these by `turns_record`,
    and "fresh", the accuracy, on new ones.

    Arguments are those of `learn`, and `lr_W`, the learning rate of W, default `lr`.
    """
    model = CirculantTransformer(K=walk.K, N=walk.N, **layer)
    batch, new = (turns(walks, walk.K) for walks in drawn(walk, seeds, n))
    record = turns_record(model, walk, batch) | {"fresh": lambda p: turned_accuracy(model.output(p, new), new.weight)}
    return model, trained(model, batch, seeds, record, lr, steps, record_at, lr_W=lr if lr_W is None else lr_W)


def asked(task: int) -> rw.Walks:
    """All questions of a task, 1 or 2, each as often."""
    s = np.array(questions(task))
    return rw.Walks(s[None], np.full((1, len(s)), 1 / len(s)))


def answer(
    task: int,
    seeds: Sequence[int],
    lr: float = 0.1,
    steps: int = 100,
    sigma: float = 0.01,
    unit_length: bool = True,
    record_at: Sequence[int] | None = None,
) -> Trajectory:
    """Train from R random starts on all questions; records "accuracy" and "divergence", in nats from the right answer.

    Args:
        task: 1, which fruit is named most often, or 2, which was named first.
        seeds: R seeds of the starts.
        lr: learning rate of V and W.
        steps: of gradient descent.
        sigma: standard deviation of the entries of V and W at the start.
        unit_length: whether tokens are divided by their length.
        record_at: steps to record at.
    """
    walks = asked(task)
    model = rw.MinimalTransformer(K=COUNT, N=walks.s.shape[-1], M=1000, unit_length=unit_length, sigma=sigma)
    right = (walks.s[..., -1:] == np.arange(COUNT)).astype(float)
    return trained(model, walks, seeds, answers_of(model, walks, right), lr, steps, record_at)
