"""One attention step from a transferred start, its batch growing sample by sample, in plain Python.

Chapter `scb`. Source: arXiv 2410.23438, Section 4 and Theorem 4.1; the correlation is ours. Samples and gradient are
those of `textbook`; the start is that of `correlated_signal` of `builders`.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.models.scb.textbook import Ring, Settings, State, add_sample, draw_sample, ring_task, start_on
from lib.portable.numbers import exp, log
from lib.portable.optimisers import keep_sum
from lib.portable.primitives import Matrix, Vector, floor, sqrt, zero_matrix, zeros
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
    step: int  # samples so far
    diverged_at: int  # a single step does not


def steps_of(settings: OneStep) -> Vector:
    """(49,) the batches that are looked at: 16, each as many times larger than the one before, to all samples."""
    due = zeros(RECORDS + 1)
    for i in range(RECORDS + 1):
        growth = log(float(settings.samples) / float(SMALLEST)) * float(i) / float(RECORDS)
        due[i] = float(min(settings.samples, floor(float(SMALLEST) * exp(growth) + 0.5)))
    return due


def start(settings: OneStep, seed: int) -> Scores:
    """The transferred start: V = mu 1' + R_hat, uniform attention, no sample seen."""
    T, N = settings.T, len(settings.mu)
    require(N >= 3, "N", "at least 3 tokens", N)
    require(settings.rho >= -1.0 and settings.rho <= 1.0, "rho", "a correlation from -1 to 1", settings.rho)
    require(settings.samples >= 1024, "samples", "at least 1024 samples", settings.samples)
    task = ring_task(T, settings.mu, settings.Q, settings.c, generator(seed, 0))
    run = start_on(task, Settings(T=T, mu=settings.mu, Q=settings.Q, c=settings.c, lr=0.0, batch=1), seed)
    signal = correlated_signal(run.task, settings.rho, generator(seed, 1))
    for j in range(N):
        add(run.V[j], 1.0, signal[j])
    return Scores(settings, run, 0, -1)


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
        add(result[k], -1.0 / float(state.step) / run.task.mu[k], run.grad_A[k])
        keep_sum(result[k])
    return result


def step(state: Scores) -> None:
    """Take in one sample more."""
    k, label = draw_sample(state.run)
    add_sample(state.run, state.run.X, k, label)
    state.step += 1


def done(state: Scores) -> bool:
    """Whether the batch is complete."""
    return state.step >= state.settings.samples
