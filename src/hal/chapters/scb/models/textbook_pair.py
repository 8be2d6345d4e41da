"""Two textbook runs on the same tokens, with and without the soft threshold of Stage 2; neither has a Stage 3.

Chapter `scb`. Source: arXiv 2410.23438, Algorithm 1 and Section 5.1. Until the switch they are one run. Both keep
V mu = mu, as the prediction of SGD assumes; that is beyond the paper and hardly changes a run.
"""

from dataclasses import dataclass

from lib.models.scb.textbook import Settings, State, add_sample, descend, draw_sample, gradient, steps_of
from lib.models.scb.textbook import start as start_run
from lib.portable.primitives import copy
from lib.portable.vectors import add, fill, fill_rows

__all__ = ["done", "start", "step", "steps_of"]


@dataclass
class Pair:
    """Both runs."""

    sgd: State
    prox: State
    step: int
    diverged_at: int  # of the first of the two that did; -1 while none has


def start(settings: Settings, seed: int) -> Pair:
    """Both before their first step; `stage1` is the time of the switch."""
    s = settings
    plain = Settings(
        T=s.T, mu=s.mu, Q=s.Q, c=s.c, lr=s.lr, batch=s.batch, stage1=s.stage1, stage2=s.stage2, start_V=s.start_V,
        start_A=s.start_A, ratio=s.ratio,
    )  # fmt: skip
    return Pair(start_run(plain, seed), start_run(settings, seed), 0, -1)


def keep_mean(state: State) -> None:
    """Put V mu back to mu."""
    drift, mu = state.look, state.task.mu
    fill(drift, 0.0)
    for j in range(len(mu)):
        add(drift, mu[j], state.V[j])
    for j in range(len(mu)):
        add(state.V[j], -1.0, drift)
        add(state.V[j], 1.0, mu)


def shared_samples(state: Pair) -> None:
    """The mean losses of both on the same fresh samples, and their gradients, in both states."""
    sgd, prox = state.sgd, state.prox
    fill_rows(sgd.grad_V, 0.0)
    fill_rows(sgd.grad_A, 0.0)
    fill_rows(prox.grad_V, 0.0)
    fill_rows(prox.grad_A, 0.0)
    sgd.loss = 0.0
    prox.loss = 0.0
    for _ in range(sgd.settings.batch):
        k, label = draw_sample(sgd)
        sgd.loss += add_sample(sgd, sgd.X, k, label)
        prox.loss += add_sample(prox, sgd.X, k, label)
    sgd.loss = sgd.loss / float(sgd.settings.batch)
    prox.loss = prox.loss / float(sgd.settings.batch)


def split(state: Pair) -> None:
    """What happens once, at the switch: both are alike."""
    for k in range(len(state.sgd.A)):
        state.prox.V[k] = copy(state.sgd.V[k])
        state.prox.A[k] = copy(state.sgd.A[k])


def step(state: Pair) -> None:
    """One step of both. Where one diverges both end."""
    sgd, prox = state.sgd, state.prox
    apart = state.step >= sgd.settings.stage1
    if state.step == sgd.settings.stage1:
        split(state)
    if apart:
        shared_samples(state)
    else:
        gradient(sgd)
    if not sgd.loss <= 1e9 or (apart and not prox.loss <= 1e9):
        state.diverged_at = state.step
        return
    descend(sgd)
    keep_mean(sgd)
    if apart:
        prox.step = state.step
        descend(prox)
        keep_mean(prox)
    state.step += 1


def done(state: Pair) -> bool:
    """Whether all steps are made, or one of the two has diverged."""
    settings = state.sgd.settings
    return state.diverged_at >= 0 or state.step >= settings.stage1 + settings.stage2
