"""The textbook's run with the fast model: the same task, start and steps, trained by `lib.train` and `lib.optim`.

Chapter `scan_snap`. Random numbers are others, so runs agree in law, not one by one; tests hold the two together.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.learning import learn, rates
from lib import optim
from lib.models import scan_snap as ss
from lib.models.scan_snap.textbook import Settings, steps_of

OPTIMISERS = (optim.sgd, optim.momentum, optim.adam)  # by the textbook's number


def fast_runs(settings: Settings, seeds: Sequence[int]) -> dict[str, NDArray[np.float64]]:
    """Readings of the fast model at the textbook's settings.

    Args:
        settings: of the textbook, T = 0 for infinitely long sequences.
        seeds: one for each run.

    Returns:
        entropy (nats) and common_mass, each (seeds, K), at the textbook's records; NaN from where a run diverged.

    Raises:
        InputError: if the settings are refused.
    """
    L = settings.T - 1 if settings.T else None
    task = ss.base_task(settings.K, settings.common, settings.distinct, settings.queries, settings.M, L)
    found = learn(
        task,
        list(seeds),
        rates(settings.lr_Y, settings.lr_Z, OPTIMISERS[settings.optimiser]),
        settings.steps,
        settings.batch,
        random=settings.spread > 0,
        record={
            "entropy": lambda params: ss.entropy(params, task),
            "common_mass": lambda params: ss.mass_on(ss.attention(params, task), task.common),
        },
        record_at=[int(step) for step in steps_of(settings)],
    )
    return {name: found.arrays[name] for name in ("entropy", "common_mass")}
