"""Claim SCB-30: the noise of plain SGD and its Gaussian stand-in.

Chapter `scb`. Beyond arXiv 2410.23438, which says that SGD is noisy (Section 5) and simulates it (Appendix I).
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scb import models
from hal.chapters.scb.claims import _default as default
from hal.chapters.scb.claims.sign import share_right, two_token_task, z_of
from hal.chapters.scb.models.surrogate import Noise
from hal.chapters.scb.runs import learn
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import scb

_LR = default.LR


class _ConstantNoise(models.GaussianSurrogate):
    """The surrogate with the noise that it would have at the solution (P, Q), wherever the run is."""

    def loss_and_gradient(self, params: scb.Params, noise: Noise) -> tuple[NDArray, scb.Params]:
        there = scb.Params(*(np.repeat(m[None], len(params.V), axis=0) for m in (self.task.P, self.task.Q)))
        still = Noise(np.zeros_like(noise.V), np.zeros_like(noise.A), noise.batch)
        loss, mean = super().loss_and_gradient(params, still)
        loud, quiet = super().loss_and_gradient(there, noise)[1], super().loss_and_gradient(there, still)[1]
        return loss, scb.Params(mean.V + loud.V - quiet.V, mean.A + loud.A - quiet.A)


@lru_cache(maxsize=4)
def _surrogate(model: type, block: int) -> NDArray[np.float64]:
    """|Delta_A|, root mean square, of surrogate runs of the default setting at the steps `default.LATE`."""
    task = scb.ring_task(rng=0)
    run = learn(
        task,
        default.seeds(block),
        lr=_LR,
        batch=default.BATCH,
        steps=default.STEPS,
        record={"beside": default.squares(task)["beside"]},
        record_at=[0, *(default.SWITCH + step for step in default.LATE[1:])],
        model=model(task),
    )
    return default.root_mean(run, "beside")


@claim(
    "SCB-30",
    where="Appendix I (SGD simulation); the covariance of the noise: beyond the paper",
    says="Expected gradients plus Gaussian noise of the right size stand in for SGD on tokens: same probability of the "
    "true sign, same noise in the attention.",
    control={"model": _ConstantNoise},
    breaks="the noise has the size it would have at the solution, wherever the run is",
)
def _check_30(model: type = models.GaussianSurrogate, block: int = 0) -> Result:
    """`model`: what stands in for the linear transformer on tokens."""
    task, runs = two_token_task(64), 500
    fake, law = share_right(task, 6, 0.04, seed_block(block, runs), model=model)
    real, _ = share_right(task, 6, 0.04, seed_block(block, runs))
    ratio = (_surrogate(model, block) / default.root_mean(default.stage2(block, 0.0), "beside"))[1:].mean()
    name = "signal over noise z of the sign (the share of right ones is Phi(z)), T = 64, batch 6"
    return result(
        Part(f"{name}, surrogate over tokens", z_of(fake, runs) / z_of(real, runs), 1.0, 0.25, drift=0.05),
        Part(f"{name}, surrogate over the law", z_of(fake, runs) / law, 1.0, 0.25, drift=0.05),
        Part("|Delta_A| of the surrogate over that of SGD, steps 500 to 700", ratio, 1.0, 0.05),
        seeds=seed_block(block, runs),
    )


