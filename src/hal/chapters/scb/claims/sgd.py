"""Claims SCB-30 and SCB-32: the noise of plain SGD, its Gaussian stand-in and its closure.

Chapter `scb`. Beyond arXiv 2410.23438, which says that SGD is noisy (Section 5) and simulates it (Appendix I).
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scb import models
from hal.chapters.scb import theory as beyond
from hal.chapters.scb.claims import _default as default
from hal.chapters.scb.claims.sign import share_right, two_token_task, z_of
from hal.chapters.scb.models.surrogate import Noise
from hal.chapters.scb.runs import learn
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import scb
from lib.theory import scb as theory

_LR = default.LR


class Predicted(NamedTuple):
    """The default run of plain SGD as theory has it at the steps `default.LATE` after Stage 1, each (K,)."""

    V: NDArray[np.float64]  #: |V - P|, with what V mu is off mu
    kept_V: NDArray[np.float64]  #: |V - P| without it
    A: NDArray[np.float64]  #: |A - Q|
    beside: NDArray[np.float64]  #: |Delta_A|


def predicted(tasks: scb.Task) -> Predicted:
    """The closure for the default run; its tasks differ in the positions of Q alone, which do not matter."""
    mu, P, Q = tasks.mu[0], tasks.P[0], tasks.Q[0]
    constants, at = theory.constants(mu, P, Q), [default.SWITCH + step for step in default.LATE]
    said = beyond.closure(constants, _LR, default.BATCH, at)
    loss = float(theory.irreducible_loss(mu, P, Q)) + said.excess_loss
    drift = beyond.marginal_error(_LR / constants.K_Q, default.BATCH, loss)
    return Predicted(np.sqrt(said.error_V**2 + drift), said.error_V, said.error_A, said.delta_A)


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


@claim(
    "SCB-32",
    where="beyond the paper",
    says="The whole curve of plain SGD after Stage 1 follows from $N+3$ numbers, without drawing a single token.",
    control={"threshold": 0.05},
    breaks="a soft threshold is on, for which the closure was not made",
)
def _check_32(threshold: float = 0.0, block: int = 0) -> Result:
    """`threshold`: of Stage 2, in units of lr."""
    run, said = default.stage2(block, threshold), predicted(default.tasks(block))
    kept_V = np.sqrt((run["V"] - run["drift"]).mean(axis=0))
    off = {
        "|V - P| without the error of V mu": kept_V / said.kept_V,
        "|A - Q|": default.root_mean(run, "A") / said.A,
        "|Delta_A|": default.root_mean(run, "beside") / said.beside,
    }
    parts = [Part(f"{name}, over the closure, steps 500 to 700", r[1:].mean(), 1.0, 0.05) for name, r in off.items()]
    return result(*parts, seeds=default.seeds(block))
