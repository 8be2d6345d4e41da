"""When attention moves, in the joint flow and the reference: fastest, late behind the snap, and in which order.

Chapter `scan_snap`. Source: arXiv 2305.16380, Theorem 4 (time scale K ln M / lr_Y), Section 5 (rare tokens are left
behind first) and Section 6; the measurements are ours.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.dynamics import both, flow
from hal.chapters.scan_snap.runs.learning import learn
from hal.chapters.scan_snap.theory.reference import reference_run
from lib import optim
from lib.errors import require, whole, wholes
from lib.models import scan_snap as ss
from lib.models.scan_snap.task import Queries

Array = NDArray[np.float64]
DYNAMICS = ("flow", "reference")
_POINTS = 240


class Timing(NamedTuple):
    """Two stages of attention, times in units of t0' = K ln M / lr_Y. Pairs: joint flow, reference dynamics."""

    times: Array  #: (T,) in units of t0'
    unit: float  #: t0' in steps
    speed: Array  #: (T, 2) Euclidean length of dZ / dt, nats a step
    peak: Array  #: (2,) time of the largest speed
    exponent: Array  #: (T, 2) d ln z / d ln t of the most frequent distinct token of class 0


class Late(NamedTuple):
    """The most frequent distinct token of class 0 over many decades of time."""

    times: Array  #: (T,) steps
    logit: Array  #: (T,) nats
    per_decade: Array  #: gain in nats in each whole decade of time
    fit_loglog: float  #: R^2 of the logit against ln ln t
    fit_log: float  #: R^2 against ln t


class Order(NamedTuple):
    """Distinct tokens of class 0, rarest first."""

    times: Array  #: (T,) steps
    share: Array  #: (T, D) of the attention on the class's distinct tokens
    lost: Array  #: (D,) first recorded time at which a token has lost `part` of its first share; infinite if never


def timing(
    K: int = 2,
    M: int = 34,
    ratio: float = 1.0,
    lr_Y: float = 0.1,
    queries: Queries = "own",
    span: tuple[float, float] = (0.05, 30.0),
) -> Timing:
    """Run the base construction of K classes in both dynamics and time it. Source: arXiv 2305.16380, Theorem 4.

    Args:
        K: classes.
        M: size of the decoder's vocabulary, at least K.
        ratio: lr_Y / lr_Z, positive.
        lr_Y: rate of the decoder per step; it only scales time.
        queries: as in `lib.models.scan_snap.base_task`.
        span: first and last time in units of t0'.

    Raises:
        InputError: if an argument is out of range.
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


def late(first: float, decades: int = 3, K: int = 2, M: int = 34, lr: float = 1.0, queries: Queries = "shared") -> Late:
    """Joint flow at lr_Y = lr_Z = lr from time `first` over some decades: how slowly attention goes on after the snap.

    Args:
        first: first time in steps, above 1 (ln ln t must exist).
        decades: how many factors of ten, at least 1.
        K: classes.
        M: size of the decoder's vocabulary.
        lr: rate of both layers per step.
        queries: as in `lib.models.scan_snap.base_task`.

    Raises:
        InputError: if an argument is out of range.

    Source: arXiv 2305.16380, Theorem 4.
    """
    require(np.isfinite(first) and first > 1, "first", "a time above 1 step", first)
    decades = whole("decades", decades, 1)
    each = 10
    times = np.geomspace(first, first * 10.0**decades, each * decades + 1)
    task = ss.base_task(K=K, queries=queries, M=M, L=None)
    logit = flow(task, lr, lr, times).params.Z[:, task.query[0], task.leader[0]]
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


def scan_order(
    times: Sequence[float] | Array,
    dynamics: str | optim.Transform = "flow",
    lr_Y: float = 1.0,
    lr_Z: float = 1.0,
    part: float = 0.1,
    task: ss.Task | None = None,
) -> Order:
    """When each distinct token begins to lose its share of attention, on infinitely long sequences.

    Args:
        times: increasing times in steps; whole numbers from 0 for an optimiser.
        dynamics: "flow" (joint gradient flow), "reference", or an optimiser, such as `rates()`.
        lr_Y: rate of the decoder per step, in the flow and the reference.
        lr_Z: rate of attention per step, likewise.
        part: share that counts as lost, in (0, 1).
        task: default Syn-Small.

    Raises:
        InputError: if an argument is out of range.
        DivergedError: if the run diverges or an integration fails.

    Source: arXiv 2305.16380, Section 5.
    """
    stepped = isinstance(dynamics, optim.Transform)
    require(stepped or dynamics in DYNAMICS, "dynamics", f"one of {DYNAMICS}, or a lib.optim.Transform", dynamics)
    require(0 < part < 1, "part", "a share in (0, 1)", part)
    data = ss.base_task(L=None) if task is None else replace(task, L=None)
    t = np.asarray(times, dtype=np.float64)
    if isinstance(dynamics, optim.Transform):
        at = wholes("times", times)
        record = {"c": lambda params: ss.attention(params, data)}
        c = learn(data, [0], dynamics, int(at[-1]), record=record, record_at=at).check()["c"][0]
    elif dynamics == "flow":
        c = ss.attention(flow(data, lr_Y, lr_Z, t).params, data)
    else:
        c = reference_run(data.P, data.query, data.M, lr_Y, lr_Z, t).attention
    own = c[:, 0][:, data.distinct[0]]
    share = own / own.sum(axis=-1, keepdims=True)
    P = data.P[0, data.distinct[0]]
    gone = share <= (1 - part) * P / P.sum()
    return Order(t, share, np.where(gone.any(axis=0), t[gone.argmax(axis=0)], np.inf))
