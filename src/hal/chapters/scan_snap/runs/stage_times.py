"""When attention changes fastest, and by which power of time the logits grow, in the joint flow and the reference.

Chapter `scan_snap`. Source: arXiv 2305.16380, Theorem 4 (time scale K ln M / lr_Y); the measurement is ours.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.compare import both
from lib.errors import require
from lib.models import scan_snap as ss

Array = NDArray[np.float64]
_POINTS = 240


class Timing(NamedTuple):
    """Two stages of attention, times in units of t0' = K ln M / lr_Y. Pairs: joint flow, reference dynamics."""

    times: Array  #: (T,) in units of t0'
    unit: float  #: t0' in steps
    speed: Array  #: (T, 2) Euclidean length of dZ / dt, nats a step
    peak: Array  #: (2,) time of the largest speed
    exponent: Array  #: (T, 2) d ln z / d ln t of the most frequent distinct token of class 0


def timing(
    K: int = 2,
    M: int = 34,
    ratio: float = 1.0,
    lr_Y: float = 0.1,
    queries: Literal["own", "shared"] | int = "own",
    span: tuple[float, float] = (0.05, 30.0),
) -> Timing:
    """Run the base construction of K classes in both dynamics and time it.

    Args:
        K: classes.
        M: size of the decoder's vocabulary, at least K.
        ratio: lr_Y / lr_Z, positive.
        lr_Y: rate of the decoder per step; it only scales time.
        queries: as in `lib.models.scan_snap.base_task`.
        span: first and last time in units of t0'.

    Returns:
        `Timing`.

    Raises:
        InputError: if an argument is out of range.

    Source: arXiv 2305.16380, Theorem 4.
    """
    require(np.isfinite(ratio) and ratio > 0, "ratio", "a finite positive ratio", ratio)
    require(0 < span[0] < span[1] < np.inf, "span", "0 < first < last", span)
    task = ss.base_task(K=K, queries=queries, M=M, L=None)
    unit = K * np.log(M) / lr_Y
    u = np.geomspace(*span, _POINTS)
    run = both(task, lr_Y, lr_Y / ratio, unit * u)
    speed = np.stack([np.linalg.norm(v, axis=(-1, -2)) for v in (run.joint_speed, run.reference_speed)], axis=-1)
    top = (slice(None), task.query[0], task.leader[0])
    pairs = ((run.joint, run.joint_speed), (run.reference, run.reference_speed))
    exponent = np.stack([run.times * dz[top] / z[top] for z, dz in pairs], axis=-1)
    return Timing(u, unit, speed, u[speed.argmax(axis=0)], exponent)
