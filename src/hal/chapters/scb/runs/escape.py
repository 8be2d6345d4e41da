"""When a run leaves the quiet phase.

Chapter `scb`. Source: arXiv 2410.23438, Section 3.1 (the phase); the reading is ours.
"""

import numpy as np
from numpy.typing import NDArray


def first_reach(steps: NDArray, values: NDArray, level: float) -> NDArray:
    """First recorded step at which |values| (seeds, K) reaches the level, interpolated; NaN if it never does."""
    found = np.full(len(values), np.nan)
    for s, row in enumerate(np.abs(values)):
        above = np.flatnonzero(row >= level)
        if above.size and above[0] > 0:
            j = above[0]
            found[s] = np.interp(level, [row[j - 1], row[j]], [steps[j - 1], steps[j]])
    return found
