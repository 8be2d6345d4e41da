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
from lib.portable.primitives import Readings, Vector, nan, zeros
from lib.portable.records import even_steps, reached

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
    """The fraction of the error that is left: what the output lacks of the best one."""
    return 1.0 - signal(run) * signal_V(run.model.V, run.model.task)


def rate(run: Places) -> float:
    """What the next step adds to the clock: spread times error."""
    return signal_V(run.model.V, run.model.task) * left(run)


def measure(race: Race) -> Readings:
    """Of each run the error left, the signal of its attention, its clock and the rate of the clock, (1,) each; of the
    fast one the spread of the answers, too.
    """
    slow, fast = race.slow, race.fast
    return {
        "slow_left": [left(slow)], "slow_signal": [signal(slow)], "slow_rate": [rate(slow)],
        "slow_clock": [slow.now.clock], "fast_clock": [fast.now.clock],
        "fast_left": [left(fast)], "fast_signal": [signal(fast)], "fast_rate": [rate(fast)],
        "fast_spread": [signal_V(fast.model.V, fast.model.task)],
    }  # fmt: skip


def at_step(at: float, steps: Vector, values: Vector) -> float:
    """The values at step `at`, where attention moves, on a straight line between two records; NaN if it does not."""
    for i in range(1, len(values)):
        if at <= steps[i]:
            return values[i - 1] + (values[i] - values[i - 1]) * (at - steps[i - 1]) / (steps[i] - steps[i - 1])
    return nan


def shape(values: Vector, steps: Vector, half: float, last: float, end: float) -> Vector:
    """(52,) the values, from the step where attention moves on the one there, and the end."""
    found = zeros(len(values) + 1)
    for i in range(len(values)):
        found[i] = last if steps[i] >= half else values[i]
    found[len(values)] = end
    return found


def at_end(
    race: Race,
    slow_signal: Vector,
    slow_clock: Vector,
    slow_rate: Vector,
    fast_signal: Vector,
    fast_clock: Vector,
    fast_rate: Vector,
    fast_spread: Vector,
    fast_left: Vector,
) -> Readings:
    """Outlines of the areas under both rates up to where attention moves, (52,) each; half_step, half_clock and
    half_rate (2,), slow first, NaN where attention does not move; the spread and the error left of the fast run there.
    Diverged is where a run was lost.
    """
    s = steps_of(race.settings)
    slow, fast, end = reached(s, slow_signal, LEVEL), reached(s, fast_signal, LEVEL), s[len(s) - 1]
    slow_high, fast_high = at_step(slow, s, slow_rate), at_step(fast, s, fast_rate)
    return {
        "half_step": [slow, fast], "half_rate": [slow_high, fast_high], "diverged_at": [race.lost],
        "half_clock": [at_step(slow, s, slow_clock), at_step(fast, s, fast_clock)],
        "half_spread": [at_step(fast, s, fast_spread)], "half_left": [at_step(fast, s, fast_left)],
        "slow_area": shape(slow_rate, s, slow, slow_high, 0.0),
        "slow_steps": shape(s, s, slow, slow, slow if slow == slow else end),
        "fast_area": shape(fast_rate, s, fast, fast_high, 0.0),
        "fast_steps": shape(s, s, fast, fast, fast if fast == fast else end),
    }  # fmt: skip
