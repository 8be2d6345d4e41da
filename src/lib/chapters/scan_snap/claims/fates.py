"""Claims SNAP-14, 26, 27: which tokens attention leaves, in which order, and what sets it going.

Chapter `scan_snap`. Source: arXiv 2305.16380, Theorem 2, Corollary 2 and Section 5.1, tested in joint training.
"""

from __future__ import annotations

import numpy as np

from lib import optim
from lib.chapters.scan_snap.runs.fates import Queries, fate, measured_threshold, start_drift, start_threshold
from lib.chapters.scan_snap.runs.joint_flow import flow
from lib.chapters.scan_snap.runs.learning import rates
from lib.chapters.scan_snap.runs.order import scan_order
from lib.chapters.scan_snap.runs.small import entropy_by_common, syn_small
from lib.claims.base import Claim, Part, Result, result
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory

_KAPPAS = (1.0, 1.5, 2.0, 2.2, 2.4, 3.0, 6.0)
_QUERIES: tuple[Queries, ...] = ("shared", "own")


def _check_14(mix_up: bool = False) -> Result:
    wrong, turns = 0, []
    for queries in _QUERIES:
        for kappa in _KAPPAS:
            rho, threshold = start_threshold(ss.partly_common_task(kappa, queries=queries))
            if mix_up:
                threshold = float(theory.kappa_star(rho, shared=queries == "own"))
            wrong += int((start_drift(kappa, queries) > 0) != (kappa > threshold))
        turn, threshold = measured_threshold(queries)
        if mix_up:
            threshold = float(theory.kappa_star(start_threshold(ss.partly_common_task(turn))[0], queries == "own"))
        turns.append(Part(f"kappa at which the drift turns, {queries} queries", turn, threshold, 1e-4, "relative"))
    task = ss.base_task(K=3, queries="shared", L=None)
    z = flow(task, 1.0, 1.0, [1.0, 10.0, 100.0, 1000.0]).params.Z[:, 0]
    path = fate(3.0, [5.0, 1000.0])
    return result(
        Part("wrong signs of the first drift, of 14", wrong, 0, 0, "at most"),
        *turns,
        Part("three classes, one query: share of common tokens that fall", (z[:, task.common] < 0).mean(), 1),
        Part("the same: share of distinct tokens that rise", (z[:, ~task.common] > 0).mean(), 1),
        Part("kappa = 3, one query: logit at step 5, joint flow", path.token[0, 0], 0, 0, "at least"),
        Part("the same at step 1000, when the classes overlap less", path.token[1, 0], 0, 0, "at most"),
    )


def _check_26(joint: str | optim.Transform = "flow") -> Result:
    times = np.arange(0.0, 401.0)
    parts = []
    for dynamics, word in ((joint, "joint training"), ("reference", "reference dynamics")):
        lost = np.minimum(scan_order(times, dynamics).lost, 1e3)
        parts += [
            Part(
                f"{word}: least delay of a token behind the next rarer one, steps",
                np.diff(lost).min(),
                0,
                0,
                "at least",
            ),
            Part(
                f"{word}: tokens that lose a tenth of their share within 400 steps",
                (lost < 1e3).sum(),
                5,
                0,
                "at least",
            ),
        ]
    return result(*parts)


def _check_27() -> Result:
    entropy, size = entropy_by_common((0, 1, 2, 5, 10, 20, 40))
    return result(
        Part("no common token: largest |logit| of attention after 100 steps, nats", size[0], 1e-12, kind="rounding"),
        Part(
            "smallest fall of the entropy from one number of common tokens to the next, nats",
            -np.diff(entropy).max(),
            0.005,
            0,
            "at least",
        ),
        Part("entropy without common tokens, nats", entropy[0], _first_entropy(), 1e-12),
    )


def _first_entropy() -> float:
    """Entropy in nats of frequencies proportional to 0.1, 0.2 .. 1."""
    p = np.arange(1, 11) / 55
    return float(-(p * np.log(p)).sum())


def _control_27() -> Result:
    run = syn_small(range(3), common=0)
    return result(
        Part(
            "no common token: largest |logit| of attention after 100 steps, nats",
            np.abs(run.z_distinct).max(),
            1e-12,
            kind="rounding",
        ),
        Part("entropy without common tokens, nats", run.entropy[:, -1].mean(), _first_entropy(), 1e-12),
        seeds=range(3),
    )


CLAIMS = [
    Claim(
        "SNAP-14",
        "scan_snap",
        "Theorem 2 and Corollary 2 in joint training; partly common tokens: beyond the paper",
        "In joint training common tokens fall and distinct ones rise, as in the reference dynamics. A token that is "
        "kappa times as frequent in one class as in the other rises at first exactly if kappa exceeds "
        "(1 + sqrt(1 - rho^2)) / rho under one query, 1 / rho under own queries. As the overlap falls, a token "
        "that rose may fall again.",
        _check_14,
        lambda: _check_14(mix_up=True),
        "the thresholds of one query and of own queries are exchanged",
    ),
    Claim(
        "SNAP-26",
        "scan_snap",
        "Section 5.1 (which tokens are left behind first)",
        "Distinct tokens lose their share of attention in the order of their frequency, the rarest first: in joint "
        "training by gradient flow as in the reference dynamics.",
        _check_26,
        lambda: _check_26(rates(0.1, 0.1, optim.adam)),
        "Adam at rate 0.1: frequent tokens lose their share first",
    ),
    Claim(
        "SNAP-27",
        "scan_snap",
        "beyond the paper",
        "Common tokens are what sets attention going: without them it never moves, and the more of them, the sparser "
        "attention ends.",
        _check_27,
        _control_27,
        "sequences of 127 tokens: chance moves attention without common tokens",
    ),
]
