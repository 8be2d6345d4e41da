"""Late times and learning rates: how slowly attention goes on after the snap, and entropy against lr_Y / lr_Z.

Chapter `scan_snap`. Joint gradient flow on the base construction. Source: arXiv 2305.16380, Theorem 4 and Section 6.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.joint_flow import flow
from lib.errors import require, whole
from lib.models import scan_snap as ss

Array = NDArray[np.float64]
Queries = Literal["own", "shared"] | int


class Late(NamedTuple):
    """The most frequent distinct token of class 0 over many decades of time."""

    times: Array  #: (T,) steps
    logit: Array  #: (T,) nats
    per_decade: Array  #: gain in nats in each whole decade of time
    fit_loglog: float  #: R^2 of the logit against ln ln t
    fit_log: float  #: R^2 against ln t


def late(first: float, decades: int = 3, K: int = 2, M: int = 34, lr: float = 1.0, queries: Queries = "shared") -> Late:
    """Joint flow at lr_Y = lr_Z = lr from time `first` over some decades.

    Args:
        first: first time in steps, above 1 (ln ln t must exist).
        decades: how many factors of ten, at least 1.
        K: classes.
        M: size of the decoder's vocabulary.
        lr: rate of both layers per step.
        queries: as in `lib.models.scan_snap.base_task`.

    Returns:
        `Late`.

    Raises:
        InputError: if an argument is out of range.

    Source: arXiv 2305.16380, Theorem 4.
    """
    require(np.isfinite(first) and first > 1, "first", "a time above 1 step", first)
    decades = whole("decades", decades, 1)
    each = 10
    times = np.geomspace(first, first * 10.0**decades, each * decades + 1)
    task = ss.base_task(K=K, queries=queries, M=M, L=None)
    run = flow(task, lr, lr, times)
    logit = run.params.Z[:, task.query[0], task.leader[0]]
    fits = [float(np.corrcoef(x, logit)[0, 1] ** 2) for x in (np.log(np.log(times)), np.log(times))]
    return Late(times, logit, np.diff(logit[::each]), *fits)


def entropy_by_ratio(
    ratios: Sequence[float], time: float, lr_Z: float = 0.2, M: int = 34, queries: Queries = "shared", common: int = 10
) -> Array:
    """Entropy (ratios,) in nats at one time of the joint flow, for each ratio lr_Y / lr_Z at fixed lr_Z.

    Args:
        ratios: positive numbers.
        time: steps.
        lr_Z: rate of attention per step.
        M: size of the decoder's vocabulary.
        queries: as in `lib.models.scan_snap.base_task`.
        common: common tokens.

    Raises:
        InputError: if an argument is out of range.

    Source: arXiv 2305.16380, Section 8 (the role of the ratio); in gradient flow: beyond the paper.
    """
    task = ss.base_task(common=common, queries=queries, M=M, L=None)
    return np.array([float(ss.entropy(flow(task, lr_Z * r, lr_Z, [time]).params, task)[0]) for r in ratios])
