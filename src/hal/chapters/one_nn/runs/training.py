"""Training runs: the whole matrix on prompts, the two numbers on inner products, and their gradient flow.

Chapter `one_nn`. Time is t = lr * step everywhere. Source: arXiv 2411.10830, gradient descent from W_33 = -sigma.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib import optim
from lib.models import one_nn as model
from lib.sampling import generators
from lib.train import Flow, Problem, Trajectory, flow, train

Points = Sequence[int] | NDArray[np.int64]


def learn(
    seeds: Sequence[int],
    *,
    d: int = 8,
    N: int = 16,
    sigma: ArrayLike = 3.0,
    labels: str = "rademacher",
    lr: ArrayLike = 2.0,
    batch: int = 256,
    steps: int = 3000,
    optimiser: optim.Transform | None = None,
    record_at: Points | None = None,
    problem: Problem | None = None,
) -> Trajectory:
    """Train the whole matrix by SGD on fresh prompts, one seed a run.

    Args:
        seeds: R seeds of the prompts.
        d: dimension, at least 2.
        N: examples in a prompt.
        sigma: mask at the start, W_33 = -sigma; a number or (R,).
        labels: their law, one of `lib.models.one_nn.LABELS`.
        lr: learning rate, a number or (R,); not used with an optimiser.
        batch: prompts a step.
        steps: number of updates.
        optimiser: in place of SGD with rate lr.
        record_at: steps to record.
        problem: what to train; default `FullMatrix`.

    Returns:
        The trajectory with records xi1, xi2 and off_family, (R, K), beside the loss of the batch.

    Raises:
        InputError: if an argument is out of range.
    """
    chosen = model.FullMatrix(model.Task(d, N, labels), sigma) if problem is None else problem
    rngs = generators(seeds)
    return train(
        chosen,
        chosen.init(len(seeds), rngs),
        optim.sgd(lr) if optimiser is None else optimiser,
        steps,
        batch,
        rngs,
        {
            "xi1": lambda p: model.as_pair(p).xi1,
            "xi2": lambda p: model.as_pair(p).xi2,
            "off_family": model.off_family,
        },
        record_at,
        {"d": d, "N": N, "sigma": sigma, "labels": labels, "lr": lr, "batch": batch, "seeds": list(seeds)},
    )


def learn_pair(
    seeds: Sequence[int],
    *,
    d: int = 8,
    N: int = 16,
    sigma: ArrayLike = 3.0,
    lr: float = 2.0,
    batch: int = 256,
    steps: int = 3000,
    optimiser: optim.Transform | None = None,
    record_at: Points | None = None,
    problem: Problem | None = None,
) -> Trajectory:
    """Train the two numbers by SGD on fresh inner products, labels averaged out: `learn`, some ten times faster.

    Args:
        seeds: R seeds of the inner products.
        d: dimension, at least 2.
        N: examples in a prompt.
        sigma: xi_2 at the start; a number or (R,).
        lr: learning rate; not used with an optimiser.
        batch: prompts a step; not used by a problem that draws nothing.
        steps: number of updates.
        optimiser: in place of `descent(d, lr)`.
        record_at: steps to record.
        problem: what to train; default `ReducedPair`.

    Returns:
        The trajectory with records xi1 and xi2, (R, K), beside the loss of the batch.

    Raises:
        InputError: if an argument is out of range.
    """
    chosen = model.ReducedPair(d, N, sigma) if problem is None else problem
    draws = getattr(chosen, "draws", True)
    return train(
        chosen,
        chosen.init(len(seeds), ()),
        descent(d, lr) if optimiser is None else optimiser,
        steps,
        batch if draws else None,
        generators(seeds) if draws else None,
        {"xi1": lambda p: p.xi1, "xi2": lambda p: p.xi2},
        record_at,
        {"d": d, "N": N, "sigma": sigma, "lr": lr, "batch": batch, "seeds": list(seeds)},
    )


def descent(d: int, lr: float) -> optim.Transform:
    """SGD on the two numbers that is SGD on the whole matrix: d equal entries share the slope in xi_1."""
    return optim.per_field(xi1=optim.sgd(lr / d), xi2=optim.sgd(lr))


def reduced_flow(
    d: int,
    N: int,
    times: ArrayLike,
    sigma: float = 3.0,
    rows: int = 4096,
    seed: int = 0,
    population: Problem | None = None,
) -> Flow:
    """Gradient flow of the two numbers on weighted rows, from (0, sigma).

    Args:
        d: dimension, at least 2.
        N: examples in a prompt.
        times: increasing times of at least 0, (T,).
        sigma: xi_2 at the start.
        rows: how many rows stand for the population.
        seed: of the rows.
        population: in place of the weighted rows.

    Returns:
        The flow; `params.xi1`, `params.xi2` and `loss` are (T,).

    Raises:
        InputError: if an argument is out of range.
    """
    if population is None:
        population = model.Population(d, N, sigma, rows, generators([seed])[0])
    return flow(population, None, times, {"xi1": 1 / d, "xi2": 1.0}, tolerance=1e-6)
