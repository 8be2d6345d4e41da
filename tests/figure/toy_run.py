"""A run for tests that takes a moment: attention that settles on one position a row, in the portable subset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.portable.primitives import Readings, Vector, zeros
from lib.portable.random_numbers import generator, uniform
from lib.portable.records import even_steps

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
    """Attention (N, T) row by row, and two signals."""

    settings: Settings
    attention: Vector
    V: float
    A: float
    random: Vector
    step: int
    diverged_at: int


def start(settings: Settings, seed: int) -> State:
    """Even attention."""
    require(settings.T >= settings.N, "T", "at least N positions", settings.T)
    attention = zeros(settings.N * settings.T)
    for i in range(len(attention)):
        attention[i] = 1.0 / float(settings.T)
    return State(settings, attention, settings.start_V, settings.start_A, generator(seed, 0), 0, -1)


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


def done(state: State) -> bool:
    """Whether it has made all its steps, or diverged."""
    return state.diverged_at >= 0 or state.step >= state.settings.steps


def steps_of(settings: Settings) -> Vector:
    """(K,) the steps of its records."""
    return even_steps(settings.steps, RECORDS)


def measure(state: State) -> Readings:
    """Both signals, attention (N, T), and of each row what lies on its own position (N,)."""
    own = zeros(state.settings.N)
    for k in range(state.settings.N):
        own[k] = state.attention[k * state.settings.T + k]
    return {"V": [state.V], "A": [state.A], "attention": state.attention, "own": own}
