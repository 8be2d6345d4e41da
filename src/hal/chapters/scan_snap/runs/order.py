"""Scan order: when each distinct token begins to lose its share of attention to the more frequent ones.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 5 (rare tokens are left behind first); the measure is ours.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.joint_flow import flow
from hal.chapters.scan_snap.runs.learning import learn
from lib import optim
from lib.errors import require, wholes
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory

Array = NDArray[np.float64]
DYNAMICS = ("flow", "reference")


class Order(NamedTuple):
    """Distinct tokens of class 0, rarest first."""

    times: Array  #: (T,) steps
    share: Array  #: (T, D) of the attention on the class's distinct tokens
    lost: Array  #: (D,) first recorded time at which a token has lost `part` of its first share; infinite if never


def scan_order(
    times: Sequence[float] | Array,
    dynamics: str | optim.Transform = "flow",
    lr_Y: float = 1.0,
    lr_Z: float = 1.0,
    part: float = 0.1,
    task: ss.Task | None = None,
) -> Order:
    """Follow the shares of distinct tokens on infinitely long sequences.

    Args:
        times: increasing times in steps; whole numbers from 0 for an optimiser.
        dynamics: "flow" (joint gradient flow), "reference", or an optimiser, such as `rates()`.
        lr_Y: rate of the decoder per step, in the flow and the reference.
        lr_Z: rate of attention per step, likewise.
        part: share that counts as lost, in (0, 1).
        task: default Syn-Small.

    Returns:
        `Order`.

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
        c = theory.reference_run(data.P, data.query, data.M, lr_Y, lr_Z, t).attention
    own = c[:, 0][:, data.distinct[0]]
    share = own / own.sum(axis=-1, keepdims=True)
    P = data.P[0, data.distinct[0]]
    gone = share <= (1 - part) * P / P.sum()
    return Order(t, share, np.where(gone.any(axis=0), t[gone.argmax(axis=0)], np.inf))
