"""A textbook whose readings have gaps: a number that is none, and two infinite ones, in a run that goes on."""

from dataclasses import dataclass
from typing import NamedTuple

from lib.portable.primitives import Readings, Vector, inf, nan, zeros

LAST = 10


class Settings(NamedTuple):
    """What a reader can choose, for nothing."""

    lr: float


@dataclass
class State:
    """How far it is."""

    settings: Settings
    step: int
    diverged_at: int


def start(settings: Settings, seed: int) -> State:
    """At step 0."""
    return State(settings, 0, -1)


def step(state: State) -> None:
    """One on."""
    state.step += 1


def done(state: State) -> bool:
    """Whether it is at the end."""
    return state.step >= LAST


def steps_of(settings: Settings) -> Vector:
    """(11,) every step."""
    steps = zeros(LAST + 1)
    for i in range(LAST + 1):
        steps[i] = float(i)
    return steps


def measure(state: State) -> Readings:
    """V, which is no number at step 3, and infinite at 6 and 7."""
    i = state.step
    return {"V": [nan if i == 3 else inf if i == 6 else -inf if i == 7 else 0.1 * float(i)]}
