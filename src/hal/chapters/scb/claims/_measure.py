"""What several claims of the chapter need: random points, all outcomes of a small task, single-sample gradients.

Chapter `scb`. Gradients here are those of the model and the optimiser; no prediction of `lib.theory` enters.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scb import models
from hal.chapters.scb.models.surrogate import Noise
from hal.chapters.scb.runs import preconditioned
from lib.models import scb
from lib.sampling import Rngs, generators

Array = NDArray[np.float64]


class Outcomes(NamedTuple):
    """n outcomes of one sample, as n runs with batch 1, and their probabilities."""

    batch: scb.Batch  #: n runs, batch 1
    weight: Array  #: (n,)


def random_point(task: scb.Task, seed: int, keep_mean: bool, size: float = 0.4) -> scb.Params:
    """One random (V, A) with unit column sums of V and unit row sums of A; keep_mean: V mu = mu as well."""
    rng = np.random.default_rng(seed)
    G = size * rng.standard_normal((task.N, task.N))
    G = models.centred(G, task.mu) if keep_mean else G - G.mean(axis=0)
    A = size * rng.standard_normal((task.N, task.T))
    return scb.Params((task.mu[:, None] + G)[None], (1 / task.T + A - A.mean(axis=-1, keepdims=True))[None])


def on_plane(task: scb.Task, alpha_V: Array, alpha_A: Array) -> scb.Params:
    """R points mu 1^T + alpha_V R, 1/T + alpha_A (Q - 1/T)."""
    x, y = np.asarray(alpha_V)[:, None, None], np.asarray(alpha_A)[:, None, None]
    mu = task.mu[:, None]
    return scb.Params(mu + x * (task.P - mu), 1 / task.T + y * (task.Q - 1 / task.T))


def all_outcomes(task: scb.Task, chain: bool = False) -> Outcomes:
    """Every (context, last token, label) of a small task with its probability: N ** (T + 2) outcomes.

    Args:
        task: one task.
        chain: instead of drawing its tokens independently, let the context be a walk of P (same law of each token).
    """
    N, T = task.N, task.T
    grid = np.indices((N,) * (T + 2)).reshape(T + 2, -1).T  # (n, T + 2): context, last token, label
    tokens, last, label = grid[:, :T], grid[:, T], grid[:, T + 1]
    if chain:
        context = task.mu[tokens[:, 0]] * task.P[tokens[:, 1:], tokens[:, :-1]].prod(axis=1)
    else:
        context = task.mu[tokens].prod(axis=1)
    one_hot = np.eye(N)[tokens]  # (n, T, N)
    seen = np.einsum("nt,ntj->nj", task.Q[last], one_hot)  # X q^(k)
    chance = np.einsum("nj,nj->n", task.P[label], seen)
    cuts = np.repeat(np.arange(1, N)[None], len(grid), axis=0)
    return Outcomes(scb.Batch(tokens[:, None], cuts, last[:, None], label[:, None]), context * task.mu[last] * chance)


def single_samples(task: scb.Task, count: int, seed: int) -> scb.Batch:
    """`count` samples as `count` runs of batch 1, drawn by the model's sampler."""
    one = scb.sample(task, count, generators([seed]))
    cuts = np.repeat(one.cuts, count, axis=0)
    return scb.Batch(one.draws[0][:, None], cuts, one.last.T, one.label.T)


def repeat(params: scb.Params, runs: int) -> scb.Params:
    """The one point (R = 1) as `runs` equal runs."""
    return scb.Params(*(np.repeat(field, runs, axis=0) for field in params))


def gradients(
    task: scb.Task, params: scb.Params, batch: scb.Batch, keep_mean: bool = False
) -> tuple[Array, scb.Params]:
    """Loss (R,) and preconditioned, projected gradient of each run, in double precision.

    The gradient is minus the step that the algorithm's optimiser takes with step sizes 1.
    """
    loss, raw = scb.loss_and_gradient(params, batch, np.float64)
    optimiser = preconditioned(task, 1.0, 1.0, keep_mean=keep_mean)
    step, _ = optimiser.update(raw, optimiser.init(params), params)
    return loss, scb.Params(-step.V, -step.A)


def largest(difference: Array) -> float:
    """The largest entry in size."""
    return float(np.abs(difference).max())


class WholePopulation(models.GaussianSurrogate):
    """The model trained on infinitely large batches: expected gradients, no noise."""

    draws = False

    def sample(self, batch: int = 0, rngs: Rngs = (), step: int = 0) -> Noise:
        """Nothing is drawn."""
        return Noise(np.zeros(0), np.zeros(0), 1)

    def deviation(self, params: scb.Params, noise: Noise) -> scb.Params:
        """Zeros in place of the noise."""
        return scb.Params(np.zeros_like(params.V), np.zeros_like(params.A))
