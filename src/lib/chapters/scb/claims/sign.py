"""Claims SCB-15 to SCB-17: which sign a run takes, how many samples that costs, and what it does not cost.

Chapter `scb`. All beyond arXiv 2410.23438, whose Theorem 3.1 asks for poly(T) samples in Stage 1.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from lib.chapters.scb.runs import learn
from lib.claims.base import Claim, Part, Result, result
from lib.models import scb
from lib.theory import scb as theory

LEVEL = 0.1  # a run leaves Stage 1 when a coordinate reaches this size


class Stage1(NamedTuple):
    """What R runs show when they leave Stage 1 (or at the end, if they have not)."""

    right: NDArray[np.bool_]  #: (R,) the signal has the true sign
    support: NDArray[np.bool_]  #: (R,) the support of Q can be read off, up to the mirror
    steps: NDArray[np.int64]  #: (R,)


@lru_cache(maxsize=64)
def _stage1(T: int, batch: int, lr: float, runs: int, random_V: float = 0.0, longer: float = 1.2) -> Stage1:
    """Plain SGD on `runs` seeds, `longer` times as many steps as theory gives Stage 1.

    Args:
        T: context length in tokens.
        batch: samples a step.
        lr: base step.
        runs: number of runs; their seeds are 0, 1, ...
        random_V: size of a random centred matrix added to V at the start.
        longer: length of the runs in units of the predicted Stage 1.
    """
    task = scb.ring_task(T, rng=0)
    steps = int(longer * float(theory.escape_time(LEVEL, lr, task.K_Q, T)))
    start = scb.LinearTransformer(task).init(runs)
    noise = np.random.default_rng(0).standard_normal(start.V.shape)
    V = start.V + random_V * scb.centred(noise, task.mu)
    record = {
        "V": lambda p: scb.alpha_V(p, task),
        "A": lambda p: scb.alpha_A(p, task),
        "support": lambda p: scb.support_recovered(p, task),
    }
    at = np.unique(np.r_[np.arange(0, steps, max(1, steps // 50)), steps])
    run = learn(
        task, range(runs), lr=lr, batch=batch, steps=steps, record=record, record_at=at, start=scb.Params(V, start.A)
    )
    out = np.maximum(np.abs(run["V"]), np.abs(run["A"])) >= LEVEL  # (R, K)
    first = np.where(out.any(axis=1), out.argmax(axis=1), len(at) - 1)
    each = np.arange(runs)
    return Stage1(run["V"][each, first] > 0, run["support"][each, first] > 0, at[first])


_ETA = 0.02
_RUNS = 240


def _check_15(random_V: float = 0.0, lengths: tuple[int, ...] = (512, 1024)) -> Result:
    parts = []
    for T in lengths:
        task = scb.ring_task(T, rng=0)
        law = float(theory.sign_probability(8, _ETA, theory.constants(task.mu, task.P, task.Q).s2, T))
        share = _stage1(T, 8, _ETA, _RUNS, random_V).right.mean()
        parts.append(
            Part(f"share of runs with the true sign, T = {T}, batch 8, lr 0.02", share, law, 0.07, drift=2 / _RUNS)
        )
    return result(*parts, seeds=range(_RUNS))


def _power_of_T(T: list[int], batch: list[int], share: list[float], runs: list[int]) -> float:
    """The power of T with which the batch must grow to keep the share of successes: a probit fit in the logarithms."""
    n = np.asarray(runs)
    p = np.clip(share, 0.5 / n, 1 - 0.5 / n)  # a share of 0 or 1 says no more than this
    z = ndtri(p)
    weight = np.sqrt(n / (p * (1 - p)) / (2 * np.pi)) * np.exp(-0.5 * z**2)  # one over the standard error of z
    columns = np.stack([np.ones(len(n)), np.log(batch), np.log(T)], axis=-1)
    fit = np.linalg.lstsq(columns * weight[:, None], z * weight, rcond=None)[0]
    return float(-fit[2] / fit[1])


def _check_16(only_support: bool = False) -> Result:
    eta, lengths = 0.05, (128, 256, 512, 1024) if only_support else (128, 256, 512, 1024, 2048)
    table, steps = [], []
    for T in lengths:
        task = scb.ring_task(T, rng=0)
        about = round(float(theory.batch_for_sign(eta, theory.constants(task.mu, task.P, task.Q).s2, T)))
        batches = (12, 16, 24) if only_support else (max(2, about // 2), about)
        runs = 64 if only_support else {1024: 96, 2048: 40}.get(T, 256)  # cost grows like T^2
        found = [_stage1(T, batch, eta, runs) for batch in batches]
        shares = [float((one.support if only_support else one.right).mean()) for one in found]
        table += [(T, batch, share, runs) for batch, share in zip(batches, shares, strict=True)]
        steps.append(np.median(found[-1].steps))
    power = _power_of_T(*(list(column) for column in zip(*table, strict=True)))
    longer = np.polyfit(np.log(lengths), np.log(steps), 1)[0]
    what = "a readable support" if only_support else "the true sign"
    return result(
        Part(f"power of T in the batch for {what}, T = 128 to {lengths[-1]}", power, 0.85, 0.35, drift=0.02),
        Part("power of T in the samples of Stage 1", power + longer, 1.1, 0.4, drift=0.02),
        seeds=range(64 if only_support else 256),
    )


def _check_17(with_sign: bool = False) -> Result:
    T, batch, eta, runs = 8192, 32, 0.05, 32
    task = scb.ring_task(T, rng=0)
    long = _stage1(T, batch, eta, runs, 0.0, 1.6)
    good = long.support & long.right if with_sign else long.support
    what = "support and true sign" if with_sign else "support, up to the mirror"
    share = Part(
        f"share of runs that show the {what}, T = 8192, batch 32, lr 0.05", good.mean(), 0.85, 0, "at least", 1 / runs
    )
    if with_sign:
        return result(share, seeds=range(runs))
    short = _stage1(1024, batch, eta, runs, 0.0, 1.6)
    samples, fewer = batch * np.median(long.steps), batch * np.median(short.steps)
    predicted = batch * float(theory.escape_time(LEVEL, eta, task.K_Q, T))
    return result(
        share,
        Part("samples until then (median)", samples, predicted, 0.15, "relative", 2 * batch),
        Part("times more than at T = 1024", samples / fewer, 2.0, 0, "at most", 0.05),
        seeds=range(runs),
    )


CLAIMS = [
    Claim(
        "SCB-15",
        "scb",
        "Beyond the paper",
        "Noise during the quiet phase decides whether a run ends at the solution or at its mirror. The chance of the "
        "true sign is Phi(sqrt(2 B / (lr s^2 T))).",
        _check_15,
        lambda: _check_15(0.05, (512,)),
        "V starts with a small random matrix, which drowns the push of size 1/T",
    ),
    Claim(
        "SCB-16",
        "scb",
        "Theorem 3.1 (poly(T) samples before tau_1); the exponents: beyond the paper",
        "For a given chance of the true sign the batch must grow like a power of the context length near one (the "
        "sign law says one; short contexts, where a batch is a handful, need more than it says), and so must the "
        "samples of Stage 1.",
        _check_16,
        lambda: _check_16(only_support=True),
        "only the positions are asked for, not the sign: the batch then hardly depends on T",
    ),
    Claim(
        "SCB-17",
        "scb",
        "Beyond the paper; against the conjecture that poly(T) samples are needed in Stage 1",
        "Up to the mirror, the useful positions can be read off when Stage 1 ends, after a number of samples that "
        "grows only like log T. Only the sign costs samples in proportion to T.",
        _check_17,
        lambda: _check_17(with_sign=True),
        "the true sign is asked for as well",
    ),
]
