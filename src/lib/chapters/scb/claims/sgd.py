"""Claims SCB-18, 30, 32 and 34: the noise of plain SGD, its floor, its Gaussian stand-in, its closure, the collapse.

Chapter `scb`. Beyond arXiv 2410.23438, which says that SGD is noisy (Section 5) and simulates it (Appendix I).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lib.chapters.scb.runs import learn
from lib.chapters.scb.runs.figure1 import measures
from lib.chapters.scb.runs.scaling import EQUAL_G, attention_alone, collapse
from lib.claims.base import Claim, Part, Result, result
from lib.models import scb
from lib.models.scb.surrogate import Noise
from lib.theory import scb as theory
from lib.train import Trajectory

_LR, _BATCH, _STEPS = 0.02, 64, 700  # the chapter's default run, T = 1024, ring task
_SEEDS = range(8)
_RECORDS = ("distance_V", "distance_A", "off_flow_A")  # of mirrored runs after the flip


def _check_18(lr_V: float = 0.0) -> Result:
    task = scb.ring_task(500, rng=0)
    constants = theory.constants(task.mu, task.P, task.Q)
    record = {"error": lambda p: scb.distance_A(p, task) ** 2}
    at = np.arange(0, 601, 10)

    def floor(lr: float, batch: int) -> float:
        return float(task.mu @ theory.attention_floor(constants, lr, batch))

    parts = []
    for batch, rates in ((64, (0.02, 0.01)), (128, (0.02,))):
        lr = np.repeat(rates, 4)
        seeds = range(len(lr))
        run = attention_alone(
            task, seeds, lr=lr, batch=batch, steps=600, lr_V=lr_V, record=record, record_at=at.tolist()
        )
        late = run["error"][:, at >= 200].reshape(len(rates), -1).mean(axis=1)
        for rate, value in zip(rates, late, strict=True):
            name = f"mean |A - Q|^2, batch {batch}, lr {rate}"
            parts.append(Part(name, value, floor(rate, batch), 0.05, "relative"))
    critical = float(theory.critical_eta(constants, 16))
    rates = (critical / 2, 4 * critical)
    run = attention_alone(
        task,
        range(6),
        lr=np.repeat(rates, 3),
        batch=16,
        steps=1000,
        lr_V=lr_V,
        record=record,
        record_at=list(range(0, 1001, 25)),
    )
    bounded = run["error"][:3, 20:].mean()
    parts += [
        Part("mean |A - Q|^2 at half the critical step, batch 16", bounded, floor(rates[0], 16), 0.15, "relative"),
        Part("share of runs that explode at 4 times the critical step", (run.diverged_at[3:] >= 0).mean(), 1.0),
        Part("share that explode at half of it", (run.diverged_at[:3] >= 0).mean(), 0.0),
    ]
    return result(*parts, seeds=range(8))


class _ConstantNoise(scb.GaussianSurrogate):
    """The surrogate with the noise that it would have at the solution (P, Q), wherever the run is."""

    def loss_and_gradient(self, params: scb.Params, noise: Noise) -> tuple[NDArray, scb.Params]:
        there = scb.Params(*(np.repeat(m[None], len(params.V), axis=0) for m in (self.task.P, self.task.Q)))
        still = Noise(np.zeros_like(noise.V), np.zeros_like(noise.A), noise.batch)
        loss, mean = super().loss_and_gradient(params, still)
        loud, quiet = super().loss_and_gradient(there, noise)[1], super().loss_and_gradient(there, still)[1]
        return loss, scb.Params(mean.V + loud.V - quiet.V, mean.A + loud.A - quiet.A)


@lru_cache(maxsize=8)
def _default(model: type | None = None, threshold: float | None = None) -> tuple[scb.Task, Trajectory]:
    """Eight runs of the default setting on one task, right projector on; mirrored runs flipped in the records."""
    task = scb.ring_task(rng=0)
    run = learn(
        task,
        _SEEDS,
        lr=_LR,
        batch=_BATCH,
        steps=_STEPS,
        switch=None if threshold is None else 300,
        threshold=0.0 if threshold is None else threshold,
        keep_mean=True,
        record={name: measures(task)[name] for name in _RECORDS},
        record_at=list(range(0, _STEPS + 1, 50)),
        model=None if model is None else model(task),
    )
    return task, run


@lru_cache(maxsize=8)
def _sign_share(model: type | None, runs: int) -> tuple[float, float]:
    """Share of Stage 1 runs with the true sign at T = 256, batch 4, lr 0.02; and the sign law."""
    task = scb.ring_task(256, rng=0)
    steps = int(1.2 * float(theory.escape_time(0.3, _LR, task.K_Q, task.T)))
    run = learn(
        task,
        range(runs),
        lr=_LR,
        batch=4,
        steps=steps,
        keep_mean=True,
        record={"alpha_V": lambda p: scb.alpha_V(p, task)},
        record_at=[0, steps],
        model=None if model is None else model(task),
    )
    s2 = theory.constants(task.mu, task.P, task.Q).s2
    return float((run["alpha_V"][:, -1] > 0).mean()), float(theory.sign_probability(4, _LR, s2, task.T))


def _check_30(model: type = scb.GaussianSurrogate, runs: int = 140) -> Result:
    share, law = _sign_share(model, runs)
    real, fake = (np.median(_default(m)[1]["off_flow_A"], axis=0) for m in (None, model))
    return result(
        Part(
            "share of surrogate runs with the true sign, against real tokens",
            share,
            _sign_share(None, 140)[0],
            0.09,
            drift=3 / runs,
        ),
        Part("the same, against the sign law", share, law, 0.09, drift=3 / runs),
        Part(
            "|Delta_A| of the surrogate over that of real SGD, steps 400 to 700", (fake[8:] / real[8:]).mean(), 1.0, 0.1
        ),
        seeds=range(runs),
    )


def _check_32(threshold: float | None = None) -> Result:
    task, run = _default(None, threshold)
    late = run.steps >= 400
    said = theory.closure(theory.constants(task.mu, task.P, task.Q), _LR, _BATCH, _STEPS, record_at=run.steps)
    parts = []
    for name, label, curve in (
        ("distance_V", "|V - P|", said.error_V),
        ("distance_A", "|A - Q|", said.error_A),
        ("off_flow_A", "|Delta_A|", said.delta_A),
    ):
        off = np.abs(run[name].mean(axis=0) / np.maximum(curve, 1e-12) - 1)[late].max()
        parts.append(Part(f"{label}, largest relative error of the closure after step 400", off, 0.06, 0, "at most"))
    return result(*parts, seeds=_SEEDS)


def _check_34(settings: tuple[tuple[int, int, float], ...] = EQUAL_G) -> Result:
    found = collapse(settings, range(4))
    A = found["distance_A"]
    return result(
        Part(
            "spread of |A - Q| over the settings, largest over smallest minus 1",
            A.max() / A.min() - 1,
            0.12,
            0,
            "at most",
        ),
        Part("median |A - Q|, against the closure", np.median(A), np.median(found["closure_A"]), 0.05, "relative"),
        seeds=range(4),
    )


CLAIMS = [
    Claim(
        "SCB-18",
        "scb",
        "beyond the paper (Section 5 says that plain SGD suffers from gradient noise)",
        "With V = P given, plain SGD leaves the attention at a known distance from Q that grows like lr T / batch; "
        "above a known step size it explodes.",
        _check_18,
        lambda: _check_18(lr_V=_LR),
        "V is trained too: it gives way, and nothing explodes",
    ),
    Claim(
        "SCB-30",
        "scb",
        "Appendix I (SGD simulation); the covariance of the noise: beyond the paper",
        "Expected gradients plus Gaussian noise of the right size stand in for SGD on tokens: same chance of the true "
        "sign, same noise in the attention.",
        _check_30,
        lambda: _check_30(_ConstantNoise, 60),
        "the noise has the size it would have at the solution, wherever the run is",
    ),
    Claim(
        "SCB-32",
        "scb",
        "beyond the paper",
        "The whole curve of plain SGD follows from N + 3 numbers, without drawing a single token.",
        _check_32,
        lambda: _check_32(threshold=0.05 * _LR),
        "a soft threshold is on, for which the closure was not made",
    ),
    Claim(
        "SCB-34",
        "scb",
        "beyond the paper",
        "Context length, batch and step size matter to plain SGD through one number, G = batch / (lr T): runs with "
        "equal G end at the same error.",
        _check_34,
        lambda: _check_34(((256, 32, 0.04), (512, 32, 0.04), (1024, 32, 0.04))),
        "batch and step size are equal, so G is not",
    ),
]
