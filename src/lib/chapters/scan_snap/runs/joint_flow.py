"""Joint dynamics in continuous time: gradient flow of the population loss on both layers.

Chapter `scan_snap`. This is what gradient descent really does at small rates, and what the reference dynamics of
`lib.theory.scan_snap` are compared with. Source: arXiv 2305.16380, Lemma 1; the integration is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from lib.errors import DivergedError, require
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

    Time is integrated as ln(1 + (lr_Y + lr_Z) t): after the transition everything moves on that scale, so steps of an
    explicit method grow with time.

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
    require(np.isfinite(lr_Y) and lr_Y > 0, "lr_Y", "a finite positive rate", lr_Y)
    require(np.isfinite(lr_Z) and lr_Z >= 0, "lr_Z", "a finite rate of at least 0", lr_Z)
    t = np.asarray(times, dtype=np.float64)
    require(
        t.ndim == 1 and len(t) > 0 and bool(np.all(np.isfinite(t)) and t[0] >= 0 and np.all(np.diff(t) > 0)),
        "times",
        "increasing finite times of at least 0",
        times,
    )
    first = ss.zero_start(task) if start is None else start
    whole, size = ss.population(task), first.Y.size
    unit = lr_Y + lr_Z

    def unpack(state: Array) -> ss.Params:
        return ss.Params(state[:size].reshape(first.Y.shape), state[size:].reshape(first.Z.shape))

    calls = 0

    def slope(s: float, state: Array) -> Array:
        nonlocal calls
        calls += 1
        if calls > _MOST:
            raise DivergedError(
                f"flow: not at time {t[-1]:g} after {_MOST} gradients, but at {np.expm1(s) / unit:.3g}: "
                f"lr_Z / lr_Y = {lr_Z / lr_Y:g} is too far from 1, or the time too long"
            )
        _, grad = ss.loss_and_gradient(unpack(state), whole, task)
        out = np.concatenate([grad.Y.reshape(-1) * (-lr_Y), grad.Z.reshape(-1) * (-lr_Z)])
        out *= np.exp(s) / unit
        return out

    s = np.log1p(unit * t)
    begin = np.concatenate([x.reshape(-1) for x in first])
    if s[-1] == 0:
        states = begin[:, None]
    else:
        solved = solve_ivp(slope, (0.0, s[-1]), begin, method="DOP853", t_eval=s, rtol=tolerance, atol=1e-4 * tolerance)
        if not solved.success:
            raise DivergedError(f"flow: the integration stopped at time {np.expm1(solved.t[-1]) / unit:g}")
        states = solved.y
    Y = states[:size].T.reshape(len(t), *first.Y.shape[1:])
    Z = states[size:].T.reshape(len(t), *first.Z.shape[1:])
    params = ss.Params(np.ascontiguousarray(Y), np.ascontiguousarray(Z))
    loss, grad = ss.loss_and_gradient(params, whole, task)
    return Flow(t, params, loss, -lr_Z * grad.Z)
