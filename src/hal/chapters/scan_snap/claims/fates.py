"""Claims SNAP-16, 26, 27: which tokens attention leaves, when, in which order, and what sets it going.

Chapter `scan_snap`. Source: arXiv 2305.16380, Theorem 4, Sections 5, 6 and 8, tested in joint
training.
"""

import numpy as np

from hal.chapters.scan_snap.runs import flow, learn, rates, syn_small
from hal.chapters.scan_snap.theory.reference import reference_run
from hal.claims import Part, Result, claim, result
from lib import optim
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory

_RATIOS = (0.3, 1.0, 3.0, 10.0, 30.0)


@claim(
    "SNAP-16",
    where="Theorem 4 (after the transition) and Section 8 (threshold of the ratio), in joint training",
    says=r"After the snap the logits follow $\ln\ln t$: each decade of time gains less. At a fixed time attention is "
    "sparsest at a middle ratio of rates: below it the decoder is not ready, above it attention has snapped.",
    control={"lr": 1e-3, "first": 5.0, "time": 20.0},
    breaks="before the transition: the three decades up to it, and a budget of 20 steps",
)
def _check_16(lr: float = 1.0, first: float | None = None, time: float = 3000.0) -> Result:
    """Rates and first of three decades of time of the late run, in steps, and time at which ratios are compared."""
    first = 10 * float(theory.transition_times(2, 34, 1.0)[1]) if first is None else first
    task, times = ss.base_task(queries="shared", M=34, L=None), np.geomspace(first, first * 10.0**3, 31)
    logit = flow(task, lr, lr, times).params.Z[:, task.query[0], task.leader[0]]
    loglog, log = (float(np.corrcoef(x, logit)[0, 1] ** 2) for x in (np.log(np.log(times)), np.log(times)))
    entropy = np.array([float(ss.entropy(flow(task, 0.2 * r, 0.2, [time]).params, task)[0]) for r in _RATIOS])
    best = int(entropy.argmin())
    return result(
        Part(
            "most that one decade of time gains over the decade before, nats",
            np.diff(np.diff(logit[::10])).max(),
            0,
            0,
            "at most",
        ),
        Part("R^2 of the top logit against ln ln t", loglog, 0.97, 0, "at least"),
        Part("by how much that beats ln t", loglog - log, 0.01, 0, "at least"),
        Part("ratio lr_Y / lr_Z with the smallest entropy", _RATIOS[best], 3, 1),
        Part("entropy above that at ratio 0.3, nats", entropy[0] - entropy[best], 0.01, 0, "at least"),
        Part("entropy above that at ratio 30, nats", entropy[-1] - entropy[best], 0.01, 0, "at least"),
    )


@claim(
    "SNAP-26",
    where="Section 5 (which tokens are left behind first)",
    says=(
        "Distinct tokens lose their fraction of attention in the order of their frequency, the rarest first: in joint "
        "training by gradient flow as in the reference dynamics."
    ),
    control={"joint": rates(0.1, 0.1, optim.adam)},
    breaks="Adam at rate 0.1: frequent tokens lose their fraction first",
)
def _check_26(joint: optim.Transform | None = None) -> Result:
    """Joint training is the flow, unless an optimiser is given."""
    times, task, parts = np.arange(0.0, 401.0), ss.base_task(L=None), []
    if joint is None:
        c = ss.attention(flow(task, 1.0, 1.0, times).params, task)
    else:
        record = {"c": lambda params: ss.attention(params, task)}
        c = learn(task, [0], joint, 400, record=record, record_at=range(401)).check()["c"][0]
    path = reference_run(task.P, task.query, task.M, 1.0, 1.0, times)
    for found, word in ((c, "joint training"), (path.attention, "reference dynamics")):
        own, P = found[:, 0][:, task.distinct[0]], task.P[0, task.distinct[0]]
        gone = own / own.sum(axis=-1, keepdims=True) <= 0.9 * P / P.sum()
        lost = np.where(gone.any(axis=0), times[gone.argmax(axis=0)], 1e3)
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
    breaks="sequences of 127 tokens: sampling noise moves attention without common tokens",
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
