"""The textbook's training of one step on drawn prompts, step by step, for `textbook_descent`, in plain Python.

Chapter `linear_block`. Source: `lib.models.linear_block.textbook`; its learning rate stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass

from lib.models.linear_block.textbook import Settings, State, batch_gradient, start
from lib.models.linear_block.textbook_block import STEP, population_risk, unpack
from lib.portable.optimisers import sgd
from lib.portable.primitives import nan


@dataclass
class Drawn:
    """A run of the textbook, and whether it has diverged (1) or not (0)."""

    run: State
    lost: int


def drawn_from_zero(
    d: int, M: int, sigma: float, norm: float, decay: float, batch: int, lr: float, steps: int, seed: int
) -> Drawn:
    """The step at zero; arguments as the textbook's settings."""
    return Drawn(start(Settings(STEP, d, M, sigma, norm, decay, batch, lr, 0, 0.0, steps), seed), 0)


def drawn_step(drawn: Drawn, lr: float) -> None:
    """One step of gradient descent on fresh prompts; a run that has diverged stays."""
    if drawn.lost == 1:
        return
    run = drawn.run
    drawn.lost = 0 if batch_gradient(run) <= 1e9 else 1
    sgd(run.theta, run.slope, lr)
    unpack(STEP, run.theta, run.block)


def drawn_risk(drawn: Drawn) -> float:
    """The exact risk of what was learned so far; NaN once it has diverged."""
    run = drawn.run
    return nan if drawn.lost == 1 else population_risk(run.law, run.block, run.gradient)
