"""Stage 1 with many seeds: which sign its runs take, how long it lasts, and what can be read off then."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from hal.chapters.scb.runs import learn
from lib.models import scb
from lib.sampling import Rngs
from lib.theory import scb as theory

LEVEL = 0.1  # a run leaves Stage 1 when a coordinate reaches this size


class Stage1(NamedTuple):
    """What R runs show when they leave Stage 1 (or at the end, if they have not)."""

    right: NDArray[np.bool_]  #: (R,) the signal has the true sign
    support: NDArray[np.bool_]  #: (R,) the support of Q can be read off, up to the mirror
    steps: NDArray[np.int64]  #: (R,)


class TwinTokens(scb.LinearTransformer):
    """The model on contexts whose tokens come in pairs of equals: positions 2i and 2i + 1 hold the same."""

    def sample(self, batch: int, rngs: Rngs, step: int = 0) -> scb.Batch:
        """Samples of the task in which every token of an even place is repeated in the next."""
        half = scb.Task(self.task.mu, self.task.P, self.task.Q[:, ::2] + self.task.Q[:, 1::2])
        drawn = scb.sample(half, batch, rngs)
        return drawn._replace(draws=np.repeat(drawn.draws, 2, axis=-1))


@lru_cache(maxsize=8)
def two_token_task(T: int) -> scb.Task:
    """The ring task of two tokens: a batch of some six samples fills both columns, so that the sign law is good."""
    return scb.ring_task(T, 2, rng=0)


@lru_cache(maxsize=16)
def stage1(
    task: scb.Task, batch: int, lr: float, seeds: range, random_V: float = 0.0, model: type | None = None
) -> Stage1:
    """Plain SGD, 1.4 times as many steps as theory gives Stage 1; remembered.

    Args:
        task: one task.
        batch: samples a step.
        lr: base step.
        seeds: of the runs.
        random_V: size of a random centred matrix added to V at the start.
        model: what is trained on the task; default the linear transformer on tokens.
    """
    T, runs = task.T, len(seeds)
    steps = int(1.4 * float(theory.escape_time(LEVEL, lr, task.K_Q, T)))
    start = scb.LinearTransformer(task).init(runs)
    noise = np.random.default_rng(seeds[0]).standard_normal(start.V.shape)
    start = scb.Params(start.V + random_V * scb.centred(noise, task.mu), start.A)
    record = {
        "V": lambda p: scb.alpha_V(p, task),
        "A": lambda p: scb.alpha_A(p, task),
        "support": lambda p: scb.support_recovered(p, task),
    }
    at = np.unique(np.r_[np.arange(0, steps, max(1, steps // 50)), steps])
    run = learn(
        task,
        seeds,
        lr=lr,
        batch=batch,
        steps=steps,
        record=record,
        record_at=at,
        start=start,
        model=None if model is None else model(task),
    )
    out = np.maximum(np.abs(run["V"]), np.abs(run["A"])) >= LEVEL  # (R, K)
    first = np.where(out.any(axis=1), out.argmax(axis=1), len(at) - 1)
    each = np.arange(runs)
    return Stage1(run["V"][each, first] > 0, run["support"][each, first] > 0, at[first])


def share_right(
    task: scb.Task, batch: int, lr: float, seeds: range, random_V: float = 0.0, model: type | None = None
) -> tuple[float, float]:
    """Share of the runs of `stage1` with the true sign, and the signal over noise z that the sign law gives them."""
    z = theory.sign_z(batch, lr, theory.constants(task.mu, task.P, task.Q).s2, task.T)
    return float(stage1(task, batch, lr, seeds, random_V, model).right.mean()), float(z)


def z_of(share: float, runs: int) -> float:
    """The z whose Phi(z) is the share; a share of 0 or 1 says no more than half a run."""
    return float(ndtri(np.clip(share, 0.5 / runs, 1 - 0.5 / runs)))


def z_error(share: float, runs: int) -> float:
    """Standard error of `z_of`."""
    p = np.clip(share, 0.5 / runs, 1 - 0.5 / runs)
    return float(np.sqrt(p * (1 - p) / runs * 2 * np.pi) * np.exp(0.5 * ndtri(p) ** 2))
