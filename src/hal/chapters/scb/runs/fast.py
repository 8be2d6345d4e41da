"""The textbook's run with the fast model: the same task, start and steps, trained by `lib.train` and `lib.optim`.

Chapter `scb`. Random numbers are others, so runs agree in law, not one by one; tests hold the two together.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scb.runs.algorithm import learn
from lib.errors import require
from lib.models import scb
from lib.models.scb.textbook import RECORDS, Settings

MEASURES = {"alpha_V": scb.alpha_V, "alpha_A": scb.alpha_A, "off_flow": scb.distance_to_flow}


def fast_runs(settings: Settings, seeds: Sequence[int]) -> dict[str, NDArray[np.float64]]:
    """Readings of the fast model at the textbook's settings.

    Args:
        settings: of the textbook, Stages 1 and 2.
        seeds: one for each run.

    Returns:
        alpha_V, alpha_A, off_flow, each (seeds, K), at the textbook's records; NaN from where a run diverged.

    Raises:
        InputError: if the settings are refused, or ask for Stage 3.
    """
    require(settings.stage3 == 0, "stage3", "0 steps: Stages 1 and 2 are compared", settings.stage3)
    weights = scb.even_weights(settings.Q)
    task = scb.ring_task(settings.T, settings.N, settings.c, weights, settings.skew)
    steps = settings.stage1 + settings.stage2
    record = {name: (lambda params, measure=measure: measure(params, task)) for name, measure in MEASURES.items()}
    at = [-(-i * steps // RECORDS) for i in range(RECORDS + 1)]  # of short runs some twice
    V = task.mu[:, None] + settings.start_V * (task.P - task.mu[:, None])
    A = 1 / task.T + settings.start_A * (task.Q - 1 / task.T)
    found = learn(
        task,
        list(seeds),
        lr=settings.lr,
        batch=settings.batch,
        steps=steps,
        switch=settings.stage1,
        threshold=settings.threshold,
        record=record,
        record_at=sorted(set(at)),
        start=scb.Params(np.stack([V] * len(seeds)), np.stack([A] * len(seeds))),
    )
    return {name: found.arrays[name][:, np.searchsorted(sorted(set(at)), at)] for name in MEASURES}
