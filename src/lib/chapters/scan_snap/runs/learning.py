"""The chapter's training run: sampled or infinitely long sequences, gradient descent, momentum or Adam, R runs at once.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 6; momentum 0.9, batch 128, 100 steps and the random start from
the authors' released settings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib import optim
from lib.errors import require
from lib.models import scan_snap as ss
from lib.sampling import generators
from lib.train import Trajectory, train

Record = Mapping[str, Callable[[Any], NDArray]]
OPTIMISERS = ("sgd", "momentum", "adam")
MOMENTUM = 0.9


def optimiser(method: str, lr_Y: ArrayLike, lr_Z: ArrayLike) -> optim.Transform:
    """Gradient descent with a rate for each layer.

    Args:
        method: "sgd", "momentum" (decay 0.9, so the effective rates are ten times the given ones), or "adam".
        lr_Y: rate of the decoder, a number or (R,), finite and not negative.
        lr_Z: rate of attention, the same.

    Returns:
        A transform for `lib.models.scan_snap.Params`.

    Raises:
        InputError: for another method, or a rate that is negative or not finite.

    Source: arXiv 2305.16380, Section 6.
    """
    require(method in OPTIMISERS, "method", f"one of {', '.join(OPTIMISERS)}", method)
    rates = {"lr_Y": np.asarray(lr_Y, dtype=np.float64), "lr_Z": np.asarray(lr_Z, dtype=np.float64)}
    for key, rate in rates.items():
        require(bool(np.all(np.isfinite(rate) & (rate >= 0))), key, "finite rates of at least 0", rate)
    make: Callable[[Any], optim.Transform] = {
        "sgd": optim.sgd,
        "momentum": lambda rate: optim.momentum(rate, MOMENTUM),
        "adam": optim.adam,
    }[method]
    return optim.per_field(Y=make(rates["lr_Y"]), Z=make(rates["lr_Z"]))


def learn(
    task: ss.Task,
    seeds: Sequence[int],
    lr_Y: ArrayLike = 1.0,
    lr_Z: ArrayLike = 1.0,
    method: str = "momentum",
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
        lr_Y: rate of the decoder per step, a number or (R,).
        lr_Z: rate of attention per step, a number or (R,).
        method: "sgd", "momentum" or "adam".
        steps: number of updates.
        batch: sequences a step; not used if L is None.
        random: start from `random_start` instead of zeros.
        shared: all runs see the samples of the first seed.
        record: name -> function of the parameters; default the entropy (nats).
        record_at: steps to record; default about 120.

    Returns:
        A `lib.train.Trajectory`.

    Raises:
        InputError: if an argument is out of range, or there are neither one nor R rates.

    Source: arXiv 2305.16380, Section 6.
    """
    R = len(seeds)
    require(R > 0, "seeds", "at least one seed", "none")
    for name, rate in (("lr_Y", lr_Y), ("lr_Z", lr_Z)):
        shape = np.shape(rate)
        require(shape in ((), (R,)), name, f"one rate, or one for each of {R} seeds", f"shape {shape}")
    start = ss.random_start(task, generators(seeds, purpose=2)) if random else ss.zero_start(task, R)
    return train(
        ss.Transformer(task, shared),
        start,
        optimiser(method, lr_Y, lr_Z),
        steps,
        task.K if task.L is None else batch,
        generators(seeds),
        {"entropy": lambda params: ss.entropy(params, task)} if record is None else record,
        record_at,
        settings={"lr_Y": lr_Y, "lr_Z": lr_Z, "method": method, "batch": batch, "seeds": list(seeds)},
    )
