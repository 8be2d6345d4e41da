"""Claims SCB-18, 30, 32 and 34: the noise of plain SGD, its floor, its Gaussian stand-in, its closure, the collapse.

Chapter `scb`. Beyond arXiv 2410.23438, which says that SGD is noisy (Section 5) and simulates it (Appendix I).
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scb.claims import _default as default
from hal.chapters.scb.claims.sign import share_right, two_token_task, z_of
from hal.chapters.scb.runs import learn
from hal.chapters.scb.runs.scaling import EQUAL_G, attention_alone, collapse
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import scb
from lib.models.scb.surrogate import Noise
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
    said = theory.closure(constants, _LR, default.BATCH, default.STEPS, record_at=at)
    loss = float(theory.irreducible_loss(mu, P, Q)) + said.excess_loss
    drift = theory.marginal_error(_LR / constants.K_Q, default.BATCH, loss)
    return Predicted(np.sqrt(said.error_V**2 + drift), said.error_V, said.error_A, said.delta_A)


@claim(
    "SCB-18",
    where="beyond the paper (Section 5 says that plain SGD suffers from gradient noise)",
    says=r"With $V=P$ given, plain SGD leaves the attention at a known distance from $Q$ that grows like $\eta T/B$; "
    "above a known step size it explodes.",
    control={"lr_V": _LR},
    breaks="$V$ is trained too: it gives way, and nothing explodes",
)
def _check_18(lr_V: float = 0.0, block: int = 0) -> Result:
    """`lr_V`: base step of V."""
    task, seeds = scb.ring_task(500, rng=0), seed_block(block, 6)
    constants = theory.constants(task.mu, task.P, task.Q)
    record = {"error": lambda p: scb.distance_A(p, task) ** 2}
    at = list(range(0, 401, 10))

    def floor(lr: float, batch: int) -> float:
        return float(task.mu @ theory.attention_floor(constants, lr, batch))

    parts = []
    for batch, rates in ((64, (0.02, 0.04)), (32, (0.02,))):
        lr = np.repeat(rates, 3)
        own = seeds[: len(lr)]
        run = attention_alone(task, own, lr=lr, batch=batch, steps=400, lr_V=lr_V, record=record, record_at=at)
        late = run["error"][:, run.steps >= 150].reshape(len(rates), -1).mean(axis=1)
        for rate, value in zip(rates, late, strict=True):
            name = f"mean |A - Q|^2, batch {batch}, lr {rate}"
            parts.append(Part(name, value, floor(rate, batch), 0.08, "relative"))
    critical = float(theory.critical_eta(constants, 16))
    rates = (critical / 2, 4 * critical)
    lr = np.repeat(rates, 3)
    run = attention_alone(
        task, seeds, lr=lr, batch=16, steps=600, lr_V=lr_V, record=record, record_at=range(0, 601, 25)
    )
    bounded = run["error"][:3, 10:].mean()
    parts += [
        Part("mean |A - Q|^2 at half the critical step, batch 16", bounded, floor(rates[0], 16), 0.15, "relative"),
        Part("share of runs that explode at 4 times the critical step", (run.diverged_at[3:] >= 0).mean(), 1.0),
        Part("share that explode at half of it", (run.diverged_at[:3] >= 0).mean(), 0.0),
    ]
    return result(*parts, seeds=seeds)


class _ConstantNoise(scb.GaussianSurrogate):
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
def _check_30(model: type = scb.GaussianSurrogate, block: int = 0) -> Result:
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


@claim(
    "SCB-34",
    where="beyond the paper",
    says=r"Context length, batch and step size matter to plain SGD through one number, $G=B/(\eta T)$: runs with "
    "equal $G$ end at the same error.",
    control={"settings": ((256, 32, 0.04), (512, 32, 0.04), (1024, 32, 0.04))},
    breaks="batch and step size are equal, so $G$ is not",
)
def _check_34(settings: tuple[tuple[int, int, float], ...] = EQUAL_G, block: int = 0) -> Result:
    """`settings`: (T, batch, lr) of each point."""
    seeds = seed_block(block, 3)
    found = collapse(settings, seeds)
    A = found["distance_A"]
    said = np.median(found["closure_A"])
    return result(
        Part("spread of |A - Q| over the settings, largest over smallest", A.max() / A.min(), 1.12, 0, "at most"),
        Part("median |A - Q|, against the closure", np.median(A), said, 0.05, "relative"),
        seeds=seeds,
    )
