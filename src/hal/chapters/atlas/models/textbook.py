"""One task, a slow and a fast read-out: when does attention move, and what has the clock come to?

Chapter `atlas`. Source: our own. The task is that of chapter 1, with its textbook's samples and gradients (see
`places.py`); each layer has a rate of its own, and both move by gradient descent. The page runs this file, translated.
Both runs see the samples of one seed, and each ends where its attention is half-way.
"""

from dataclasses import dataclass
from typing import NamedTuple

from hal.chapters.atlas.models.layers import Rates
from hal.chapters.atlas.models.places import Places, advance, begin
from hal.chapters.atlas.models.update import GRADIENT
from lib.errors import require
from lib.models.scb.textbook import signal_A
from lib.portable.primitives import Readings, Vector, copy, nan, zeros
from lib.portable.records import even_steps, reached
from lib.portable.vectors import filled

RECORDS = 40  # of a whole run, besides the one at its start
LEVEL = 0.3  # attention's signal is half-way
SLOW = 0.5  # of the middle learning rate of the read-out
FAST = 2.0


class Settings(NamedTuple):
    """What a reader can choose."""

    T: int = 128  # length of the context, in tokens
    N: int = 3  # tokens in the vocabulary
    batch: int = 64  # samples a step, B
    lr_V: float = 0.02  # middle learning rate of the read-out
    lr_A: float = 0.02  # learning rate of attention
    steps: int = 240  # at most


@dataclass
class Lane:
    """One run."""

    run: Places
    step: int
    over: bool  # its attention is half-way, or its loss is lost


@dataclass
class Race:
    """Two runs, at half and at twice the learning rate of the read-out."""

    settings: Settings
    slow: Lane
    fast: Lane
    step: int
    diverged_at: int  # -1 throughout: where one run is lost the other goes on


def steps_of(settings: Settings) -> Vector:
    """(41,) the steps of a whole run's records."""
    return even_steps(settings.steps, RECORDS)


def lane(settings: Settings, factor: float, seed: int) -> Lane:
    """A run at `factor` times the read-out's learning rate, before its first step."""
    rates = Rates(GRADIENT, factor * settings.lr_V / 0.02, settings.lr_A / 0.02)
    return Lane(begin(settings.T, settings.N, settings.batch, rates, seed), 0, False)


def start(settings: Settings, seed: int) -> Race:
    """Both runs from the start of chapter 1: V says the same of every token, attention is uniform."""
    require(settings.steps >= 1, "steps", "at least 1 step", settings.steps)
    require(settings.lr_V >= 0.0, "lr_V", "a number of at least 0", settings.lr_V)
    require(settings.lr_A >= 0.0, "lr_A", "a number of at least 0", settings.lr_A)
    return Race(settings, lane(settings, SLOW, seed), lane(settings, FAST, seed), 0, -1)


def signal(one: Lane) -> float:
    """The signal of a run's attention."""
    return signal_A(one.run.model.A, one.run.model.task)


def go(one: Lane, looks: bool) -> None:
    """One step of a run that is not over; whether it is half-way is looked at where a record is due."""
    if not one.over:
        advance(one.run)
        one.step += 1
        one.over = one.run.now.lost or (looks and abs(signal(one)) >= LEVEL)


def step(race: Race) -> None:
    """One step of both runs."""
    most, made = race.settings.steps, race.step
    race.step += 1
    looks = RECORDS * race.step // most > RECORDS * made // most
    go(race.slow, looks)
    go(race.fast, looks)


def done(race: Race) -> bool:
    """Whether all steps are made; a run that is over rests."""
    return race.step >= race.settings.steps


def measure(race: Race) -> Readings:
    """Of each run what it says of every token (N,), where it looks (T,), its signal and its clock, (1,) each; those of
    a run that is over stay what they were. It is said of the first label, and looked from the first token; right (T,)
    is the attention of a layer that has learned the task, NaN where it does not look.
    """
    slow, fast, N = race.slow.run.model, race.fast.run.model, race.settings.N
    slow_says, fast_says, right = zeros(N), zeros(N), filled(race.settings.T, nan)
    for q in range(len(fast.task.w)):
        right[fast.task.s[0][q]] = fast.task.w[q]
    for j in range(N):
        slow_says[j] = slow.V[j][0]
        fast_says[j] = fast.V[j][0]
    return {
        "slow_says": slow_says, "slow_looks": copy(slow.A[0]), "slow_signal": [signal(race.slow)],
        "slow_clock": [race.slow.run.now.clock], "fast_says": fast_says, "fast_looks": copy(fast.A[0]),
        "fast_signal": [signal(race.fast)], "fast_clock": [race.fast.run.now.clock], "right": right,
    }  # fmt: skip


def clock_at(at: float, steps: Vector, clock: Vector) -> float:
    """The clock at step `at`, where attention is half-way, on a straight line between two records; NaN if it is not."""
    for i in range(1, len(clock)):
        if at <= steps[i]:
            return clock[i - 1] + (clock[i] - clock[i - 1]) * (at - steps[i - 1]) / (steps[i] - steps[i - 1])
    return nan


def filling(steps: Vector, clock: Vector, half: float, full: float) -> Vector:
    """(41,) the clock, from the half-way step on what it read there."""
    told = copy(clock)
    for i in range(len(clock)):
        if steps[i] >= half:
            told[i] = full
    return told


def at_end(race: Race, slow_signal: Vector, slow_clock: Vector, fast_signal: Vector, fast_clock: Vector) -> Readings:
    """Both clocks, (41,) each; half_step and half_clock (2,), slow and fast, NaN where attention is not half-way.
    Diverged is where a run was lost.
    """
    s, lost = steps_of(race.settings), nan
    slow, fast = reached(s, slow_signal, LEVEL), reached(s, fast_signal, LEVEL)
    slow_full, fast_full = clock_at(slow, s, slow_clock), clock_at(fast, s, fast_clock)
    lost = float(race.slow.step) if race.slow.run.now.lost else lost
    lost = float(race.fast.step) if race.fast.run.now.lost else lost
    return {
        "half_step": [slow, fast], "diverged_at": [lost], "half_clock": [slow_full, fast_full],
        "slow_fills": filling(s, slow_clock, slow, slow_full), "fast_fills": filling(s, fast_clock, fast, fast_full),
    }  # fmt: skip
