"""One task, a slow and a fast read-out: when does attention move, and what has the clock come to?

Chapter `atlas`. Source: our own. The task is that of chapter 1, with its textbook's samples and gradients (see
`places.py`); each layer has a rate of its own, and both move by gradient descent. The page runs this file, translated.
Both runs see the samples of one seed.
"""

from dataclasses import dataclass
from typing import NamedTuple

from hal.chapters.atlas.models.layers import Rates
from hal.chapters.atlas.models.places import Places, advance, begin
from hal.chapters.atlas.models.update import GRADIENT
from lib.errors import require
from lib.models.scb.textbook import signal_A, signal_V
from lib.portable.primitives import Readings, Vector, copy, nan
from lib.portable.records import even_steps, reached
from lib.portable.vectors import filled

RECORDS = 50  # of a whole run, besides the one at its start
LEVEL = 0.3  # attention's signal where it moves
SLOW = 0.5  # of the middle learning rate of the read-out
FAST = 2.0


class Settings(NamedTuple):
    """What a reader can choose."""

    T: int = 128  # length of the context, in tokens
    N: int = 3  # tokens in the vocabulary
    batch: int = 64  # samples a step, B
    lr_V: float = 0.02  # middle learning rate of the read-out
    lr_A: float = 0.02  # learning rate of attention
    steps: int = 300


@dataclass
class Race:
    """Two runs, at half and at twice the learning rate of the read-out."""

    settings: Settings
    slow: Places
    fast: Places
    step: int
    lost: float  # the step at which a run was lost; not a number while none is
    diverged_at: int  # -1 throughout: where one run is lost the other goes on


def steps_of(settings: Settings) -> Vector:
    """(51,) the steps of a whole run's records."""
    return even_steps(settings.steps, RECORDS)


def lane(settings: Settings, factor: float, seed: int) -> Places:
    """A run at `factor` times the read-out's learning rate, before its first step."""
    rates = Rates(GRADIENT, factor * settings.lr_V / 0.02, settings.lr_A / 0.02)
    return begin(settings.T, settings.N, settings.batch, rates, seed)


def start(settings: Settings, seed: int) -> Race:
    """Both runs from the start of chapter 1: V says the same of every token, attention is uniform."""
    require(settings.steps >= 1, "steps", "at least 1 step", settings.steps)
    require(settings.lr_V >= 0.0, "lr_V", "a number of at least 0", settings.lr_V)
    require(settings.lr_A >= 0.0, "lr_A", "a number of at least 0", settings.lr_A)
    return Race(settings, lane(settings, SLOW, seed), lane(settings, FAST, seed), 0, nan, -1)


def go(race: Race, run: Places) -> None:
    """One step of a run that is not lost."""
    if not run.now.lost:
        advance(run)
        race.lost = float(race.step) if run.now.lost else race.lost


def step(race: Race) -> None:
    """One step of both runs."""
    race.step += 1
    go(race, race.slow)
    go(race, race.fast)


def done(race: Race) -> bool:
    """Whether all steps are made."""
    return race.step >= race.settings.steps


def signal(run: Places) -> float:
    """The signal of a run's attention."""
    return signal_A(run.model.A, run.model.task)


def left(run: Places) -> float:
    """The share of the error that is left: what the output lacks of the best one."""
    return 1.0 - signal(run) * signal_V(run.model.V, run.model.task)


def measure(race: Race) -> Readings:
    """Of each run where it looks from the first token (T,), the error left, its signal and its clock, (1,) each.

    right (T,) is the attention of a layer that has learned the task, NaN where it does not look.
    """
    slow, fast, right = race.slow, race.fast, filled(race.settings.T, nan)
    for q in range(len(fast.model.task.w)):
        right[fast.model.task.s[0][q]] = fast.model.task.w[q]
    return {
        "slow_looks": copy(slow.model.A[0]), "slow_left": [left(slow)], "slow_signal": [signal(slow)],
        "slow_clock": [slow.now.clock], "fast_clock": [fast.now.clock], "right": right,
        "fast_looks": copy(fast.model.A[0]), "fast_left": [left(fast)], "fast_signal": [signal(fast)],
    }  # fmt: skip


def clock_at(at: float, steps: Vector, clock: Vector) -> float:
    """The clock at step `at`, where attention moves, on a straight line between two records; NaN if it does not."""
    for i in range(1, len(clock)):
        if at <= steps[i]:
            return clock[i - 1] + (clock[i] - clock[i - 1]) * (at - steps[i - 1]) / (steps[i] - steps[i - 1])
    return nan


def stopped(values: Vector, steps: Vector, half: float, last: float) -> Vector:
    """(51,) the values, from the step where attention moves on the one there."""
    found = copy(values)
    for i in range(len(found)):
        if steps[i] >= half:
            found[i] = last
    return found


def at_end(race: Race, slow_signal: Vector, slow_clock: Vector, fast_signal: Vector, fast_clock: Vector) -> Readings:
    """Both clocks and their steps up to where attention moves, (51,) each; half_step and half_clock (2,), slow first,
    NaN where attention does not move. Diverged is where a run was lost.
    """
    s = steps_of(race.settings)
    slow, fast = reached(s, slow_signal, LEVEL), reached(s, fast_signal, LEVEL)
    slow_full, fast_full = clock_at(slow, s, slow_clock), clock_at(fast, s, fast_clock)
    return {
        "half_step": [slow, fast], "diverged_at": [race.lost], "half_clock": [slow_full, fast_full],
        "slow_fills": stopped(slow_clock, s, slow, slow_full), "slow_steps": stopped(s, s, slow, slow),
        "fast_fills": stopped(fast_clock, s, fast, fast_full), "fast_steps": stopped(s, s, fast, fast),
    }  # fmt: skip
