"""The textbook on a ring with any law of its tokens, Stage 1 alone: chapter `scb`, arXiv 2410.23438, Algorithm 1."""

from typing import NamedTuple

from lib.models.scb.textbook import RECORDS, Settings, State, done, ring_task, start_on, step
from lib.portable.primitives import Vector
from lib.portable.random_numbers import generator
from lib.portable.records import even_steps

__all__ = ["Law", "done", "start", "step", "steps_of"]


class Law(NamedTuple):
    """Settings of a run."""

    T: int = 64  # length of the context, in tokens
    mu: Vector = [0.25, 0.25, 0.25, 0.25]  # noqa: RUF012 - law of the tokens
    Q: int = 2  # positions that matter
    c: float = 0.75  # strength of the transition, 0.01 to 1
    lr: float = 0.02  # learning rate
    batch: int = 32  # samples a step
    steps: int = 400


def steps_of(settings: Law) -> Vector:
    """(49,) the steps of a whole run's records."""
    return even_steps(settings.steps, RECORDS)


def start(settings: Law, seed: int) -> State:
    """The paper's start on a ring task whose positions the seed chooses."""
    s = settings
    task = ring_task(s.T, s.mu, s.Q, s.c, generator(seed, 0))
    return start_on(task, Settings(T=s.T, N=len(s.mu), Q=s.Q, c=s.c, lr=s.lr, batch=s.batch, stage1=s.steps), seed)
