"""The chapter's training run: sampled or infinitely long sequences, any optimiser, R runs at once.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 8; momentum 0.9, batch 128, 100 steps and the random start from
the authors' released settings. `fast_runs` makes the textbook's runs with it: random numbers are others, so they agree
in law, not one by one; tests hold the two together. What is out of range is refused with an `InputError`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib import optim
from lib.errors import InputError, require
from lib.models import scan_snap as ss
from lib.models.scan_snap.fast import task_from
from lib.models.scan_snap.textbook import Settings, steps_of
from lib.sampling import generators
from lib.train import Trajectory, train

Record = Mapping[str, Callable[[Any], NDArray]]
OPTIMISERS = (optim.sgd, optim.momentum, optim.adam)  # by the textbook's number


def rates(
    lr_Y: ArrayLike = 1.0, lr_Z: ArrayLike = 1.0, make: Callable[[Any], optim.Transform] = optim.momentum
) -> optim.Transform:
    """A transform for `ss.Params` with a rate for each layer, a number or (R,), finite and not negative.

    `make` is the optimiser of one layer from its rate: `optim.sgd`, `optim.adam`, or any other. Default momentum with
    decay 0.9, as the authors released it; its effective rates are ten times the given ones.
    """
    for key, rate in (("lr_Y", lr_Y), ("lr_Z", lr_Z)):
        try:
            values = np.asarray(rate, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(f"{key}: expected a number, or one for each run, such as 0.1; got {rate!r}") from None
        require(bool(np.all(np.isfinite(values) & (values >= 0))), key, "finite rates of at least 0", rate)
    return optim.per_field(Y=make(lr_Y), Z=make(lr_Z))


def learn(
    task: ss.Task,
    seeds: Sequence[int],
    optimiser: optim.Transform | None = None,
    steps: int = 100,
    batch: int = 128,
    random: bool = False,
    shared: bool = False,
    record: Record | None = None,
    record_at: Sequence[int] | NDArray[np.int64] | None = None,
) -> Trajectory:
    """Train R runs on one task, one seed a run.

    Args:
        task: finite L: fresh samples at each step; L = None: the population, and the seeds matter only for the start.
        seeds: R seeds; equal seeds see the same samples from the same start.
        optimiser: any; default `rates()`, momentum with rates 1.
        steps: number of updates.
        batch: sequences a step; not used if L is None.
        random: start from `random_start` instead of zeros.
        shared: all runs see the samples of the first seed.
        record: name -> function of the parameters; default the entropy (nats).
        record_at: steps to record; default about 120.
    """
    R = len(seeds)
    require(R > 0, "seeds", "at least one seed", "none")
    start = ss.random_start(task, generators(seeds, purpose=2)) if random else ss.zero_start(task, R)
    problem = ss.Transformer(task, shared)
    return train(
        problem,
        start,
        rates() if optimiser is None else optimiser,
        steps,
        batch if problem.draws else None,
        generators(seeds) if problem.draws else None,
        {"entropy": lambda params: ss.entropy(params, task)} if record is None else record,
        record_at,
        settings={"batch": batch, "seeds": list(seeds)},
    )


def task_of(s: Settings) -> ss.Task:
    """The task that the textbook trains on at these settings."""
    L = s.T - 1 if s.T else None
    if len(s.weights):
        return task_from(np.ones((1, s.common)), np.array(s.weights), s.K, s.queries, s.M, L)
    return ss.base_task(s.K, s.common, s.distinct, s.queries, s.M, L)


def fast_runs(settings: Settings, seeds: Sequence[int]) -> dict[str, NDArray[np.float64]]:
    """Readings of the fast model at the textbook's settings, one run a seed: common_mass
    (seeds, K), at the textbook's records; NaN from where a run diverged."""
    task = task_of(settings)
    record: Record = {
        "common_mass": lambda params: ss.mass_on(ss.attention(params, task), task.common),
    }
    rule = rates(settings.lr_Y, settings.lr_Z, OPTIMISERS[settings.optimiser])
    at, random = [int(step) for step in steps_of(settings)], settings.spread > 0
    found = learn(task, list(seeds), rule, settings.steps, settings.batch, random, record=record, record_at=at)
    return {name: found.arrays[name] for name in record}
