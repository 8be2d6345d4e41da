"""Training the block itself: on all prompts there are, down the exact risk, and on drawn ones; where it ends.

Chapter `linear_block`. Source: the risks of `lib.theory.linear_block`, the parameters of `lib.models.linear_block`;
arXiv 2402.14951 leaves this training open, starts and settings are ours.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.linear_block.models.one_step import OneStep, Step
from lib import optim
from lib.models import linear_block as lb
from lib.models.linear_block.textbook import Settings, direction, steps_of
from lib.sampling import Rngs, generators
from lib.theory import linear_block as theory
from lib.train import Trajectory, train

__all__ = [
    "TRAPPING", "PopulationBlock", "PopulationStep", "fall", "fast_population", "train_on_all", "train_on_prompts",
]  # fmt: skip

Array = NDArray[np.float64]
MEASURES = ("risk", "mean", "examples", "labels")
#: A spectrum that decays, few and noisy examples: a task with a trap.
TRAPPING = lb.Task(np.diag([1.0, 0.3, 0.1]), np.eye(3), [1.0, 0.0, 0.0], float(np.sqrt(2.0)), 6)


class _OnAllPrompts:
    """A problem whose loss is the exact risk: nothing is drawn."""

    draws = False

    def sample(self, batch: int = 0, rngs: Rngs = (), step: int = 0) -> Any:
        """Nothing is drawn."""
        return ()


class PopulationBlock(_OnAllPrompts, lb.LinearBlock):
    """The block's six matrices, down the exact risk; arguments as `lib.models.linear_block.LinearBlock`."""

    def loss_and_gradient(self, params: lb.Weights, batch: Any = ()) -> tuple[Array, lb.Weights]:
        """The exact risk (R,), and its gradient."""
        block = theory.Effective(*lb.effective_of(params, self.mlp))
        risk, slopes = theory.block_risk_and_gradient(self.task, block)
        return risk, lb.weight_gradient(params, lb.EffectiveParams(*slopes), self.mlp)


class PopulationStep(_OnAllPrompts, OneStep):
    """One learned step, down the exact risk; arguments as `lib.models.linear_block.OneStep`."""

    def loss_and_gradient(self, params: Step, batch: Any = ()) -> tuple[Array, Step]:
        """The exact risk (R,), and its gradient through that of the block that takes the step."""
        risk, slopes = theory.block_risk_and_gradient(self.task, theory.Effective(*step_as_block(params)))
        return risk, Step(slopes.alpha - slopes.v, np.swapaxes(slopes.Q, -1, -2))


def step_as_block(params: Step) -> tuple[Array, ...]:
    """alpha, v, c, Q, q of the blocks that take these steps."""
    beta, Gamma = params
    return beta, -beta, np.ones(len(beta)), np.swapaxes(Gamma, -1, -2), np.zeros_like(beta)


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
    """Train the six matrices on the exact risk, R seeds of the starts side by side; "loss" is the risk.

    Args:
        task, seeds, optimiser, steps: of the training.
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
    """Train the six matrices on fresh prompts by Adam with a rate that falls from `lr`; records the exact "risk".

    Arguments are those of `train_on_all`; seeds are of starts and prompts, and a step takes so many prompts a batch.
    """
    problem, exact = lb.LinearBlock(task, **block), PopulationBlock(task, **block)
    start = problem.init(len(seeds), generators(list(seeds), 2))
    record = {"risk": lambda params: exact.loss_and_gradient(params)[0]}
    rngs, at = generators(list(seeds)), [0, steps] if record_at is None else record_at
    return train(problem, start, fall(lr, steps), steps, batch, rngs, record=record, record_at=at)


def tilted_task(settings: Settings) -> lb.Task:
    """The task of a textbook's settings, its prior mean along their direction."""
    s = settings
    even = lb.power_task(s.d, s.M, s.sigma, s.norm, s.decay)
    return even.but(mean=s.norm * np.array(direction(s.d, s.tilt)) / np.sqrt(s.d))


def fast_population(settings: Settings, seeds: Sequence[int]) -> dict[str, Array]:
    """The fast model at a textbook's settings: risk, mean, examples, labels, each (seeds, K), at its records.

    Starts are others, so runs agree in law, not one by one.
    """
    s, due = settings, steps_of(settings)
    if s.mlp == 2:  # seeds take turns
        ways = [fast_population(s._replace(mlp=mlp), seeds) for mlp in (1, 0)]
        even = np.array(seeds)[:, None] % 2 == 0
        return {name: np.where(even, *(way[name] for way in ways)) for name in MEASURES}
    u, task = np.array(direction(s.d, s.tilt)) / np.sqrt(s.d), tilted_task(s)
    at = sorted({int(step) for step in due})  # of short runs some are due twice
    problem: Any = PopulationBlock(task, s.mlp == 1, lb.STARTS[s.near], s.scale)

    def read(params: Any) -> Array:
        alpha, _, c, Q, q = block = theory.Effective(*lb.effective_of(params, s.mlp == 1))
        shares = alpha @ u / s.norm, c * np.einsum("i,rij,j->r", u, Q, u) / (u @ theory.best_step(task) @ u)
        return np.stack([theory.block_risk(task, block), *(100 * one for one in shares), np.linalg.norm(q, axis=1)], -1)

    optimiser, start = (optim.adam if s.adam else optim.sgd)(s.lr), problem.init(len(seeds), generators(list(seeds), 2))
    run = train(problem, start, optimiser, s.steps, record={"read": read}, record_at=at)
    return {name: run["read"][:, np.searchsorted(at, due), i] for i, name in enumerate(MEASURES)}
