"""The textbook's runs with the fast models: the same tasks and steps, trained by `lib.train`.

Chapter `random_walk`. Random numbers are others, so runs agree in law, not one by one; tests hold the two together.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.random_walk.runs.learning import record_of
from hal.chapters.random_walk.runs.questions import answer
from lib.errors import require
from lib.models import random_walk as rw
from lib.models.random_walk import textbook_questions
from lib.models.random_walk.textbook_edge import Edge
from lib.models.random_walk.textbook_measures import sixtieths
from lib.models.random_walk.textbook_questions import Asked
from lib.models.random_walk.textbook_task import Settings
from lib.sampling import generators
from lib.theory.random_walk import root_target, step_matrix
from lib.train import GivenBatches, train

__all__ = ["fast_answers", "fast_edge", "fast_parity", "fast_runs"]

Array = NDArray[np.float64]


def fast_runs(settings: Settings, seeds: Sequence[int]) -> dict[str, Array]:
    """The population by turns, for `textbook_turns`.

    Args:
        settings: of the textbook.
        seeds: one for each run.

    Returns:
        accuracy, parent, to_step, to_root, each (seeds, K), at the textbook's records.

    Raises:
        InputError: if the settings are refused.
    """
    s = settings
    model = rw.CirculantTransformer(K=s.K, N=s.N, M=s.M, epsilon=s.epsilon, loss=rw.LOSSES[s.loss])
    batch = rw.turns(rw.Walk(s.K, s.N, s.p).sample(s.n, generators(list(seeds))), s.K)
    Pi, root = step_matrix(s.K, s.p).T, root_target(s.K, s.p)
    record = {
        "accuracy": lambda x: rw.turned_accuracy(model.output(x, batch), batch.weight),
        "parent": lambda x: model.attention(x)[:, -2],
        "to_step": lambda x: rw.direction_distance(model.spread_out(x).V, Pi),
        "to_root": lambda x: rw.direction_distance(model.spread_out(x).V, root),
    }
    at = [int(t) for t in sixtieths(s.steps)]
    start, fixed = model.init(len(seeds)), GivenBatches(model, [batch])
    run = train(fixed, start, model.optimiser(s.lr), s.steps, record=record, record_at=at)
    return {name: run[name] for name in record}


def fast_parity(settings: Settings, seeds: Sequence[int]) -> dict[str, Array]:
    """Drawn walks and random starts, for `textbook_parity`: accuracy, divergence, odd, each (seeds, K).

    Args:
        settings, seeds: see `fast_runs`.

    Raises:
        InputError: if the settings are refused.
    """
    walk = rw.Walk(settings.K, settings.N, settings.p)
    return _on_walks(settings, walk, walk.sample(settings.n, generators(list(seeds))), seeds)


def fast_edge(settings: Edge, seeds: Sequence[int]) -> dict[str, Array]:
    """The deterministic walk, for `textbook_edge`: accuracy and divergence, each (seeds, K).

    Args:
        settings: of the textbook; the library computes in double precision alone.
        seeds: one for each run.

    Raises:
        InputError: if the settings are refused, or ask for single precision.
    """
    require(settings.bits == 64, "bits", "64: the library computes in double precision", settings.bits)
    walk = rw.Walk(settings.K, settings.N, 1.0)
    walks = walk.sample(settings.n, generators(list(seeds))) if settings.n else walk.population()
    found = _on_walks(settings, walk, walks, seeds, sums=rw.SUMS[settings.mixed])
    return {name: found[name] for name in ("accuracy", "divergence")}


def fast_answers(settings: Asked, seeds: Sequence[int]) -> dict[str, Array]:
    """The question tasks, for `textbook_questions`: accuracy and divergence, each (seeds, K).

    Args:
        settings: of the textbook, M and epsilon at their defaults.
        seeds: one for each run.

    Raises:
        InputError: if the settings are refused.
    """
    s = settings
    plain = (Asked().M, Asked().epsilon)
    require((s.M, s.epsilon) == plain, "M, epsilon", f"{plain}, those of the library's run", (s.M, s.epsilon))
    asked = rw.most_frequent() if s.task == 1 else rw.preferred()
    at = [int(t) for t in textbook_questions.steps_of(s)]
    run = answer(asked, list(seeds), s.lr, s.steps, s.sigma, bool(s.unit), at)
    return {name: run[name] for name in ("accuracy", "divergence")}


def _on_walks(
    settings: Settings | Edge, walk: rw.Walk, walks: rw.Walks, seeds: Sequence[int], **more: Any
) -> dict[str, Array]:
    """The minimal layer on given walks, measured on them: accuracy, divergence, balance of odd and even lags."""
    s = settings
    model = rw.MinimalTransformer(
        K=s.K, N=s.N, M=s.M, loss=rw.LOSSES[s.loss], epsilon=s.epsilon, sigma=s.sigma, unit_length=bool(s.unit), **more
    )

    def odd(p: rw.Minimal) -> Array:
        by_lag = model.attention(p, walks).mean(axis=1)[:, -2::-1]
        return by_lag[:, ::2].sum(axis=1) - by_lag[:, 1::2].sum(axis=1)

    measures = record_of(model, walk, walks)
    record = {"accuracy": measures["accuracy"], "divergence": measures["divergence"], "odd": odd}
    at = [int(t) for t in sixtieths(s.steps)]
    start, fixed = model.init(len(seeds), generators(list(seeds), 2)), GivenBatches(model, [walks])
    run = train(fixed, start, model.optimiser(s.lr), s.steps, record=record, record_at=at)
    return {name: run[name] for name in record}
