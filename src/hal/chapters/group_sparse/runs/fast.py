"""The textbook's run with the fast model: the same task and steps, trained by `lib.train` and `lib.optim`.

Chapter `group_sparse`. Random numbers are others, so runs agree in law, not one by one; tests hold the two together.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hal.chapters.group_sparse.runs.learning import learn_measured
from lib.models import group_sparse as gs
from lib.models.group_sparse.textbook import Settings, steps_of


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
    task = gs.Task(D=settings.D, d=settings.d, sigma_x=settings.sigma, flips=settings.flips)
    steps, place = np.unique(np.array(steps_of(settings)).astype(int), return_inverse=True)  # of short runs some twice
    found = learn_measured(task, list(seeds), settings.n, settings.lr, settings.steps, steps)
    return {name: found[name][:, place] for name in ("attention", "cosine", "ratio")}
