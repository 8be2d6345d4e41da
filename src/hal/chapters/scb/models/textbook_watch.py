"""A textbook run to be watched: its attention, what it expects after each token, and its exact loss.

Chapter `scb`. Source: arXiv 2410.23438, Algorithm 1, Stage 1. The run is that of `textbook`, with any token law.
"""

from dataclasses import dataclass
from typing import NamedTuple

from hal.chapters.scb.models.textbook_measures import excess_loss, likeliest
from lib.models.scb.textbook import RECORDS, Settings, State, ring_task, signal_V, start_on
from lib.models.scb.textbook import done as run_done
from lib.models.scb.textbook import step as step_run
from lib.portable.primitives import Readings, Vector, whole_zeros, zeros
from lib.portable.random_numbers import generator
from lib.portable.records import Records, column, columns, ended, even_steps, new_row, room_for
from lib.portable.tokens import draw_tokens


class Watched(NamedTuple):
    """What a reader can choose."""

    T: int = 64  # length of the context, in tokens
    mu: Vector = [0.25, 0.25, 0.25, 0.25]  # noqa: RUF012 - law of the tokens
    Q: int = 2  # positions that matter
    c: float = 0.75  # strength of the transition, 0.01 to 1
    lr: float = 0.02  # learning rate
    batch: int = 32  # samples a step
    steps: int = 400


@dataclass
class Watch:
    """A run, and what is seen of it."""

    run: State
    kept: Records  # loss, alpha_V, attention on the true positions; A, row by row; V, token by token
    first: float  # the loss at the start


def steps_of(settings: Watched) -> Vector:
    """(49,) the steps of a whole run's records."""
    return even_steps(settings.steps, RECORDS)


def start(settings: Watched, seed: int) -> Watch:
    """The paper's start on a ring task whose positions the seed chooses."""
    T, N = settings.T, len(settings.mu)
    task = ring_task(T, settings.mu, settings.Q, settings.c, generator(seed, 0))
    plain = Settings(
        T, N, settings.Q, settings.c, 0.0, settings.lr, settings.batch, 0.0, settings.steps, 0, 0, 0.0, 0.0
    )
    run = start_on(task, plain, seed)
    state = Watch(run, room_for(steps_of(settings), 3 + N * T + N * N), excess_loss(run.V, run.A, task))
    keep(state)
    return state


def keep(state: Watch) -> None:
    """Measure and copy, for the record that the run has just made."""
    run, row = state.run, new_row(state.kept)
    task, T, N = run.task, len(run.A[0]), len(run.A)
    row[0] = excess_loss(run.V, run.A, task) / state.first
    row[1] = signal_V(run.V, task)
    for k in range(N):
        for q in range(len(task.w)):
            row[2] += task.mu[k] * run.A[k][task.s[k][q]]
    for k in range(N):
        for t in range(T):
            row[3 + k * T + t] = run.A[k][t]
    for j in range(N):
        for i in range(N):
            row[3 + N * T + j * N + i] = run.V[j][i]


def step(state: Watch) -> None:
    """One step, and a picture for each of its records."""
    step_run(state.run)
    while state.kept.count < state.run.kept.count:
        keep(state)


def done(state: Watch) -> bool:
    """Whether the run has ended."""
    return run_done(state.run)


def read(state: Watch) -> Readings:
    """Of each record steps, loss (a fraction of the start's, exact), alpha_V and on_true (the attention on the true
    positions, over all last tokens), each (count,); attention (count N T,), last token by last token, and outputs
    (count N N,). Of the task: answer (N T,), the weights at the true positions, likeliest (N N,), 1 where P is largest,
    and one context, tokens (T,).
    """
    run, kept, T, N = state.run, state.kept, len(state.run.A[0]), len(state.run.A)
    answer, tokens, context = zeros(N * T), zeros(T), whole_zeros(T)
    draw_tokens(run.tokens, generator(0, 1), context)
    for t in range(T):
        tokens[t] = float(context[t])
    for k in range(N):
        for q in range(len(run.task.w)):
            answer[k * T + run.task.s[k][q]] = run.task.w[q]
    return {
        "steps": column(run.kept, 0), "loss": column(kept, 0), "alpha_V": column(kept, 1), "on_true": column(kept, 2),
        "attention": columns(kept, 3, N * T), "outputs": columns(kept, 3 + N * T, N * N), "answer": answer,
        "tokens": tokens, "likeliest": likeliest(run.task), "diverged_at": ended(run.diverged_at),
    }  # fmt: skip
