"""Screening measured: how often counting alone finds the support of Q, by context length and number of samples.

Chapter `scb`, beyond the paper; it bears on the conjecture after Theorem 3.1 of arXiv 2410.23438.
"""

from collections.abc import Sequence

import numpy as np

from lib.models import scb
from lib.sampling import generators


def screened_share(task: scb.Task, samples: int, seeds: Sequence[int]) -> float:
    """Share of seeds in which the top Q cells of the chi-squared table are exactly the support, for every last token.

    Args:
        task: one task.
        samples: samples of all last tokens together.
        seeds: seeds of the samples.

    Raises:
        InputError: if samples < 1 or the task has a run axis.
    """
    found = []
    for rng in generators(seeds):  # one at a time: a long context with many samples is tens of megabytes
        scores = scb.chi_squared(scb.sample(task, samples, [rng]), task)
        found.append(bool(scb.top_cells_are_support(scores, task)[0]))
    return float(np.mean(found))
