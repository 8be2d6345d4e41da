"""The paper's figures, re-run: convergence (Figure 1) and the test loss.

Chapter `scb`. Source: arXiv 2410.23438, Section 5 and Appendix I. The paper
states the order of the threshold; all other numbers of `PUBLISHED` are assumed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scb import models
from hal.chapters.scb.runs.algorithm import learn, stack
from hal.remember import remembered
from lib.models import scb
from lib.sampling import generators
from lib.train import Trajectory


@dataclass(frozen=True)
class Setting:
    """Sizes, rates and times of one convergence experiment; times in steps.

    Attributes:
        kappa: unevenness of a random transition; None for the ring task.
    """

    T: int
    N: int
    batch: int
    lr: float
    lr_after: float
    lr_small: float
    threshold: float
    switch: int
    steps: int
    kappa: float | None


PUBLISHED = Setting(
    T=5000, N=3, batch=16, lr=0.01, lr_after=0.005, lr_small=0.001, threshold=1e-5, switch=400, steps=1000, kappa=0.15
)

# The same experiment where it converges: ring task, batch 64, twice the rate, threshold 0.05 lr; ours.
LONG_CONTEXT = Setting(
    T=5000, N=4, batch=64, lr=0.02, lr_after=0.01, lr_small=0.002, threshold=5e-4, switch=400, steps=1000, kappa=None
)


@remembered
def convergence(
    setting: Setting, seeds: Sequence[int], record_at: Sequence[int] | NDArray[np.int64] | None = None
) -> dict[str, Trajectory]:
    """SGD at two rates and proximal descent, all from the same Stage 1 and the same samples.

    Each of the R seeds has its own task and its own samples.

    Returns:
        "sgd", "sgd small" and "prox", each a trajectory with distances, the same after normalisation, and the test
        loss, at the steps `record_at`.

    Source: arXiv 2410.23438, Section 5.1 and Figure 1.
    """
    task = stack([_task(setting, seed) for seed in seeds])
    at = np.linspace(0, setting.steps, 41).astype(int) if record_at is None else record_at
    common: dict[str, Any] = {
        "lr": setting.lr,
        "batch": setting.batch,
        "steps": setting.steps,
        "switch": setting.switch,
        "record": measures(task),
        "record_at": at,
    }
    return {
        "sgd": learn(task, seeds, lr_after=setting.lr_after, **common),
        "sgd small": learn(task, seeds, lr_after=setting.lr_small, **common),
        "prox": learn(task, seeds, lr_after=setting.lr_after, threshold=setting.threshold, **common),
    }


def measures(task: scb.Task) -> dict[str, Any]:
    """Records of Figure 1 for runs of either sign: each is taken after a mirrored run is flipped; all (R,)."""

    def upright(params: scb.Params) -> scb.Params:
        return models.unmirror(params, task, scb.alpha_A(params, task) < 0)

    def final(params: scb.Params) -> scb.Params:
        return models.normalised(upright(params), task)

    return {
        "distance_V": lambda p: scb.distance_V(upright(p), task),
        "distance_A": lambda p: scb.distance_A(upright(p), task),
        "final_V": lambda p: scb.distance_V(final(p), task),
        "final_A": lambda p: scb.distance_A(final(p), task),
        "excess_loss": lambda p: models.population_loss(p, task) - models.irreducible_loss(task),
    }


def _task(setting: Setting, seed: int) -> scb.Task:
    rng = generators([seed], 1)[0]
    if setting.kappa is None:
        return scb.ring_task(setting.T, setting.N, rng=rng)
    return models.random_task(setting.T, setting.N, 2, setting.kappa, rng=rng)
