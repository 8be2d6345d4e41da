"""Claims SNAP-14, 26, 27: which tokens attention leaves, in which order, and what sets it going.

Chapter `scan_snap`. Source: arXiv 2305.16380, Theorem 2, Corollary 2 and Section 5, tested in joint training.
"""

from dataclasses import replace

import numpy as np
from scipy.optimize import brentq

from hal.chapters.scan_snap.runs.compare import start_inputs
from hal.chapters.scan_snap.runs.fates import Queries
from hal.chapters.scan_snap.runs.joint_flow import flow
from hal.chapters.scan_snap.runs.learning import rates
from hal.chapters.scan_snap.runs.order import scan_order
from hal.chapters.scan_snap.runs.small import syn_small
from hal.claims import Part, Result, claim, result
from lib import optim
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory

_KAPPAS = (1.0, 1.5, 2.0, 2.2, 2.4, 3.0, 6.0)
_QUERIES: tuple[Queries, ...] = ("shared", "own")


def _partly(kappa: float, queries: Queries, uneven: float) -> ss.Task:
    """Two classes with a token kappa times as frequent in class 0, and its mirror image.

    The distinct tokens of class 1 are `uneven` times as heavy as those of class 0: 1 for mirror images.
    """
    task = ss.partly_common_task(kappa, queries=queries)
    weights = task.P * np.where(task.distinct[1], [[1.0], [uneven]], 1.0)
    return replace(task, P=weights / weights.sum(axis=1, keepdims=True))


def _first_drift(task: ss.Task) -> float:
    """Drift of token 0 under the query of class 0, once the decoder has made one very small step from zero."""
    start, data = ss.zero_start(task), ss.population(task)
    step = -1e-6 * ss.loss_and_gradient(start, data, task)[1].Y
    return -float(ss.loss_and_gradient(start._replace(Y=step), data, task)[1].Z[0, 0, 0])


def _overlap(task: ss.Task) -> float:
    """Correlation of the two classes before training."""
    return float(start_inputs(task).prod(axis=0).sum())


def _threshold(task: ss.Task) -> float:
    """The kappa at which the drift should turn."""
    return float(theory.kappa_star(_overlap(task), shared=task.Q == 1))


@claim(
    "SNAP-14",
    where="Theorem 2 and Corollary 2 in joint training; partly common tokens: beyond the paper",
    says="In joint training common tokens fall and distinct ones rise, as in the reference dynamics. A token that "
    r"is $\kappa$ times as frequent in one class as in the other rises at first exactly if $\kappa$ exceeds "
    r"$(1+\sqrt{1-\rho^2})/\rho$ under one query, $1/\rho$ under own queries. As the overlap falls, a token "
    "that rose may fall again.",
    control={"uneven": 2.0},
    breaks="the two classes are no mirror images: one has distinct tokens twice as heavy",
)
def _check_14(uneven: float = 1.0) -> Result:
    wrong, unlike, turns = 0, 0, []
    for queries in _QUERIES:
        for kappa in _KAPPAS:
            task = _partly(kappa, queries, uneven)
            drift = _first_drift(task)
            wrong += int((drift > 0) != (kappa > _threshold(task)))
            unlike += int(np.sign(drift) != np.sign(theory.partly_common_push(_overlap(task), kappa, task.Q == 1)))
        turn = float(brentq(lambda kappa, q=queries: _first_drift(_partly(kappa, q, uneven)), 1.0, 50.0, xtol=1e-8))
        expected = _threshold(_partly(turn, queries, uneven))
        turns.append(Part(f"kappa at which the drift turns, {queries} queries", turn, expected, 1e-5, "relative"))
    task = ss.base_task(K=3, queries="shared", L=None)
    z = flow(task, 1.0, 1.0, [1.0, 10.0, 100.0, 1000.0]).params.Z[:, 0]
    token = flow(_partly(3.0, "shared", uneven), 1.0, 1.0, [5.0, 1000.0]).params.Z[:, 0, 0]
    return result(
        Part("wrong signs of the first drift, of 14", wrong, 0, 0, "at most"),
        Part("signs of the push that theory states, other than those of the first drift", unlike, 0, 0, "at most"),
        *turns,
        Part("three classes, one query: share of common tokens that fall", (z[:, task.common] < 0).mean(), 1),
        Part("the same: share of distinct tokens that rise", (z[:, ~task.common] > 0).mean(), 1),
        Part("kappa = 3, one query: logit at step 5, joint flow", token[0], 0, 0, "at least"),
        Part("the same at step 1000, when the classes overlap less", token[1], 0, 0, "at most"),
    )


@claim(
    "SNAP-26",
    where="Section 5 (which tokens are left behind first)",
    says=(
        "Distinct tokens lose their share of attention in the order of their frequency, the rarest first: in joint "
        "training by gradient flow as in the reference dynamics."
    ),
    control={"joint": rates(0.1, 0.1, optim.adam)},
    breaks="Adam at rate 0.1: frequent tokens lose their share first",
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


@claim(
    "SNAP-27",
    where="beyond the paper",
    says=(
        "Common tokens are what sets attention going: without them it never moves, and the more of them, the sparser "
        "attention ends."
    ),
    control={"L": 127},
    breaks="sequences of 127 tokens: chance moves attention without common tokens",
)
def _check_27(L: int | None = None) -> Result:
    runs = [syn_small([0], L=L, common=n) for n in (0, 1, 2, 5, 10, 20, 40)]
    entropy = np.array([run.entropy[0, -1] for run in runs])
    return result(
        Part(
            "no common token: largest |logit| of attention after 100 steps, nats",
            np.abs(runs[0].z_distinct).max(),
            1e-12,
            kind="rounding",
        ),
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
