"""One attention step from a transferred start, its batch growing sample by sample, in plain Python.

Chapter `scb`. Source: arXiv 2410.23438, Section 4 and Theorem 4.1; the correlation is ours. Samples and gradient are
those of `textbook`; the start is that of `lib.models.scb.correlated_signal`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.models.scb.textbook import Settings, State, add_sample, draw_sample, untrained_on
from lib.models.scb.textbook_ring import Ring, ring_task, useful
from lib.portable.numbers import exp, log
from lib.portable.optimisers import keep_sum
from lib.portable.primitives import Matrix, Readings, Vector, divide, first, floor, inf, nan, sqrt, zero_matrix, zeros
from lib.portable.python import python_only, settings_from
from lib.portable.random_numbers import generator, normals
from lib.portable.vectors import add, dot, scale

RECORDS = 48  # batches at which the scores are looked at, besides the smallest
SMALLEST = 16  # samples


class OneStep(NamedTuple):
    """What a reader can choose."""

    T: int = 256  # length of the context, in tokens
    mu: Vector = [0.25, 0.25, 0.25, 0.25]  # noqa: RUF012 - law of at least 3 tokens: 2 have one signal, and its mirror
    Q: int = 2  # positions that matter
    c: float = 0.75  # strength of the transition, 0.01 to 1
    rho: float = 0.5  # correlation of the old transition with the new, -1 to 1
    samples: int = 16384  # the largest batch


@dataclass
class Scores:
    """The gradient of the attention so far, and the scores at the batches that are looked at."""

    settings: OneStep
    run: State  # task, start, gradient summed over samples
    samples: int
    count: int  # records so far
    batches: Vector  # (49,)
    found: Vector  # (49,) 1 where the support stands out
    margin: Vector  # (49,) lowest useful score by highest other, of the row where it is smallest
    frames: Vector  # (49 N T,) sizes of the scores, as a share of their row's largest


def batch_at(record: int, samples: int) -> int:
    """Batch of a record: from 16, each as many times larger than the one before, to all samples."""
    growth = log(float(samples) / float(SMALLEST)) * float(record) / float(RECORDS)
    return min(samples, floor(float(SMALLEST) * exp(growth) + 0.5))


def start(settings: OneStep, seed: int) -> Scores:
    """The transferred start: V = mu 1' + R_hat, uniform attention, no sample seen."""
    T, N = settings.T, len(settings.mu)
    require(N >= 3, "N", "at least 3 tokens", N)
    require(settings.rho >= -1.0 and settings.rho <= 1.0, "rho", "a correlation from -1 to 1", settings.rho)
    require(settings.samples >= 1024, "samples", "at least 1024 samples", settings.samples)
    task = ring_task(T, settings.mu, settings.Q, settings.c, generator(seed, 0))
    run = untrained_on(task, Settings(T, N, settings.Q, settings.c, 0.0, 0.0, 1, 0.0, 0, 0, 0, 0.0, 0.0), seed)
    signal = correlated_signal(run.task, settings.rho, generator(seed, 1))
    for j in range(N):
        add(run.V[j], 1.0, signal[j])
    room = RECORDS + 1
    return Scores(settings, run, 0, 0, zeros(room), zeros(room), zeros(room), zeros(room * N * T))


def correlated_signal(task: Ring, rho: float, random: Vector) -> Matrix:
    """R_hat, as strong as the task's R = P - mu 1' and of correlation rho with it; (N, N), token by token."""
    mu = task.mu
    N = len(mu)
    signal = zero_matrix(N, N)
    other = zero_matrix(N, N)
    mean = zeros(N)
    for j in range(N):
        normals(random, other[j])
        keep_sum(other[j])
        add(mean, mu[j], other[j])
    inner = 0.0
    for j in range(N):
        add(other[j], -1.0, mean)
        add(signal[j], 1.0, task.P[j])
        add(signal[j], -1.0, mu)
        inner += mu[j] * dot(other[j], signal[j])
    square = 0.0
    for j in range(N):
        add(other[j], -inner / task.K_P, signal[j])
        square += mu[j] * dot(other[j], other[j])
    for j in range(N):
        scale(signal[j], rho)
        add(signal[j], sqrt((1.0 - rho * rho) * task.K_P / square), other[j])
    return signal


def scores(state: Scores) -> Matrix:
    """(N, T) what one step would add to the attention, for a rate of 1: minus the rescaled gradient, rows of sum 0."""
    run = state.run
    result = zero_matrix(len(state.settings.mu), state.settings.T)
    for k in range(len(state.settings.mu)):
        add(result[k], -1.0 / float(state.samples) / run.task.mu[k], run.grad_A[k])
        keep_sum(result[k])
    return result


def steps_of(settings: OneStep) -> int:
    """Samples of the whole run."""
    return settings.samples


def advance(state: Scores, steps: int) -> None:
    """Take in so many samples, fewer where the run ends before."""
    run = state.run
    for _ in range(steps):
        if state.samples >= state.settings.samples:
            return
        k, label = draw_sample(run)
        add_sample(run, run.X, k, label)
        state.samples += 1
        if state.samples == batch_at(state.count, state.settings.samples):
            _keep(state)


def _keep(state: Scores) -> None:
    """Sizes of the scores, and how far those of the support stand out."""
    now, marks = scores(state), useful(state.run.task, state.settings.T)
    N, T = len(state.settings.mu), state.settings.T
    margin = inf
    for k in range(N):
        lowest_useful = inf
        highest_other = 0.0
        highest = 0.0
        for t in range(T):
            size = abs(now[k][t])
            highest = max(highest, size)
            if marks[k * T + t] > 0.0:
                lowest_useful = min(lowest_useful, size)
            else:
                highest_other = max(highest_other, size)
        margin = min(margin, divide(lowest_useful, highest_other) if highest > 0.0 else 0.0)
        for t in range(T):
            state.frames[(state.count * N + k) * T + t] = abs(now[k][t]) / highest if highest > 0.0 else 0.0
    state.batches[state.count] = float(state.samples)
    state.margin[state.count] = margin
    state.found[state.count] = 1.0 if margin > 1.0 else 0.0
    state.count += 1


def read(state: Scores) -> Readings:
    """So far: steps (the batches), found and margin, each (count,), and scores (count N T,); useful (N T,) of the task.

    The margin is the smallest, over the last tokens, of a row's lowest useful score by its highest other one; the
    support is found where it is above 1. A single step does not diverge.
    """
    n = state.count
    return {
        "steps": first(state.batches, n),
        "found": first(state.found, n),
        "margin": first(state.margin, n),
        "useful": useful(state.run.task, state.settings.T),
        "scores": first(state.frames, n * len(state.settings.mu) * state.settings.T),
        "diverged_at": [nan],
    }


@python_only
def run(seed: int = 0, **settings: float) -> Readings:
    """All batches up to the largest: `run(T=64, rho=0.3, samples=2048, seed=3)["found"]`."""
    state = start(settings_from(OneStep, settings), seed)
    advance(state, steps_of(state.settings))
    return read(state)
