"""Prompts by the hundred thousand, normal or with heavier tails, in slices that fit memory.

Chapter `linear_block`. Source: ours.
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from lib.models import linear_block as lb
from lib.sampling import generators

__all__ = ["draw_prompts", "query_errors"]

Array = NDArray[np.float64]

SLICE = 20_000  # prompts at a time


def draw_prompts(task: lb.Task, count: int, seed: int, tails: bool = False) -> Iterator[lb.Prompts]:
    """Prompts in slices, all from one generator.

    Args:
        task: the task.
        count: how many in all, a multiple of 20,000 or fewer.
        seed: of the generator.
        tails: features with heavy tails: each row is 0.45 or 1.34 times as long, by a fair coin, which keeps the
            covariance.
    """
    rngs = generators([seed])
    for done in range(0, count, SLICE):
        prompts = task.sample(min(SLICE, count - done), rngs)
        yield _stretched(task, prompts, rngs[0]) if tails else prompts


def query_errors(
    output: Callable[[lb.Prompts], Array],
    task: lb.Task,
    count: int,
    seed: int,
    tails: bool = False,
) -> Array:
    """Squared errors (count,) at the query of an output, prompts -> predictions (1, B); else see `draw_prompts`."""
    slices = draw_prompts(task, count, seed, tails)
    return np.concatenate([(output(prompts)[0] - prompts.target[0]) ** 2 for prompts in slices])


def _stretched(task: lb.Task, prompts: lb.Prompts, rng: np.random.Generator) -> lb.Prompts:
    """The same tasks in law, with stretched features, and labels that go with them."""
    X, _, x, _ = prompts
    X = X * np.where(rng.random((*X.shape[:3], 1)) < 0.5, np.sqrt(0.2), np.sqrt(1.8))
    tasks = task.mean + rng.standard_normal((*x.shape[:2], task.d)) @ task.Psi_root
    noise, query = (task.sigma * rng.standard_normal(shape) for shape in (X.shape[:3], x.shape[:2]))
    y = np.matmul(X, tasks[..., None])[..., 0] + noise
    return lb.Prompts(X, y, x, np.sum(x * tasks, axis=-1) + query)
