"""Runs: the whole matrix on prompts, the two numbers on inner products, their gradient flow, tests on fresh prompts.

Chapter `one_nn`. Time is t = lr * step everywhere. Source: arXiv 2411.10830, gradient descent from W_33 = -sigma, and
the theorem on distribution shift with the right panel of its figure. What is out of range raises `InputError`.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hal.chapters.one_nn.models import Crowded, Population, Scores, draw_contexts, score
from lib import optim
from lib.errors import require
from lib.models import one_nn as model
from lib.models.one_nn.textbook import RECORDS, Settings
from lib.portable.records import log_steps
from lib.sampling import generators
from lib.train import Flow, Problem, Trajectory, flow, train

Points = Sequence[int] | NDArray[np.int64]


def learn(
    seeds: Sequence[int],
    *,
    d: int = 8,
    N: int = 16,
    sigma: ArrayLike = 3.0,
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
        sigma: self-penalty at the start, W_33 = -sigma; a number or (R,).
        lr: learning rate, a number or (R,); not used with an optimiser.
        batch: prompts a step.
        steps: number of updates.
        optimiser: in place of SGD with rate lr.
        record_at: steps to record.
        problem: what to train; default `FullMatrix`.

    Returns:
        The trajectory with records xi1, xi2 and off_family, (R, K), beside the loss of the batch.
    """
    chosen = model.FullMatrix(model.Task(d, N), sigma) if problem is None else problem
    record = {
        "xi1": lambda p: model.as_pair(p).xi1,
        "xi2": lambda p: model.as_pair(p).xi2,
        "off_family": model.off_family,
    }
    settings = {"d": d, "N": N, "sigma": sigma, "lr": lr, "batch": batch}
    return _train(chosen, seeds, optimiser or optim.sgd(lr), steps, batch, record, record_at, settings)


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

    Arguments are as for `learn`, whose defaults are `descent(d, lr)` and `ReducedPair` here. A problem that draws
    nothing does not use the batch.

    Returns:
        The trajectory with records xi1 and xi2, (R, K), beside the loss of the batch.
    """
    chosen = model.ReducedPair(d, N, sigma) if problem is None else problem
    record = {"xi1": lambda p: p.xi1, "xi2": lambda p: p.xi2}
    settings = {"d": d, "N": N, "sigma": sigma, "lr": lr, "batch": batch}
    return _train(chosen, seeds, optimiser or descent(d, lr), steps, batch, record, record_at, settings)


def _train(
    problem: Problem,
    seeds: Sequence[int],
    optimiser: optim.Transform,
    steps: int,
    batch: int,
    record: dict[str, Callable[[Any], Any]],
    record_at: Points | None,
    settings: dict[str, Any],
) -> Trajectory:
    """One run a seed, from a start that draws nothing."""
    draws = getattr(problem, "draws", True)
    rngs = generators(seeds) if draws else None
    settings |= {"seeds": list(seeds)}
    start = problem.init(len(seeds), ())
    return train(
        problem=problem, params=start, optimiser=optimiser, steps=steps, batch=batch if draws else None, rng=rngs,
        record=record, record_at=record_at, settings=settings,
    )  # fmt: skip


def descent(d: int, lr: float) -> optim.Transform:
    """SGD on the two numbers that is SGD on the whole matrix: d equal entries share the slope in xi_1."""
    return optim.per_field(xi1=optim.sgd(lr / d), xi2=optim.sgd(lr))


def fast_runs(settings: Settings, seeds: Sequence[int]) -> dict[str, NDArray[np.float64]]:
    """The textbook's runs with the fast model: xi1, xi2, off, each (seeds, K), at the textbook's records.

    Random numbers are others, so runs agree in law, not one by one. From where a run diverged on there is NaN.
    """
    require(settings.start == 0, "start", "0: the fast model starts where the paper does", settings.start)
    found = learn(
        list(seeds),
        d=settings.d,
        N=settings.N,
        sigma=settings.sigma,
        lr=settings.lr,
        batch=settings.batch,
        steps=settings.steps,
        record_at=np.array(log_steps(settings.steps, RECORDS), dtype=int),
        problem=None
        if settings.kappa == 1.0
        else Crowded(model.Task(settings.d, settings.N), settings.kappa, settings.sigma),
    )
    return {"xi1": found["xi1"], "xi2": found["xi2"], "off": found["off_family"]}


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
    """
    if population is None:
        population = Population(d, N, sigma, rows, generators([seed])[0])
    return flow(population, None, times, {"xi1": 1 / d, "xi2": 1.0}, tolerance=1e-6)


def shift_scores(
    xi1: ArrayLike, xi2: ArrayLike, d: int, N: int, delta: float = 0.1, prompts: int = 20_000, seed: int = 0
) -> Scores:
    """Loss and accuracy of K pairs xi_1, xi_2, (K,), on the same fresh prompts, see `score`.

    Their labels are separated by `delta`, in squared distance; with 0 prompts are uniform, and points and labels
    otherwise the same.
    """
    (rng,) = generators([seed], purpose=3)
    return score(xi1, xi2, draw_contexts(d, N, prompts, rng, delta))
