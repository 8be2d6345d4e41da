"""Two textbook runs on the same tokens: plain SGD, and from the switch on SGD with the soft threshold.

Chapter `scb`. Source: arXiv 2410.23438, Section 5.1. Until the switch they are one run. Both keep V mu = mu, as the
prediction of SGD assumes; that is beyond the paper and hardly changes a run. Mirrored runs are measured upright.
"""

from dataclasses import dataclass

from lib.models.scb.textbook import Settings, State, add_sample, descend, draw_sample, gradient, steps_of
from lib.models.scb.textbook import start as start_run
from lib.models.scb.textbook_measures import distance_A, distance_V, signal_A
from lib.portable.primitives import Readings, copy
from lib.portable.records import Records, column, ended, is_due, new_row, room_for
from lib.portable.vectors import add, fill, fill_rows

__all__ = ["done", "read", "start", "step", "steps_of"]


@dataclass
class Pair:
    """Both runs, and their distances to the answer."""

    sgd: State
    prox: State
    kept: Records  # step, sgd_V, sgd_A, prox_V, prox_A
    diverged_at: int  # of the first of the two that did; -1 while none has


def start(settings: Settings, seed: int) -> Pair:
    """Both before their first step; `stage1` is the time of the switch, there is no Stage 3."""
    plain = Settings(
        settings.T, settings.N, settings.Q, settings.c, settings.skew, settings.lr, settings.batch, 0.0,
        settings.stage1 + settings.stage2, 0, 0, settings.start_V, settings.start_A,
    )  # fmt: skip
    state = Pair(start_run(plain, seed), start_run(settings, seed), room_for(steps_of(settings), 5), -1)
    keep(state)
    return state


def keep(state: Pair) -> None:
    """Measure both, each upright."""
    sgd, prox, row = state.sgd, state.prox, new_row(state.kept)
    turned = signal_A(sgd.A, sgd.task) < 0.0
    row[0] = float(sgd.step)
    row[1] = distance_V(sgd.V, sgd.task, turned)
    row[2] = distance_A(sgd.A, sgd.task, turned)
    row[3] = row[1]
    row[4] = row[2]
    if sgd.step > prox.settings.stage1:
        turned = signal_A(prox.A, prox.task) < 0.0
        row[3] = distance_V(prox.V, prox.task, turned)
        row[4] = distance_A(prox.A, prox.task, turned)


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


def step(state: Pair) -> None:
    """One step of both. Where one diverges both end."""
    sgd, prox = state.sgd, state.prox
    apart = sgd.step >= prox.settings.stage1
    if sgd.step == prox.settings.stage1:
        for k in range(len(sgd.A)):
            prox.V[k] = copy(sgd.V[k])
            prox.A[k] = copy(sgd.A[k])
    if apart:
        shared_samples(state)
    else:
        gradient(sgd)
    if not sgd.loss <= 1e9 or (apart and not prox.loss <= 1e9):
        state.diverged_at = sgd.step
        return
    descend(sgd)
    keep_mean(sgd)
    if apart:
        prox.step = sgd.step
        descend(prox)
        keep_mean(prox)
    sgd.step += 1
    while is_due(state.kept, float(sgd.step)):
        keep(state)


def done(state: Pair) -> bool:
    """Whether all steps are made, or one of the two has diverged."""
    return state.diverged_at >= 0 or state.sgd.step >= state.sgd.settings.stage1


def read(state: Pair) -> Readings:
    """So far: steps, sgd_V, sgd_A, prox_V, prox_A, each (count,); mirrored, 1 if SGD is; and diverged_at."""
    kept = state.kept
    return {
        "steps": column(kept, 0), "sgd_V": column(kept, 1), "sgd_A": column(kept, 2), "prox_V": column(kept, 3),
        "prox_A": column(kept, 4), "mirrored": [1.0 if signal_A(state.sgd.A, state.sgd.task) < 0.0 else 0.0],
        "diverged_at": ended(state.diverged_at),
    }  # fmt: skip
