"""How strongly attention is driven, against the overlap of the classes: one common token, joint flow and reference.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 6 (one common token) and Assumption 2.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.compare import both
from lib.errors import require
from lib.models import scan_snap as ss

Array = NDArray[np.float64]


class Overlap(NamedTuple):
    """Logit in nats of the sole common token at one time, for each overlap."""

    rho: Array  #: (N,) correlation of two classes at the start
    joint: Array  #: (N,)
    reference: Array  #: (N,)


def overlap_scan(
    rhos: Sequence[float], time: float, K: int = 2, M: int = 1000, lr_Y: float = 0.1, lr_Z: float = 0.05
) -> Overlap:
    """Logit of the common token at `time` in units of t0' = K ln M / lr_Y, in both dynamics.

    Args:
        rhos: correlations in (0, 1).
        time: positive, in units of t0'.
        K: classes, under one query.
        M: size of the decoder's vocabulary.
        lr_Y: rate of the decoder per step.
        lr_Z: rate of attention per step.

    Returns:
        `Overlap`.

    Raises:
        InputError: if an argument is out of range.

    Source: arXiv 2305.16380, Section 6.
    """
    require(np.isfinite(time) and time > 0, "time", "a positive time", time)
    found = []
    for rho in rhos:
        task = ss.single_common_task(K, rho, M)
        run = both(task, lr_Y, lr_Z, [time * K * np.log(M) / lr_Y])
        token = int(np.flatnonzero(task.common)[0])
        found.append((run.joint[0, 0, token], run.reference[0, 0, token]))
    values = np.array(found).reshape(-1, 2)
    return Overlap(np.asarray(rhos, dtype=np.float64), values[:, 0], values[:, 1])
