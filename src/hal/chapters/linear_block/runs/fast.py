"""The textbook's training on all prompts with the fast models: the same tasks and steps, trained by `lib.train`.

Chapter `linear_block`. Starts are others, so runs agree in law, not one by one, unless they start at zero: then they
agree to rounding. Tests hold the two together.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.linear_block.runs.population import PopulationBlock, PopulationStep
from lib import optim
from lib.models import linear_block as lb
from lib.models.linear_block.textbook_block import BLOCK, STEP, ZERO
from lib.models.linear_block.textbook_population import Settings, steps_of
from lib.sampling import generators
from lib.theory import linear_block as theory
from lib.train import train

__all__ = ["fast_population"]

MEASURES = ("risk", "alpha", "along", "across", "labels")


def fast_population(settings: Settings, seeds: Sequence[int]) -> dict[str, NDArray[np.float64]]:
    """Readings of the fast models at the settings of `textbook_population`: training on all prompts.

    Args:
        settings: of the textbook.
        seeds: one for each run.

    Returns:
        risk, alpha, along, across, labels, each (seeds, K), at the textbook's records.

    Raises:
        InputError: if the settings are refused.
    """
    s, mlp = settings, settings.kind == BLOCK
    task = lb.power_task(s.d, s.M, s.sigma, s.norm, s.decay)
    problem: Any = (
        PopulationStep(task, s.kind == ZERO)
        if s.kind >= STEP
        else PopulationBlock(task, mlp, lb.STARTS[s.near], s.scale)
    )

    def read(params: Any) -> NDArray[np.float64]:
        return _measured(task, params if isinstance(params, lb.Step) else lb.effective_of(params, mlp))

    due = steps_of(s)
    at = sorted({int(step) for step in due})  # of short runs some are due twice
    optimiser, start = (optim.adam if s.adam else optim.sgd)(s.lr), problem.init(len(seeds), generators(list(seeds), 2))
    run = train(problem, start, optimiser, s.steps, record={"read": read}, record_at=at)
    return {name: run["read"][:, np.searchsorted(at, due), i] for i, name in enumerate(MEASURES)}


def _measured(task: lb.Task, found: lb.EffectiveParams | lb.Step) -> NDArray[np.float64]:
    """(R, 5) what the textbook measures of R blocks, or of the blocks that take R steps."""
    if isinstance(found, lb.Step):
        ones, zeros = np.ones(len(found.beta)), np.zeros_like(found.beta)
        found = lb.EffectiveParams(found.beta, -found.beta, ones, found.Gamma.swapaxes(-1, -2), zeros)
    u, (alpha, _, c, Q, q) = np.full(task.d, task.d**-0.5), found
    along = np.einsum("i,rij,j->r", u, Q, u)
    rest = (np.trace(Q, axis1=1, axis2=2) - along) / (task.d - 1) if task.d > 1 else np.full(len(c), np.nan)
    risk = theory.block_risk(task, theory.Effective(*found))
    return np.stack([risk, alpha @ u, c * along, c * rest, np.linalg.norm(q, axis=1)], axis=-1)
