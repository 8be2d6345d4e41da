"""Training the block itself: on all prompts there are, and on drawn ones; where it ends.

Chapter `linear_block`. Source: arXiv 2402.14951 leaves this training open; starts and settings are ours.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hal.chapters.linear_block.runs.population import PopulationBlock
from lib import optim
from lib.models import linear_block as lb
from lib.sampling import generators
from lib.train import Trajectory, train

__all__ = ["TRAPPING", "fall", "train_on_all", "train_on_prompts"]

#: A spectrum that decays, few and noisy examples: a task with a trap.
TRAPPING = lb.Task(np.diag([1.0, 0.3, 0.1]), np.eye(3), [1.0, 0.0, 0.0], float(np.sqrt(2.0)), 6)


def fall(lr: float, steps: int) -> optim.Transform:
    """Adam with a rate that falls from `lr` to 0 along a cosine, over so many steps."""
    return optim.adam(optim.cosine(lr, steps))


def train_on_all(
    task: lb.Task,
    seeds: Sequence[int],
    optimiser: optim.Transform,
    steps: int,
    record_at: Sequence[int] | None = None,
    **block: Any,
) -> Trajectory:
    """Train the six matrices on the exact risk; "loss" is the risk.

    Args:
        task: the task.
        seeds: R seeds of the starts.
        optimiser: for the six matrices.
        steps: of it.
        record_at: see `lib.train.train`; default the start and the end.
        **block: mlp, start, scale of `lib.models.linear_block.LinearBlock`.
    """
    problem = PopulationBlock(task, **block)
    start = problem.init(len(seeds), generators(list(seeds), 2))
    at = [0, steps] if record_at is None else record_at
    record = {"risk": lambda params: problem.loss_and_gradient(params)[0]}
    return train(problem, start, optimiser, steps, record=record, record_at=at)


def train_on_prompts(
    task: lb.Task,
    seeds: Sequence[int],
    steps: int = 3000,
    batch: int = 256,
    lr: float = 0.01,
    record_at: Sequence[int] | None = None,
    **block: Any,
) -> Trajectory:
    """Train the six matrices on fresh prompts by Adam with a falling rate; records the exact "risk".

    Args:
        task: the task.
        seeds: R seeds of starts and prompts.
        steps: of Adam.
        batch: prompts a step.
        lr: rate at the start.
        record_at: see `lib.train.train`; default the start and the end.
        **block: mlp, start, scale of `lib.models.linear_block.LinearBlock`.
    """
    problem, exact = lb.LinearBlock(task, **block), PopulationBlock(task, **block)
    start = problem.init(len(seeds), generators(list(seeds), 2))
    record = {"risk": lambda params: exact.loss_and_gradient(params)[0]}
    rngs, at = generators(list(seeds)), [0, steps] if record_at is None else record_at
    return train(problem, start, fall(lr, steps), steps, batch, rngs, record=record, record_at=at)
