"""The textbook's run with the fast model: the same task, start and steps, trained by `lib.train` and `lib.optim`.

Chapter `one_nn`. Random numbers are others, so runs agree in law, not one by one; tests hold the two together.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hal.chapters.one_nn.runs.training import learn
from lib.errors import require
from lib.models import one_nn as model
from lib.models.one_nn.textbook import RECORDS, Settings
from lib.portable.records import log_steps


def fast_runs(settings: Settings, seeds: Sequence[int]) -> dict[str, NDArray[np.float64]]:
    """Readings of the fast model at the textbook's settings.

    Args:
        settings: of the textbook; the start is the paper's, xi_1 = 0.
        seeds: one for each run.

    Returns:
        xi1, xi2, off, each (seeds, K), at the textbook's records; NaN from where a run diverged.

    Raises:
        InputError: if the settings are refused, or start elsewhere.
    """
    require(settings.start == 0, "start", "0: the fast model starts where the paper does", settings.start)
    found = learn(
        list(seeds),
        d=settings.d,
        N=settings.N,
        sigma=settings.sigma,
        labels=model.LABELS[settings.labels],
        lr=settings.lr,
        batch=settings.batch,
        steps=settings.steps,
        record_at=np.array(log_steps(settings.steps, RECORDS), dtype=int),
    )
    return {"xi1": found["xi1"], "xi2": found["xi2"], "off": found["off_family"]}
