"""Claims SCB-12 to SCB-14: how noisy one sample is, at the start and half-way.

Chapter `scb`. All beyond arXiv 2410.23438, which bounds these quantities (Appendix D). Every number is a mean over
single samples of real tokens, through the model's gradient and the algorithm's preconditioning.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lib.chapters.scb.claims._measure import Array, gradients, largest, repeat, single_samples
from lib.claims.base import Claim, Part, Result, result
from lib.models import scb
from lib.theory import scb as theory

# One-sample gradients held at a time, in numbers.
_AT_ONCE = 8_000_000


def _point(task: scb.Task, alpha_V: float, alpha_A: float) -> scb.Params:
    mu = task.mu[:, None]
    V = mu + alpha_V * (task.P - mu)
    return scb.Params(V[None], (1 / task.T + alpha_A * (task.Q - 1 / task.T))[None])


def _each(
    task: scb.Task,
    point: scb.Params,
    count: int,
    seed: int,
    measure: Callable[[scb.Params], Array],
    keep_mean: bool = False,
) -> Array:
    """`measure` of the preconditioned gradient of each of `count` samples, (count,)."""
    block = max(1, _AT_ONCE // (task.N * task.T))
    parts = []
    for i, first in enumerate(range(0, count, block)):
        size = min(block, count - first)
        batch = single_samples(task, size, 1000 * seed + i)
        parts.append(measure(gradients(task, repeat(point, size), batch, keep_mean)[1]))
    return np.concatenate(parts)


def _energy_V(task: scb.Task) -> Callable[[scb.Params], Array]:
    return lambda grad: scb.mu_norm(grad.V, task.mu) ** 2


def _energy_A(task: scb.Task) -> Callable[[scb.Params], Array]:
    return lambda grad: scb.mu_norm_rows(grad.A, task.mu) ** 2


def _start(alpha_V: float = 0.0) -> Result:
    task = scb.ring_task(64, rng=0)
    point, count = _point(task, alpha_V, 0.0), 20_000
    constants = theory.constants(task.mu, task.P, task.Q)
    attention = _each(task, point, 2000, 0, lambda grad: np.abs(grad.A).max(axis=(-2, -1)))
    plain = _each(task, point, count, 1, _energy_V(task)).mean()
    kept = _each(task, point, count, 2, _energy_V(task), keep_mean=True).mean()
    return result(
        Part("largest entry of the attention gradient, 2000 samples", largest(attention), 1e-12, kind="rounding"),
        Part("mean |g_V|_mu^2", plain, float(theory.start_noise_energy_V(constants)), 0.03, "relative"),
        Part(
            "mean |g_V|_mu^2 with right projector",
            kept,
            float(theory.start_noise_energy_V(constants, keep_marginal=True)),
            0.06,
            "relative",
        ),
        seeds=(0, 1, 2),
    )


def _growth(layer: str) -> Result:
    lengths, counts = (64, 256, 1024, 4096), (8000, 6000, 3000, 1000)
    measured, said = [], []
    for i, (T, count) in enumerate(zip(lengths, counts, strict=True)):
        task = scb.ring_task(T, rng=0)
        point = _point(task, 0.5, 0.5)
        energy = _energy_A(task) if layer == "A" else _energy_V(task)
        measured.append(_each(task, point, count, 10 + i, energy).mean())
        said.append(theory.attention_noise_energy(point.V, point.A, task.mu, task.P, task.Q)[0])
    slope = np.polyfit(np.log(lengths), np.log(measured), 1)[0]
    errors = np.array(measured) / said - 1
    parts = [Part("slope of the log energy in log T, 64 to 4096 tokens", slope, 1.0, 0.06)]
    if layer == "A":
        parts.append(Part("trace formula, largest relative error", largest(errors), 0.12, 0, "at most"))
    return result(*parts, seeds=range(10, 14))


def _signal(task: scb.Task) -> Callable[[scb.Params], Array]:
    R = task.P - task.mu[:, None]
    return lambda grad: -scb.mu_inner(grad.V, R, task.mu) / task.K_P


def _signal_step(alpha_A: float = 0.0) -> Result:
    random = scb.random_task(64, 4, 2, kappa=0.3, skew=0.5, rng=1)
    ring = scb.ring_task(512, rng=0)
    short, long = (
        _each(task, _point(task, 0.0, alpha_A), count, seed, _signal(task))
        for task, count, seed in ((random, 40_000, 20), (ring, 20_000, 21))
    )
    said, said_long = (theory.start_signal_step(theory.constants(task.mu, task.P, task.Q)) for task in (random, ring))
    var_short, var_long = 64 * float(said[1]), 512 * float(said_long[1])
    # The mean needs many more samples than T s^2, so only the shorter context can show it.
    return result(
        Part(
            "T times variance of a step of alpha_V, random task, T = 64", 64 * short.var(), var_short, 0.12, "relative"
        ),
        Part("T times its mean", 64 * short.mean(), 64 * float(said[0]), 0.15, "relative"),
        Part("T times variance of a step of alpha_V, ring task, T = 512", 512 * long.var(), var_long, 0.12, "relative"),
        seeds=(20, 21),
    )


CLAIMS = [
    Claim(
        "SCB-12",
        "scb",
        "Beyond the paper",
        "At the start the attention gradient of every single sample is zero. The gradient of V is pure noise of known "
        "size, nearly all of it in the harmless direction of V mu.",
        _start,
        lambda: _start(alpha_V=0.5),
        "V has already learned half of the transition",
    ),
    Claim(
        "SCB-13",
        "scb",
        "Beyond the paper",
        "Once V knows something, the squared noise of the attention gradient grows in proportion to the context "
        "length: twice the tokens, twice the variance. A trace formula gives its size.",
        lambda: _growth("A"),
        lambda: _growth("V"),
        "the gradient of V instead, whose noise does not sum over positions",
    ),
    Claim(
        "SCB-14",
        "scb",
        "Beyond the paper",
        "At the start one sample moves alpha_V by 1/T on average, with variance s^2 / T: the signal falls faster with "
        "the context length than its noise.",
        _signal_step,
        lambda: _signal_step(alpha_A=0.5),
        "attention is half learned",
    ),
]
