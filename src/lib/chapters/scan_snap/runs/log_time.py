"""What the explorers over the logarithm of time share: their times, the transition, and the time of a peak.

Chapter `scan_snap`. Source: arXiv 2305.16380, Lemmas 8 and 9.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lib.errors import require
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory

Array = NDArray[np.float64]

# Twelve times a decade, from well before the first transition of the explorers to long after their last.
TIMES = np.geomspace(0.3, 1e5, 67)
# Relative error of a step of the joint flow: far below what a picture shows.
TOLERANCE = 1e-5


def check_query(query: object) -> None:
    """Refuse a setting `query` of an explorer that is neither "own" nor "shared".

    Raises:
        InputError: if it is something else.
    """
    require(query in ("own", "shared"), "query", '"own" or "shared"', query)


def transition(task: ss.Task, lr_Y: float) -> tuple[float, float]:
    """End of the scan t0' and start of the snap t0, steps.

    Source: arXiv 2305.16380, Lemmas 8 and 9.
    """
    scan, snap = theory.transition_times(task.K, task.M, lr_Y)
    return float(scan), float(snap)


def peak_time(times: Array, speed: Array) -> float:
    """Time of the largest speed (times,), by a parabola through the three highest points over ln t; NaN if all are 0.

    Args:
        times: increasing positive times, equally spaced in ln t.
        speed: values of at least 0.
    """
    i = int(np.argmax(speed))
    if not speed[i] > 0:
        return float("nan")
    if i in (0, len(times) - 1):
        return float(times[i])
    left, middle, right = speed[i - 1 : i + 2]
    bend = left - 2 * middle + right
    shift = 0.5 * (left - right) / bend if bend < 0 else 0.0
    return float(times[i] * (times[i + 1] / times[i]) ** shift)
