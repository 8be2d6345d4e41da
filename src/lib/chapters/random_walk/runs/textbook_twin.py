"""The textbook's population by turns with the fast model: the same task and steps, trained by `lib.train`.

Chapter `random_walk`. Random numbers are others, so runs agree in law, not one by one; tests hold the two together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lib.models import random_walk as rw
from lib.models.random_walk.textbook_record import record_steps
from lib.models.random_walk.textbook_task import Settings
from lib.sampling import generators
from lib.theory.random_walk import root_target, step_matrix
from lib.train import GivenBatches, train

__all__ = ["fast_runs"]


def fast_runs(settings: Settings, seeds: Sequence[int]) -> dict[str, NDArray[np.float64]]:
    """Readings of the fast model at the textbook's settings.

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
    at = [int(t) for t in record_steps(s.steps)]
    start, fixed = model.init(len(seeds)), GivenBatches(model, [batch])
    run = train(fixed, start, model.optimiser(s.lr), s.steps, record=record, record_at=at)
    return {name: run[name] for name in record}
