"""What becomes of a token that two classes share unevenly: it rises or falls by its ratio kappa.

Chapter `scan_snap`. Beyond the paper (arXiv 2305.16380, Theorem 2), which treats distinct and common tokens only.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.compare import Both, both, start_inputs
from lib.errors import require
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory

Array = NDArray[np.float64]
Queries = Literal["own", "shared"]


class Fate(NamedTuple):
    """One partly common token under both dynamics. The last axis of a logit: 0 joint flow, 1 reference dynamics."""

    times: Array  #: (T,) steps
    token: Array  #: (T, 2) logit in nats of the token, kappa times as frequent in class 0, under the query of class 0
    mirror: Array  #: (T, 2) of its mirror image, kappa times as frequent in class 1
    common: Array  #: (T, 2) of a common token
    distinct: Array  #: (T, 2) of the most frequent distinct token of class 0
    attention: Array  #: (T, 2) attention of class 0 on the token
    rho: float  #: correlation of the classes at the start
    threshold: float  #: kappa above which the token rises at first


def fate(
    kappa: float,
    times: Sequence[float] | Array,
    lr_Y: float = 1.0,
    lr_Z: float = 1.0,
    queries: Queries = "shared",
    common: int = 10,
    weight: float = 0.1,
) -> Fate:
    """Follow a partly common token from the start.

    Args:
        kappa: ratio of the token's frequencies in the two classes, at least 1.
        times: increasing times in steps.
        lr_Y: rate of the decoder per step.
        lr_Z: rate of attention per step.
        queries: "own" or "shared" by the classes.
        common: common tokens, at least 1; more make the classes more alike.
        weight: frequency of the token in class 0, where common tokens have 1.

    Returns:
        `Fate`.

    Raises:
        InputError: if an argument is out of range.

    Source: beyond the paper.
    """
    require(common >= 1, "common", "at least 1 common token, whose logit is followed", common)
    task = ss.partly_common_task(kappa, weight, common, queries=queries)
    run: Both = both(task, lr_Y, lr_Z, times)
    z = np.stack([run.joint[:, 0], run.reference[:, 0]], axis=-1)  # (T, C, 2)
    c = np.stack([run.joint_attention[:, 0, 0], run.reference_attention[:, 0, 0]], axis=-1)
    rho, threshold = start_threshold(task)
    top = task.leader[0]
    return Fate(run.times, z[:, 0], z[:, 1], z[:, 2], z[:, top], c, rho, threshold)


def start_threshold(task: ss.Task) -> tuple[float, float]:
    """Correlation rho of the two classes at uniform logits, and the kappa above which a token then rises.

    Source: beyond the paper.
    """
    rho = float(theory.overlap(start_inputs(task)))
    return rho, float(theory.kappa_star(rho, shared=task.Q == 1))
