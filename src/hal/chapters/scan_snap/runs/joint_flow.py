"""Joint dynamics in continuous time: gradient flow of the population loss on both layers.

Chapter `scan_snap`. This is what gradient descent really does at small rates, and what the reference dynamics of
`lib.theory.scan_snap` are compared with. Source: arXiv 2305.16380, Lemma 1; the integration is `lib.train.flow`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lib import train
from lib.errors import require
from lib.models import scan_snap as ss

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

    Returns:
        The `Flow`.

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
