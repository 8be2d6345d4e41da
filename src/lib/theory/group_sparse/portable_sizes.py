"""The population's loss over the number of groups: at the theorem's time D^3 steps, and the steps to a chosen loss.

Chapter `group_sparse`. Source: the time is arXiv 2504.08638's, Theorem 3.1. One flow after the other, so that a page
can show each as it comes: `start`, `advance`, `read` are the protocol of a portable run, a step is one flow, and
nothing is random.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, first, nan, zeros
from lib.portable.python import python_only, settings_from
from lib.theory.group_sparse.portable import law_of, path

SIZES = 8  # numbers of groups: 4, 6, 8, 12, 16, 24, 32, 48
TIMES = 86  # of a path: 0, and from 1 to 1e7, twelve a decade
LONGEST = 1e7  # learning rate times steps


class Settings(NamedTuple):
    """What a reader can choose."""

    D: int = 8  # groups of the path that is drawn
    lr: float = 0.2  # learning rate
    level: float = 0.01  # loss to reach, in nats


@dataclass
class State:
    """What is known so far."""

    settings: Settings
    scaled: Vector  # (8,) loss at D^3 steps, times D^2
    reached: Vector  # (8,) steps to the chosen loss
    done: int


def size(i: int) -> int:
    """Number i of the sizes: 4, 6, 8, 12, 16, 24, 32, 48."""
    D = 4 if i // 2 * 2 == i else 6
    for _ in range(i // 2):
        D *= 2
    return D


def log_times() -> Vector:
    """The times of a path: 0, then from 1 to 1e7 by a constant factor."""
    times = zeros(TIMES)
    for i in range(1, TIMES):
        times[i] = exp(log(LONGEST) * float(i - 1) / float(TIMES - 2))
    return times


def value_at(time: float, times: Vector, values: Vector) -> float:
    """A path's value on a straight line between logarithms; NaN before its second time and after its last."""
    for i in range(2, len(times)):
        if time >= times[1] and time <= times[i]:
            share = log(time / times[i - 1]) / log(times[i] / times[i - 1])
            return exp(log(values[i - 1]) + share * log(values[i] / values[i - 1]))
    return nan


def time_of(level: float, times: Vector, losses: Vector) -> float:
    """The time at which a falling loss reaches a level, on the same lines; NaN if not between the times."""
    for i in range(2, len(times)):
        if losses[i - 1] > level and losses[i] <= level:
            share = log(losses[i - 1] / level) / log(losses[i - 1] / losses[i])
            return exp(log(times[i - 1]) + share * log(times[i] / times[i - 1]))
    return nan


def start(settings: Settings, seed: int) -> State:
    """No size yet; there is nothing for a seed to decide."""
    require(seed >= 0, "seed", "a whole number of at least 0", seed)
    require(settings.D >= 2, "D", "at least 2 groups", settings.D)
    require(settings.lr > 0.0, "lr", "a number above 0", settings.lr)
    require(settings.level > 0.0, "level", "a loss above 0", settings.level)
    return State(settings, zeros(SIZES), zeros(SIZES), 0)


def steps_of(settings: Settings) -> int:
    """Flows, a step each."""
    return SIZES if settings.D > 0 else 0


def advance(state: State, steps: int) -> None:
    """So many more flows, fewer where all are done."""
    lr, times = state.settings.lr, log_times()
    for _ in range(steps):
        i = state.done
        if i >= SIZES:
            return
        D = size(i)
        _alpha, _leak, loss = path(law_of(D, 1.0), times, 1e-4)
        state.scaled[i] = float(D * D) * value_at(lr * float(D * D * D), times, loss)
        state.reached[i] = time_of(state.settings.level, times, loss) / lr
        state.done += 1


def read(state: State) -> Readings:
    """scaled and reached, as many as there are; diverged_at is NaN."""
    return {
        "scaled": first(state.scaled, state.done), "reached": first(state.reached, state.done), "diverged_at": [nan],
    }  # fmt: skip


@python_only
def run(seed: int = 0, **settings: float) -> Readings:
    """All sizes: `run(lr=0.2)["scaled"]`."""
    state = start(settings_from(Settings, settings), seed)
    advance(state, steps_of(state.settings))
    return read(state)
