"""The textbook's two trainings with the fast models: the same tasks and steps, trained by `lib.train`.

Chapter `linear_block`. Random numbers are others, so runs agree in law, not one by one, unless they start at zero on
all prompts: then they agree to rounding. Tests hold the two together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib import optim
from lib.chapters.linear_block.runs.population import PopulationBlock, PopulationStep
from lib.models import linear_block as lb
from lib.models.linear_block import textbook, textbook_population
from lib.models.linear_block.textbook_block import BLOCK, STEP, ZERO
from lib.models.linear_block.textbook_record import RECORDS
from lib.sampling import generators
from lib.theory import linear_block as theory
from lib.train import train

__all__ = ["fast_population", "fast_runs"]

Readings = dict[str, NDArray[np.float64]]


def fast_runs(settings: textbook.Settings, seeds: Sequence[int]) -> Readings:
    """Readings of the fast models at the settings of `textbook`: training on drawn prompts.

    Args:
        settings: of the textbook.
        seeds: one for each run.

    Returns:
        risk, alpha, along, across, labels, each (seeds, K), at steps (K,), the textbook's without repeats.

    Raises:
        InputError: if the settings are refused.
    """
    s = settings
    task = lb.power_task(s.d, s.M, s.sigma, s.norm, s.decay)
    problem: Any = (
        lb.OneStep(task, s.kind == ZERO) if s.kind >= STEP else lb.EffectiveBlock(task, s.kind == BLOCK, s.start)
    )
    drop = -(-7 * s.steps // 10)  # the first step at a tenth of the rate
    rate = optim.piecewise_constant([drop], [s.lr, 0.1 * s.lr]) if drop > 0 else s.lr
    optimiser = optim.adam(rate) if s.adam else optim.sgd(rate)
    start = problem.init(len(seeds), generators(list(seeds), 2))
    return _trained(problem, start, task, optimiser, s.steps, lambda p: p, s.batch, generators(list(seeds)))


def fast_population(settings: textbook_population.Settings, seeds: Sequence[int]) -> Readings:
    """Readings of the fast models at the settings of `textbook_population`: training on all prompts.

    Args, returns, raises: as `fast_runs`.
    """
    s = settings
    task = lb.power_task(s.d, s.M, s.sigma, s.norm, s.decay)
    words, mlp = lb.STARTS[s.near], s.kind == BLOCK
    optimiser = optim.adam(s.lr) if s.adam else optim.sgd(s.lr)
    rngs = generators(list(seeds), 2)
    if s.kind >= STEP:
        step = PopulationStep(task, s.kind == ZERO)
        return _trained(step, step.init(len(seeds)), task, optimiser, s.steps, lambda p: p)
    block = PopulationBlock(task, mlp, words, s.scale)
    return _trained(block, block.init(len(seeds), rngs), task, optimiser, s.steps, lambda p: lb.effective_of(p, mlp))


def _trained(
    problem: Any,
    start: Any,
    task: lb.Task,
    optimiser: Any,
    steps: int,
    reduce: Any,
    batch: Any = None,
    rngs: Any = None,
) -> Readings:
    """Train and read as the textbook does; `reduce` takes parameters to those of a block or a step."""
    u = np.full(task.d, task.d**-0.5)

    def read(params: Any) -> NDArray[np.float64]:
        found = reduce(params)
        if isinstance(found, lb.Step):
            ones, zeros = np.ones(len(found.beta)), np.zeros_like(found.beta)
            found = lb.EffectiveParams(found.beta, -found.beta, ones, found.Gamma.swapaxes(-1, -2), zeros)
        alpha, _, c, Q, q = found
        along = np.einsum("i,rij,j->r", u, Q, u)
        rest = (np.trace(Q, axis1=1, axis2=2) - along) / (task.d - 1) if task.d > 1 else np.full(len(c), np.nan)
        risk = theory.block_risk(task, theory.Effective(*found))
        return np.stack([risk, alpha @ u, c * along, c * rest, np.linalg.norm(q, axis=1)], axis=-1)

    at = sorted({-(-i * steps // RECORDS) for i in range(RECORDS + 1)})
    run = train(problem, start, optimiser, steps, batch, rngs, record={"read": read}, record_at=at)
    names = ("risk", "alpha", "along", "across", "labels")
    return {"steps": run.steps.astype(float), **{name: run["read"][..., i] for i, name in enumerate(names)}}
