"""One task, five learning rates of the read-out: when does attention move, by the step and by the clock?

Chapter `atlas`. Source: our own. The task is that of chapter 1, with its textbook's samples and gradients (see
`places.py`); each layer has a rate of its own, and the optimiser is a choice, `update` of `update.py`. The page runs
this file, translated. All five runs see the samples of one seed.
"""

from dataclasses import dataclass
from typing import NamedTuple

from hal.chapters.atlas.models.layers import Rates
from hal.chapters.atlas.models.places import Places, advance, begin
from hal.chapters.atlas.models.update import DECAY, MOMENTUM
from lib.errors import require
from lib.models.scb.textbook import signal_A
from lib.portable.primitives import Readings, Vector, floor, nan, zeros
from lib.portable.records import Records, column, even_steps, is_due, new_row, reached, room_for

RECORDS = 75  # of a whole run, besides the one at its start
LEVEL = 0.3  # attention's signal is half-way
TOP = 0.5  # a run that has come here has nothing more to say


class Settings(NamedTuple):
    """What a reader can choose."""

    T: int = 128  # length of the context, in tokens
    N: int = 3  # tokens in the vocabulary
    batch: int = 64  # samples a step, B
    optimiser: int = 0  # 0 gradient descent, 1 momentum, 2 Adam, 3 sign descent, 4 weight decay; of both layers
    lr_V: float = 0.02  # learning rate of the read-out of the middle run
    lr_A: float = 0.02  # learning rate of attention
    steps: int = 450  # at most
    watch: int = 0  # time is told by 0 the step, 1 the clock: the same runs


@dataclass
class Lane:
    """One run, and what it has on record."""

    run: Places
    step: int
    kept: Records  # step, alpha_A, clock


@dataclass
class Race:
    """Five runs at 1/4, 1/2, 1, 2 and 4 times the learning rate of the read-out."""

    settings: Settings
    one: Lane
    two: Lane
    three: Lane
    four: Lane
    five: Lane
    step: int


def steps_of(settings: Settings) -> Vector:
    """(76,) the steps of a whole run's records."""
    return even_steps(settings.steps, RECORDS)


def lane(settings: Settings, factor: float, seed: int) -> Lane:
    """A run at `factor` times the read-out's learning rate, before its first step."""
    rates = Rates(settings.optimiser, factor * settings.lr_V / 0.02, settings.lr_A / 0.02)
    found = Lane(begin(settings.T, settings.N, settings.batch, rates, seed), 0, room_for(steps_of(settings), 3))
    keep(found)
    return found


def start(settings: Settings, seed: int) -> Race:
    """Five runs from the start of chapter 1: V says the same of every token, attention is uniform."""
    require(settings.steps >= 1, "steps", "at least 1 step", settings.steps)
    require(settings.optimiser >= 0 and settings.optimiser <= 4, "optimiser", "0 to 4", settings.optimiser)
    require(settings.lr_V >= 0.0, "lr_V", "a number of at least 0", settings.lr_V)
    require(settings.lr_A >= 0.0, "lr_A", "a number of at least 0", settings.lr_A)
    return Race(
        settings, lane(settings, 0.25, seed), lane(settings, 0.5, seed), lane(settings, 1.0, seed),
        lane(settings, 2.0, seed), lane(settings, 4.0, seed), 0,
    )  # fmt: skip


def keep(one: Lane) -> None:
    """Put attention and the clock on record."""
    row = new_row(one.kept)
    row[0] = float(one.step)
    row[1] = signal_A(one.run.model.A, one.run.model.task)
    row[2] = one.run.now.clock


def ended(one: Lane) -> bool:
    """Whether a run has passed the top of the picture, or its loss is lost."""
    row = one.kept.rows[one.kept.count - 1]
    return row[1] >= TOP or one.run.now.lost


def step(race: Race) -> None:
    """One step of every run that has not come to its end."""
    for i in range(5):
        one = nth(race, i)
        if not ended(one):
            advance(one.run)
            one.step += 1
            while is_due(one.kept, float(one.step)):
                keep(one)
    race.step += 1


def nth(race: Race, i: int) -> Lane:
    """Run i of the five."""
    if i == 0:
        return race.one
    if i == 1:
        return race.two
    if i == 2:
        return race.three
    return race.four if i == 3 else race.five


def done(race: Race) -> bool:
    """Whether all runs have come to their ends, or all steps are made."""
    left = 0
    for i in range(5):
        left += 0 if ended(nth(race, i)) else 1
    return left == 0 or race.step >= race.settings.steps


def half(one: Lane, settings: Settings, place: int) -> float:
    """The step (place 0) or the clock (place 2) at which attention is half-way; NaN if it is not.

    Momentum answers late: its clock is that of nine steps before.
    """
    at = reached(column(one.kept, 0), column(one.kept, 1), LEVEL)
    if place == 0 or at != at:
        return at
    if settings.optimiser == MOMENTUM:
        at -= float(floor(DECAY / (1.0 - DECAY) + 0.5))
    return between(one.kept, at)


def between(kept: Records, at: float) -> float:
    """The clock at a step, on a straight line between two records."""
    for i in range(1, kept.count):
        before, after = kept.rows[i - 1], kept.rows[i]
        if at <= after[0]:
            return before[2] + (after[2] - before[2]) * (at - before[0]) / (after[0] - before[0])
    return nan


def read(race: Race) -> Readings:
    """What is on record, by run from slowest to fastest: at0_1 .. at0_5 steps, at1_1 .. clock and attention1 .., each
    (count,); half_step and half_clock (5,), NaN where attention is not half-way; steps, those of the longest run.
    """
    last = race.three
    halves, clocks = zeros(5), zeros(5)
    lost = nan
    for i in range(5):
        one = nth(race, i)
        halves[i] = half(one, race.settings, 0)
        clocks[i] = half(one, race.settings, 2)
        lost = float(one.step) if one.run.now.lost else lost
        last = one if one.kept.count >= last.kept.count else last
    first, two, three, four, five = race.one.kept, race.two.kept, race.three.kept, race.four.kept, race.five.kept
    return {
        "steps": column(last.kept, 0), "half_step": halves, "half_clock": clocks, "diverged_at": [lost],
        "at0_1": column(first, 0), "at0_2": column(two, 0), "at0_3": column(three, 0), "at0_4": column(four, 0),
        "at0_5": column(five, 0), "at1_1": column(first, 2), "at1_2": column(two, 2), "at1_3": column(three, 2),
        "at1_4": column(four, 2), "at1_5": column(five, 2), "attention1": column(first, 1),
        "attention2": column(two, 1), "attention3": column(three, 1), "attention4": column(four, 1),
        "attention5": column(five, 1),
    }  # fmt: skip
