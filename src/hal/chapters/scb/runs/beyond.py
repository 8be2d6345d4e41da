"""Runs beyond the paper: softmax attention beside linear, screening by counting.

Chapter `scb`. arXiv 2410.23438 asks these questions (Sections 2.1, 5.2 and 6, conjecture after Theorem 3.1); the
measurements are ours. What is out of range is refused (`InputError`).
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hal.chapters.scb import models
from hal.chapters.scb.models.softmax import SoftmaxParams, SoftmaxTransformer, as_linear
from hal.chapters.scb.runs.algorithm import output_step, signals
from lib import optim
from lib.models import scb
from lib.sampling import generators
from lib.train import Trajectory, train


def first_reach(steps: NDArray, values: NDArray, level: float) -> NDArray:
    """First recorded step at which |values| (seeds, K) reaches the level, interpolated; NaN if it never does."""
    found = np.full(len(values), np.nan)
    for s, row in enumerate(np.abs(values)):
        above = np.flatnonzero(row >= level)
        if above.size and above[0] > 0:
            j = above[0]
            found[s] = np.interp(level, [row[j - 1], row[j]], [steps[j - 1], steps[j]])
    return found


def learn_softmax(
    task: scb.Task,
    seeds: Sequence[int],
    *,
    lr: float,
    lr_w: ArrayLike,
    batch: int,
    steps: int,
    record_at: Sequence[int] | NDArray[np.int64] | None = None,
) -> Trajectory:
    """Plain SGD of the softmax model from uniform attention, with the same rescaling by token frequency.

    `lr_w`, a number or (R,), is the step of the logits, in nats per unit of gradient; all else is as in `learn`. The
    signals are measured on the attention weights; params are V and logits.
    """
    rate = np.broadcast_to(np.asarray(lr_w, float), (len(seeds),))
    optimiser = optim.per_field(
        V=output_step(task, lr / task.K_Q),
        w=optim.chain(optim.precondition(1 / task.mu[..., :, None]), optim.scale_by_learning_rate(rate)),
    )
    model = SoftmaxTransformer(task)
    record = {name: _on_weights(measure) for name, measure in signals(task).items()}
    start, rngs = model.init(len(seeds)), generators(seeds)
    return train(
        problem=model, params=start, optimiser=optimiser, steps=steps, batch=batch, rng=rngs, record=record,
        record_at=record_at, settings={"lr": lr, "lr_w": lr_w},
    )  # fmt: skip


def _on_weights(measure: Callable[[scb.Params], NDArray]) -> Callable[[SoftmaxParams], NDArray]:
    return lambda params: measure(as_linear(params))


def screened_share(task: scb.Task, samples: int, seeds: Sequence[int]) -> float:
    """Share of seeds in which the top Q cells of the chi-squared table are exactly the support, in every row."""
    found = []
    for rng in generators(seeds):  # one at a time: a long context with many samples is tens of megabytes
        scores = models.chi_squared(scb.sample(task, samples, [rng]), task)
        found.append(bool(models.top_cells_are_support(scores, task)[0]))
    return float(np.mean(found))
