"""Prompts by the hundred thousand, with normal features or others of the same covariance, in slices that fit memory.

Chapter `linear_block`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from lib.models import linear_block as lb
from lib.sampling import generators

__all__ = ["draw_prompts", "query_errors"]

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
    output: Callable[[lb.Prompts], NDArray[np.float64]], task: lb.Task, count: int, seed: int, tails: bool = False
) -> NDArray[np.float64]:
    """Squared errors (count,) of an output at the query.

    Args:
        output: prompts -> predictions (1, B).
        task, count, seed, tails: see `draw_prompts`.
    """
    slices = draw_prompts(task, count, seed, tails)
    return np.concatenate([(output(prompts)[0] - prompts.target[0]) ** 2 for prompts in slices])


def _stretched(task: lb.Task, prompts: lb.Prompts, rng: np.random.Generator) -> lb.Prompts:
    """The same tasks in law, with stretched features and labels that go with them."""
    X, _, x, _ = prompts
    long = np.where(rng.random((*X.shape[:3], 1)) < 0.5, np.sqrt(0.2), np.sqrt(1.8))
    X = X * long
    tasks = task.mean + rng.standard_normal((*x.shape[:2], task.d)) @ task.Psi_root
    y = np.matmul(X, tasks[..., None])[..., 0] + task.sigma * rng.standard_normal(X.shape[:3])
    return lb.Prompts(X, y, x, np.sum(x * tasks, axis=-1) + task.sigma * rng.standard_normal(x.shape[:2]))
