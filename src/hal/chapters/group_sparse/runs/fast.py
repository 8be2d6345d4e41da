"""The textbook's run with the fast model: the same task and steps, trained by `lib.train` and `lib.optim`.

Chapter `group_sparse`. Random numbers are others, so runs agree in law, not one by one; tests hold the two together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lib.chapters.group_sparse.runs.learning import learn_measured
from lib.models import group_sparse as gs
from lib.models.group_sparse.textbook import Settings
from lib.models.group_sparse.textbook_record import RECORDS
from lib.theory.group_sparse.portable import steps_at


def fast_runs(settings: Settings, seeds: Sequence[int]) -> dict[str, NDArray[np.float64]]:
    """Readings of the fast model at the textbook's settings.

    Args:
        settings: of the textbook.
        seeds: one for each run.

    Returns:
        attention (on fresh examples), cosine, ratio, each (seeds, K), at the textbook's records.

    Raises:
        InputError: if the settings are refused.
    """
    at = [steps_at(i, settings.steps, RECORDS) for i in range(RECORDS + 1)]
    task = gs.Task(D=settings.D, d=settings.d, sigma_x=settings.sigma, flips=settings.flips)
    steps = np.unique(at)
    found = learn_measured(task, list(seeds), settings.n, settings.lr, settings.steps, steps)
    place = np.searchsorted(steps, at)
    return {name: found[name][:, place] for name in ("attention", "cosine", "ratio")}
