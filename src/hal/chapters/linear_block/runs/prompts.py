"""Prompts by the hundred thousand, normal or with heavier tails, in slices that fit memory; and changed prompts.

Chapter `linear_block`. Source of the parts of an output: ours, from arXiv 2402.14951, equation D.1; `textbook_parts.py`
tells them apart prompt by prompt.
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from lib.models import linear_block as lb
from lib.sampling import generators

__all__ = ["EXCESS", "draw_prompts", "query_errors", "told_apart"]

Array = NDArray[np.float64]

SLICE = 20_000  # prompts at a time
EXCESS = 3 * (0.1 * 5.5**2 + 0.9 * 0.5**2) - 3  # kurtosis of the heavy noise over that of a normal one


def draw_prompts(
    task: lb.Task, count: int, seed: int, tails: bool = False, heavy: bool = False
) -> Iterator[lb.Prompts]:
    """Prompts in slices, all from one generator.

    Args:
        task: the task.
        count: how many in all, a multiple of 20,000 or fewer.
        seed: of the generator.
        tails: features with heavy tails: each row is 0.45 or 1.34 times as long, by a fair coin, which keeps the
            covariance.
        heavy: noise with heavy tails: one in ten is 2.35 times as large, the others 0.71 times, which keeps the
            variance and gives the excess kurtosis `EXCESS`.
    """
    rngs = generators([seed])
    for done in range(0, count, SLICE):
        prompts = task.sample(min(SLICE, count - done), rngs)
        yield _stretched(task, prompts, rngs[0], tails, heavy) if tails or heavy else prompts


def query_errors(
    output: Callable[[lb.Prompts], Array],
    task: lb.Task,
    count: int,
    seed: int,
    tails: bool = False,
    heavy: bool = False,
) -> Array:
    """Squared errors (count,) at the query of an output, prompts -> predictions (1, B); else see `draw_prompts`."""
    slices = draw_prompts(task, count, seed, tails, heavy)
    return np.concatenate([(output(prompts)[0] - prompts.target[0]) ** 2 for prompts in slices])


def told_apart(output: Callable[[lb.Prompts], Array], prompts: lb.Prompts) -> Array:
    """The parts (5, R, B) of an output, prompts -> predictions (R, B), in the order of `lib.theory.linear_block.PARTS`.

    The output is that of a block with or without residual, MLP and mask; they add up to it.
    """
    X, y, x, target = prompts
    no_X, no_y = np.zeros_like(X), np.zeros_like(y)
    alone = output(lb.Prompts(no_X, no_y, x, target))
    cubic = (output(lb.Prompts(no_X, no_y, 2 * x, target)) - 2 * alone) / 6
    odd = (output(prompts) - output(lb.Prompts(X, -y, x, target))) / 2
    features = output(lb.Prompts(X, no_y, x, target)) - alone
    labels = output(lb.Prompts(no_X, y, x, target)) - alone
    return np.stack([alone - cubic, odd, features, labels, cubic])


def _stretched(task: lb.Task, prompts: lb.Prompts, rng: np.random.Generator, tails: bool, heavy: bool) -> lb.Prompts:
    """The same tasks in law, with stretched features or noise, and labels that go with them."""
    X, _, x, _ = prompts
    if tails:
        X = X * np.where(rng.random((*X.shape[:3], 1)) < 0.5, np.sqrt(0.2), np.sqrt(1.8))
    tasks = task.mean + rng.standard_normal((*x.shape[:2], task.d)) @ task.Psi_root
    noise, query = (_noise(task, shape, rng, heavy) for shape in (X.shape[:3], x.shape[:2]))
    y = np.matmul(X, tasks[..., None])[..., 0] + noise
    return lb.Prompts(X, y, x, np.sum(x * tasks, axis=-1) + query)


def _noise(task: lb.Task, shape: tuple[int, ...], rng: np.random.Generator, heavy: bool) -> Array:
    noise = task.sigma * rng.standard_normal(shape)
    return noise * np.where(rng.random(shape) < 0.1, np.sqrt(5.5), np.sqrt(0.5)) if heavy else noise
