"""Groups, Walks, Prompts and Sentences at five learning rates of the read-out, many seeds at a time, with their clocks.

Chapter `atlas`. Source: our own; Theorem 1. The tasks are those of `tasks`. What is out of range raises `InputError`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hal.chapters.atlas.runs.rates import FACTORS, Array, Fan
from hal.chapters.atlas.runs.tasks import TASKS, Rule
from lib import optim
from lib.errors import require
from lib.optim.base import rebuild, stateless
from lib.sampling import generators
from lib.train import train

__all__ = ["fan_of"]

TINY = 1e-9  # a norm that every gradient has to be cut to


def _gradient(rate: Any, adam: float, length: float, scale: float = 1.0, keep: int | None = None) -> optim.Transform:
    return optim.sgd(rate)


def _even(rate: Any, adam: float, length: float, scale: float = 1.0, keep: int | None = None) -> optim.Transform:
    return optim.chain(optim.clip_by_global_norm(TINY), optim.sgd(length / TINY))


def _contrast(rate: Any, adam: float, length: float, scale: float = 1.0, keep: int | None = None) -> optim.Transform:
    """Gradient descent on what the decoder says differently of two classes, columns 0 and 1; the rest stays zero."""

    def apart(slope: Array) -> Array:
        half = 0.5 * (slope[..., 0] - slope[..., 1])
        out = np.zeros_like(slope)
        out[..., 0], out[..., 1] = half, -half
        return out

    kept = stateless(lambda updates, params: rebuild(updates, map(apart, updates)))
    return optim.chain(kept, optim.sgd(rate))


RULES: dict[str, tuple[Rule, Rule]] = {
    "gradient descent": (_gradient, _gradient),
    "even steps": (_gradient, _even),
    "contrast alone": (_contrast, _gradient),
}  # fmt: skip


def fan_of(task: str, seeds: Sequence[int], optimiser: str = "gradient descent") -> Fan:
    """Train one task at five learning rates of the read-out; runs of one seed have the same examples.

    Args:
        task: a name among `TASKS`.
        seeds: of the samples.
        optimiser: of both layers "gradient descent"; or "even steps": gradient descent for the read-out, and steps of
            one length, whatever the gradient's, for attention; or, in Sentences, "contrast alone": gradient descent for
            what the decoder says differently of the two classes, and nothing else.

    Returns:
        Step, clock and accumulated read-out at half-way, on a straight line between two steps.
    """
    require(task in TASKS, "task", f"one of {', '.join(TASKS)}", repr(task))
    require(optimiser in RULES, "optimiser", f"one of {', '.join(RULES)}", repr(optimiser))
    made = TASKS[task](seeds, np.tile(FACTORS, len(seeds)))
    rngs = [rng for seed in seeds for rng in generators([seed] * len(FACTORS))] if made.batch else None
    run = train(made.problem, made.start, made.rule(*RULES[optimiser]), made.steps, made.batch, rngs, made.record,
                range(made.steps + 1))  # fmt: skip
    told = run["out"] * run["asked"]
    found = [half_way(run["seen"], np.cumsum(sums, axis=1) - sums, made.level) for sums in (told, run["out"])]
    shape = (len(seeds), len(FACTORS))
    return Fan(found[0][0].reshape(shape), found[0][1].reshape(shape), found[1][1].reshape(shape))


def half_way(seen: Array, clock: Array, level: float) -> tuple[Array, Array]:
    """The step and the clock at which attention reaches a level, (runs,) each; NaN where it does not.

    Args:
        seen: (runs, steps + 1) attention before each step.
        clock: (runs, steps + 1) the clock before each step.
        level: to reach.
    """
    step, read = np.full(len(seen), np.nan), np.full(len(seen), np.nan)
    for r, (attention, told) in enumerate(zip(seen, clock, strict=True)):
        over = np.flatnonzero((attention[1:] >= level) & (attention[:-1] < level))
        if over.size:
            k = over[0]
            share = (level - attention[k]) / (attention[k + 1] - attention[k])
            step[r], read[r] = k + share, told[k] + share * (told[k + 1] - told[k])
    return step, read
