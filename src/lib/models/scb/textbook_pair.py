"""Two textbook runs on the same tokens: plain SGD, and from the switch on SGD with the soft threshold.

Chapter `scb`. Source: arXiv 2410.23438, Section 5.1. Until the switch they are one run. Both keep V mu = mu, as the
prediction of SGD assumes; that is beyond the paper and hardly changes a run. Mirrored runs are measured upright.
"""

from __future__ import annotations

from dataclasses import dataclass

from lib.models.scb.textbook import Settings, State, add_sample, descend, draw_batch, draw_sample, untrained
from lib.models.scb.textbook_distances import distance_A, distance_V
from lib.models.scb.textbook_record import RECORDS, is_due, signal_A
from lib.portable.primitives import Readings, Vector, copy, first, nan, zeros
from lib.portable.python import python_only, settings_from
from lib.portable.vectors import add, fill, fill_rows


@dataclass
class Pair:
    """Both runs, and their distances to the answer."""

    sgd: State
    prox: State
    count: int  # records so far
    diverged_at: int  # of the first of the two that did; -1 while none has
    steps: Vector  # (49,)
    sgd_V: Vector
    sgd_A: Vector
    prox_V: Vector
    prox_A: Vector


def start(settings: Settings, seed: int) -> Pair:
    """Both before their first step; `stage1` is the time of the switch, there is no Stage 3."""
    plain = Settings(
        settings.T, settings.N, settings.Q, settings.c, settings.skew, settings.lr, settings.batch, 0.0,
        settings.stage1 + settings.stage2, 0, 0, settings.start_V, settings.start_A,
    )  # fmt: skip
    room = RECORDS + 1
    sgd, prox = untrained(plain, seed), untrained(settings, seed)
    state = Pair(sgd, prox, 0, -1, zeros(room), zeros(room), zeros(room), zeros(room), zeros(room))
    _keep(state)
    return state


def _keep(state: Pair) -> None:
    i = state.count
    sgd, prox = state.sgd, state.prox
    state.steps[i] = float(sgd.step)
    turned = signal_A(sgd.A, sgd.task) < 0.0
    state.sgd_V[i] = distance_V(sgd.V, sgd.task, turned)
    state.sgd_A[i] = distance_A(sgd.A, sgd.task, turned)
    if sgd.step > prox.settings.stage1:
        turned = signal_A(prox.A, prox.task) < 0.0
        state.prox_V[i] = distance_V(prox.V, prox.task, turned)
        state.prox_A[i] = distance_A(prox.A, prox.task, turned)
    else:
        state.prox_V[i] = state.sgd_V[i]
        state.prox_A[i] = state.sgd_A[i]
    state.count = i + 1


def keep_mean(state: State) -> None:
    """Put V mu back to mu."""
    drift, mu = state.look, state.task.mu
    fill(drift, 0.0)
    for j in range(len(mu)):
        add(drift, mu[j], state.V[j])
    for j in range(len(mu)):
        add(state.V[j], -1.0, drift)
        add(state.V[j], 1.0, mu)


def draw_both(state: Pair) -> tuple[float, float]:
    """The mean losses of both on the same fresh samples; their gradients are in both states."""
    sgd, prox = state.sgd, state.prox
    fill_rows(sgd.grad_V, 0.0)
    fill_rows(sgd.grad_A, 0.0)
    fill_rows(prox.grad_V, 0.0)
    fill_rows(prox.grad_A, 0.0)
    loss = 0.0
    other = 0.0
    for _ in range(sgd.settings.batch):
        k, label = draw_sample(sgd)
        loss += add_sample(sgd, sgd.X, k, label)
        other += add_sample(prox, sgd.X, k, label)
    return loss / float(sgd.settings.batch), other / float(sgd.settings.batch)


def steps_of(settings: Settings) -> int:
    """Steps after which both end."""
    return settings.stage1 + settings.stage2


def advance(state: Pair, steps: int) -> None:
    """Train both for so many steps, fewer where they end before. Where one diverges both end."""
    sgd, prox = state.sgd, state.prox
    for _ in range(steps):
        if state.diverged_at >= 0 or sgd.step >= steps_of(state.prox.settings):
            return
        apart = sgd.step >= prox.settings.stage1
        if sgd.step == prox.settings.stage1:
            for k in range(len(sgd.A)):
                prox.V[k] = copy(sgd.V[k])
                prox.A[k] = copy(sgd.A[k])
        loss = 0.0
        other = 0.0
        if apart:
            loss, other = draw_both(state)
        else:
            loss = draw_batch(sgd)
        if not (loss <= 1e9 and other <= 1e9):
            state.diverged_at = sgd.step
            return
        descend(sgd)
        keep_mean(sgd)
        if apart:
            prox.step = sgd.step
            descend(prox)
            keep_mean(prox)
        sgd.step += 1
        while is_due(state.count, sgd.step, steps_of(state.prox.settings)):
            _keep(state)


def read(state: Pair) -> Readings:
    """So far: steps, sgd_V, sgd_A, prox_V, prox_A, each (count,); mirrored, 1 if SGD is; and diverged_at."""
    n = state.count
    return {
        "steps": first(state.steps, n),
        "sgd_V": first(state.sgd_V, n),
        "sgd_A": first(state.sgd_A, n),
        "prox_V": first(state.prox_V, n),
        "prox_A": first(state.prox_A, n),
        "mirrored": [1.0 if signal_A(state.sgd.A, state.sgd.task) < 0.0 else 0.0],
        "diverged_at": [float(state.diverged_at) if state.diverged_at >= 0 else nan],
    }


@python_only
def run(seed: int = 0, **settings: float) -> Readings:
    """A whole pair: `run(T=64, lr=0.05, threshold=0.002, stage1=100, stage2=100, seed=3)["prox_A"]`."""
    state = start(settings_from(Settings, settings), seed)
    advance(state, steps_of(state.prox.settings))
    return read(state)
