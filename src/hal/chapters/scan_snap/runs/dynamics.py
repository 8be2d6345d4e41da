"""Joint dynamics in continuous time, the gradient flow of both layers, beside the reference dynamics.

Chapter `scan_snap`. The flow is what gradient descent really does at small rates; the reference dynamics are those of
the paper's analysis. Times are in steps, logits in nats, rates per step. Source: arXiv 2305.16380, Lemmas 1, 2 and 4;
the integration is `lib.train.flow`, which says what is refused and when it gives up.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.models.tasks import single_common_task
from hal.chapters.scan_snap.theory.reference import reference_run
from lib import train
from lib.errors import require
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory

Array = NDArray[np.float64]
_MOST = 100_000  # gradients: the usual runs take hundreds, rates 400 times apart some ten thousand


class Flow(NamedTuple):
    """A trajectory of the gradient flow; parameters at the times asked, as runs (times on the leading axis)."""

    times: Array  #: (times,) in steps of size 1
    params: ss.Params  #: Y (times, C, M or K + 1), Z (times, Q, C)
    loss: Array  #: (times,) nats
    speed: Array  #: (times, Q, C) dz / dt


def flow(
    task: ss.Task,
    lr_Y: float,
    lr_Z: float,
    times: Sequence[float] | Array,
    start: ss.Params | None = None,
    tolerance: float = 1e-8,
) -> Flow:
    """Gradient flow of the population loss from `start` (one run; default zeros), both layers at once.

    It is explicit: after the transition everything moves on the scale of the logarithm of time, and nothing is stiff
    until the rates are hundreds of times apart. `tolerance` is the relative error a step of the solver, the absolute
    one 1e-4 of it.
    """
    require(bool(np.isfinite(lr_Y) and lr_Y > 0), "lr_Y", "a finite positive rate", lr_Y)
    require(bool(np.isfinite(lr_Z) and lr_Z >= 0), "lr_Z", "a finite rate of at least 0", lr_Z)
    problem, rates = ss.Transformer(replace(task, L=None)), {"Y": lr_Y, "Z": lr_Z}
    run = train.flow(problem, start, times, rates, method="explicit", tolerance=tolerance, most=_MOST)
    return Flow(run.times, run.params, run.loss, -lr_Z * run.gradient.Z)


def start_inputs(task: ss.Task) -> Array:
    """Decoder inputs f_n (K, C) at the start, where attention logits are 0 and attention follows frequency."""
    return theory.decoder_inputs(task.P, np.zeros((task.Q, task.C)), task.query)


def common_logits(
    rho: float, time: float, K: int = 2, M: int = 1000, lr_Y: float = 0.1, lr_Z: float = 0.05
) -> tuple[float, float]:
    """Logits of the sole common token in the joint flow and in the reference dynamics, at `time` in units of
    t0' = K ln M / lr_Y, where two classes overlap by rho at the start; one query."""
    task = single_common_task(K, rho, M)
    times, token = [time * K * np.log(M) / lr_Y], int(np.flatnonzero(task.common)[0])
    path = reference_run(task.P, task.query, task.M, lr_Y, lr_Z, times)
    return float(flow(task, lr_Y, lr_Z, times).params.Z[0, 0, token]), float(path.z[0, 0, token])
