"""Claims SCB-12 and SCB-13: how noisy one sample is, at the start and half-way.

Chapter `scb`. All beyond arXiv 2410.23438, which bounds these quantities (Appendix D). Every number is a mean over
single samples of real tokens, through the model's gradient and the algorithm's preconditioning.
"""

from collections.abc import Callable

import numpy as np

from hal.chapters.scb import theory as beyond
from hal.chapters.scb.claims._measure import (
    Array,
    gradients,
    largest,
    on_plane,
    repeat,
    single_samples,
)
from hal.claims import Part, Result, claim, result
from lib.models import scb

# One-sample gradients held at a time, in numbers.
_AT_ONCE = 8_000_000


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


def _seed(block: int, which: int) -> int:
    """Seed of one of the at most ten sets of samples of a block."""
    return 10 * block + which


def _point(task: scb.Task, alpha_V: float, alpha_A: float) -> scb.Params:
    return on_plane(task, np.array([alpha_V]), np.array([alpha_A]))


@claim(
    "SCB-12",
    where="Beyond the paper",
    says="At initialisation the attention gradient of every single sample is zero. The gradient of $V$ is pure noise "
    r"of known size, nearly all of it in the harmless direction of $V\mu$.",
    control={"alpha_V": 0.5},
    breaks="$V$ has already learned half of the transition",
)
def _check_12(alpha_V: float = 0.0, block: int = 0) -> Result:
    """`alpha_V`: how much of the transition V has learned."""
    task = scb.ring_task(64, rng=0)
    point, count, seeds = _point(task, alpha_V, 0.0), 10_000, [_seed(block, i) for i in range(3)]
    attention = _each(task, point, 1000, seeds[0], lambda grad: np.abs(grad.A).max(axis=(-2, -1)))
    plain = _each(task, point, count, seeds[1], _energy_V(task)).mean()
    kept = _each(task, point, count, seeds[2], _energy_V(task), keep_mean=True).mean()
    said, said_kept = (
        float(beyond.start_noise_energy_V(task.mu, task.P, task.T, keep_marginal=keep)) for keep in (False, True)
    )
    return result(
        Part("largest entry of the attention gradient, 1000 samples", largest(attention), 1e-12, kind="rounding"),
        Part("mean |g_V|_mu^2", plain, said, 0.03, "relative"),
        Part("mean |g_V|_mu^2 with right projector", kept, said_kept, 0.06, "relative"),
        seeds=seeds,
    )


def _softmax_gradient(grad: scb.Params, point: scb.Params) -> scb.Params:
    """The gradient in logits whose softmax is the attention of the point: each position's share of its row's."""
    weights = point.A / point.A.sum(axis=-1, keepdims=True)
    return scb.Params(grad.V, weights * (grad.A - (weights * grad.A).sum(axis=-1, keepdims=True)))


@claim(
    "SCB-13",
    where="Beyond the paper",
    says="Once $V$ knows something, the squared noise of the attention gradient grows in proportion to the context "
    "length: twice the tokens, twice the variance. A trace formula gives its size.",
    control={"softmax": True},
    breaks="softmax attention: the gradient in its logits has each position's weight as a factor",
)
def _check_13(softmax: bool = False, block: int = 0) -> Result:
    """`softmax`: whether the attention is that of a softmax."""
    lengths, counts = (64, 256, 1024), (6000, 4000, 2000)
    seeds = [_seed(block, i) for i in range(len(lengths))]
    measured, said = [], []
    for T, count, seed in zip(lengths, counts, seeds, strict=True):
        task = scb.ring_task(T, rng=0)
        point, energy = _point(task, 0.5, 0.5), _energy_A(task)

        def of_logits(grad: scb.Params, point: scb.Params = point, energy: Callable = energy) -> Array:
            return energy(_softmax_gradient(grad, point))

        measured.append(_each(task, point, count, seed, of_logits if softmax else energy).mean())
        said.append(beyond.attention_noise_energy(point.V, point.A, task.mu, task.P, task.Q)[0])
    slope = np.polyfit(np.log(lengths), np.log(measured), 1)[0]
    return result(
        Part("slope of the log energy in log T, 64 to 1024 tokens", slope, 1.0, 0.03),
        *(
            Part(f"energy over the trace formula, T = {T}", found / formula, 1.0, 0.04)
            for T, found, formula in zip(lengths, measured, said, strict=True)
        ),
        seeds=seeds,
    )
