"""Joint dynamics in continuous time, the gradient flow of both layers, beside the reference dynamics.

Chapter `scan_snap`. The flow is what gradient descent really does at small rates; the reference dynamics are those of
the paper's analysis. Source: arXiv 2305.16380, Lemma 1 (joint) and Lemma 4 (reference); the integration is
`lib.train.flow`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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


class Both(NamedTuple):
    """Attention logits (nats) and their motion in the two dynamics, at the same times."""

    times: Array  #: (T,) steps
    joint: Array  #: (T, Q, C) logits of the joint flow
    reference: Array  #: (T, Q, C) logits of the reference dynamics
    joint_speed: Array  #: (T, Q, C) dz / dt, nats a step
    reference_speed: Array  #: (T, Q, C)


class Overlap(NamedTuple):
    """Logit in nats of the sole common token at one time, for each overlap."""

    rho: Array  #: (N,) correlation of two classes at the start
    joint: Array  #: (N,)
    reference: Array  #: (N,)


def flow(
    task: ss.Task,
    lr_Y: float,
    lr_Z: float,
    times: Sequence[float] | Array,
    start: ss.Params | None = None,
    tolerance: float = 1e-8,
) -> Flow:
    """Gradient flow of the population loss from `start`, both layers at once.

    It is `lib.train.flow` with an explicit method: after the transition everything moves on the scale of the logarithm
    of time, and nothing is stiff until the rates are hundreds of times apart.

    Args:
        task: its law P (K, C) is the population, whatever its L.
        lr_Y: rate of the decoder, per step, positive.
        lr_Z: rate of attention, per step, not negative.
        times: increasing times in steps, of at least 0.
        start: one run; default zeros.
        tolerance: relative error a step of the solver; absolute error 1e-4 of it.

    Raises:
        InputError: if a rate is not finite or of the wrong sign, or times are not increasing.
        DivergedError: if the integration fails, or takes too many steps (rates many thousand times apart).

    Source: arXiv 2305.16380, Lemma 1, averaged over classes.
    """
    require(bool(np.isfinite(lr_Y) and lr_Y > 0), "lr_Y", "a finite positive rate", lr_Y)
    require(bool(np.isfinite(lr_Z) and lr_Z >= 0), "lr_Z", "a finite rate of at least 0", lr_Z)
    run = train.flow(
        ss.Transformer(replace(task, L=None)),
        start,
        times,
        {"Y": lr_Y, "Z": lr_Z},
        method="explicit",
        tolerance=tolerance,
        most=_MOST,
    )
    return Flow(run.times, run.params, run.loss, -lr_Z * run.gradient.Z)


def start_inputs(task: ss.Task) -> Array:
    """Decoder inputs f_n (K, C) at the start, where attention logits are 0 and attention follows frequency.

    Source: arXiv 2305.16380, Lemma 2.
    """
    return theory.decoder_inputs(task.P, np.zeros((task.Q, task.C)), task.query)


def both(task: ss.Task, lr_Y: float, lr_Z: float, times: Sequence[float] | Array) -> Both:
    """Run the joint flow and the reference dynamics from zero; arguments as for `flow`.

    Raises:
        InputError: if an argument is out of range, or two classes attend to the same tokens alike.
        DivergedError: if an integration fails.

    Source: arXiv 2305.16380, Lemmas 1 and 4.
    """
    run = flow(task, lr_Y, lr_Z, times)
    path = reference_run(task.P, task.query, task.M, lr_Y, lr_Z, times)
    motion = lr_Z * path.gamma[:, None, None] * theory.logit_velocity(path.inputs, task.query, task.M)
    return Both(run.times, run.params.Z, path.z, run.speed, motion)


def overlap_scan(
    rhos: Sequence[float], time: float, K: int = 2, M: int = 1000, lr_Y: float = 0.1, lr_Z: float = 0.05
) -> Overlap:
    """How strongly attention is driven: logit of the common token at `time` in units of t0' = K ln M / lr_Y.

    Args:
        rhos: correlations in (0, 1).
        time: positive, in units of t0'.
        K: classes, under one query.
        M: size of the decoder's vocabulary.
        lr_Y: rate of the decoder per step.
        lr_Z: rate of attention per step.

    Raises:
        InputError: if an argument is out of range.

    Source: arXiv 2305.16380, Section 6 (one common token) and Assumption 2.
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
