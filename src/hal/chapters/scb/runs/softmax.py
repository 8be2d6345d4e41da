"""The softmax model on the same task: escape, floor and sign, next to the linear model.

Chapter `scb`. Source: arXiv 2410.23438, Section 5.2 (relation of the two models); the measurements are ours.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hal.chapters.scb.runs.algorithm import signals
from lib import optim
from lib.models import scb
from lib.sampling import generators
from lib.train import Trajectory, train


def learn_softmax(
    task: scb.Task,
    seeds: Sequence[int],
    *,
    lr: float,
    lr_w: ArrayLike,
    batch: int,
    steps: int,
    record_at: Sequence[int] | NDArray[np.int64] | None = None,
    start: scb.SoftmaxParams | None = None,
) -> Trajectory:
    """Plain SGD of the softmax model from uniform attention, with the same rescaling by token frequency.

    Args:
        task: one task for all runs, or R tasks.
        seeds: R seeds of the samples.
        lr: base step; V moves by lr / K_Q.
        lr_w: step of the logits, in nats per unit of gradient; number or (R,). Between 3 and 12 at T = 200.
        batch: samples a step.
        steps: number of steps.
        record_at: steps to record.
        start: R starts; None is V = mu 1^T and logits 0.

    Returns:
        The trajectory with the chapter's signals, measured on the attention weights; params are V and logits.

    Raises:
        InputError: if a rate is negative or not finite.
    """
    inverse = 1 / task.mu
    rate = np.broadcast_to(np.asarray(lr_w, float), (len(seeds),))
    optimiser = optim.per_field(
        V=optim.chain(optim.precondition(inverse[..., None, :]), optim.scale_by_learning_rate(lr / task.K_Q)),
        w=optim.chain(optim.precondition(inverse[..., :, None]), optim.scale_by_learning_rate(rate)),
    )
    model = scb.SoftmaxTransformer(task)
    record = {name: _on_weights(measure) for name, measure in signals(task).items()}
    start = model.init(len(seeds)) if start is None else start
    return train(model, start, optimiser, steps, batch, generators(seeds), record, record_at, {"lr": lr, "lr_w": lr_w})


def _on_weights(measure: Callable[[scb.Params], NDArray]) -> Callable[[scb.SoftmaxParams], NDArray]:
    return lambda params: measure(scb.as_linear(params))
