"""A run for tests that takes a moment: attention that settles on one position a row, in the portable subset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.portable.primitives import Readings, Vector, first, zeros
from lib.portable.random_numbers import generator, uniform
from lib.portable.records import ended, even_steps

RECORDS = 20


class Settings(NamedTuple):
    """What a reader can choose."""

    N: int = 3
    T: int = 12
    lr: float = 0.1
    start_V: float = 0.1
    start_A: float = 0.1
    mu: Vector = [0.5, 0.3, 0.2]  # noqa: RUF012 - portable settings are plain
    steps: int = 100


@dataclass
class State:
    """Attention (N, T) row by row, two signals, and what was recorded."""

    settings: Settings
    attention: Vector
    V: float
    A: float
    random: Vector
    step: int
    diverged_at: int
    count: int
    steps: Vector
    signal_V: Vector
    signal_A: Vector
    frames: Vector
    rows: Vector


def start(settings: Settings, seed: int) -> State:
    """Even attention."""
    require(settings.T >= settings.N, "T", "at least N positions", settings.T)
    room = RECORDS + 1
    size = settings.N * settings.T
    attention = zeros(size)
    for i in range(size):
        attention[i] = 1.0 / float(settings.T)
    state = State(
        settings, attention, settings.start_V, settings.start_A, generator(seed, 0), 0, -1, 0, zeros(room),
        zeros(room), zeros(room), zeros(room * size), zeros(room * settings.N),
    )  # fmt: skip
    write(state)
    return state


def write(state: State) -> None:
    """Record the present."""
    settings, i = state.settings, state.count
    size = settings.N * settings.T
    state.steps[i] = float(state.step)
    state.signal_V[i] = state.V
    state.signal_A[i] = state.A
    for j in range(size):
        state.frames[i * size + j] = state.attention[j]
    for k in range(settings.N):
        state.rows[i * settings.N + k] = state.attention[k * settings.T + k]
    state.count = i + 1


def step(state: State) -> None:
    """Signals grow with some noise, row k of the attention moves to position k; a large rate diverges."""
    settings = state.settings
    rate = settings.lr * (1.0 + 0.4 * (uniform(state.random) - 0.5))
    move_V = rate * (state.A - state.V * state.A * state.A)
    state.A += rate * (state.V - state.A * state.V * state.V)
    state.V += move_V
    for k in range(settings.N):
        for t in range(settings.T):
            goal = 1.0 if t == k else 0.0
            state.attention[k * settings.T + t] += 0.3 * rate * (goal - state.attention[k * settings.T + t])
    state.step += 1
    if not abs(state.V) <= 50.0:
        state.diverged_at = state.step
    elif state.step * RECORDS >= state.count * settings.steps:
        write(state)


def done(state: State) -> bool:
    """Whether it has made all its steps, or diverged."""
    return state.diverged_at >= 0 or state.step >= state.settings.steps


def steps_of(settings: Settings) -> Vector:
    """(K,) the steps of its records."""
    return even_steps(settings.steps, RECORDS)


def read(state: State) -> Readings:
    """What was recorded."""
    n, size = state.count, state.settings.N * state.settings.T
    return {
        "steps": first(state.steps, n),
        "V": first(state.signal_V, n),
        "A": first(state.signal_A, n),
        "attention": first(state.frames, n * size),
        "own": first(state.rows, n * state.settings.N),
        "diverged_at": ended(state.diverged_at),
    }
