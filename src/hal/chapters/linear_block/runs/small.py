"""Small blocks with softmax or linear attention, with and without an MLP, on drawn prompts.

Chapter `linear_block`. Source: the question of arXiv 2402.14951, Table 1, at a size that trains in seconds; the
settings are ours.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lib import optim
from lib.models import linear_block as lb
from lib.sampling import generators
from lib.train import train

__all__ = ["small_block_errors"]

TESTS = 20_000  # fresh prompts that measure a trained block


def small_block_errors(
    seeds: Sequence[int], attention: str, mlp: str, norm: float = 10.0, steps: int = 1500, batch: int = 128
) -> NDArray[np.float64]:
    """Mean squared error (R,) on fresh prompts after training; d = 4, M = 20, noise 0.5.

    Args:
        seeds: R seeds.
        attention, mlp: see `lib.models.linear_block.SmallBlock`.
        norm: length of the prior mean.
        steps: of Adam, whose rate falls from 0.01 along a cosine.
        batch: prompts a step.
    """
    task = lb.power_task(d=4, M=20, sigma=0.5, norm=norm)
    problem, rngs = lb.SmallBlock(task, attention, mlp), generators(list(seeds))
    start = problem.init(len(seeds), generators(list(seeds), 2))
    params = train(
        problem, start, optim.adam(optim.cosine(0.01, steps)), steps, batch, rngs, record_at=[0, steps]
    ).params
    tests = task.sample(TESTS, generators(list(seeds), 3))
    return lb.squared_error(problem.output(params, tests), tests)
