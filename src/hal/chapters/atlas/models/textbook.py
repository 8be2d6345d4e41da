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
from lib.portable.primitives import Readings, Vector, first, floor, nan, zeros
from lib.portable.records import even_steps, reached

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
    """One run."""

    run: Places
    step: int
    over: bool  # its attention has passed the top, or its loss is lost


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
    diverged_at: int  # -1 throughout: where one run is lost the others go on


def steps_of(settings: Settings) -> Vector:
    """(76,) the steps of a whole run's records."""
    return even_steps(settings.steps, RECORDS)


def lane(settings: Settings, factor: float, seed: int) -> Lane:
    """A run at `factor` times the read-out's learning rate, before its first step."""
    rates = Rates(settings.optimiser, factor * settings.lr_V / 0.02, settings.lr_A / 0.02)
    return Lane(begin(settings.T, settings.N, settings.batch, rates, seed), 0, False)


def start(settings: Settings, seed: int) -> Race:
    """Five runs from the start of chapter 1: V says the same of every token, attention is uniform."""
    require(settings.steps >= 1, "steps", "at least 1 step", settings.steps)
    require(settings.optimiser >= 0 and settings.optimiser <= 4, "optimiser", "0 to 4", settings.optimiser)
    require(settings.lr_V >= 0.0, "lr_V", "a number of at least 0", settings.lr_V)
    require(settings.lr_A >= 0.0, "lr_A", "a number of at least 0", settings.lr_A)
    return Race(
        settings, lane(settings, 0.25, seed), lane(settings, 0.5, seed), lane(settings, 1.0, seed),
        lane(settings, 2.0, seed), lane(settings, 4.0, seed), 0, -1,
    )  # fmt: skip


def signal(one: Lane) -> float:
    """The signal of a run's attention."""
    return signal_A(one.run.model.A, one.run.model.task)


def step(race: Race) -> None:
    """One step of every run that is not over; whether it has passed the top is looked at where a record is due."""
    most, made = race.settings.steps, race.step
    race.step += 1
    looks = RECORDS * race.step // most > RECORDS * made // most
    for i in range(5):
        one = nth(race, i)
        if not one.over:
            advance(one.run)
            one.step += 1
            one.over = one.run.now.lost or (looks and signal(one) >= TOP)


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
    """Whether all runs are over, or all steps are made."""
    left = 0
    for i in range(5):
        left += 0 if nth(race, i).over else 1
    return left == 0 or race.step >= race.settings.steps


def measure(race: Race) -> Readings:
    """Clock and attention of the five runs, (5,) each; those of a run that is over stay what they were."""
    clocks, signals = zeros(5), zeros(5)
    for i in range(5):
        one = nth(race, i)
        clocks[i] = one.run.now.clock
        signals[i] = signal(one)
    return {"clock": clocks, "attention": signals}


def clock_at(at: float, settings: Settings, steps: Vector, clock: Vector) -> float:
    """The clock at step `at`, where attention is half-way, on a straight line between two records; NaN if it is not.

    Momentum answers late: its clock is that of nine steps before.
    """
    late = at
    if settings.optimiser == MOMENTUM:
        late -= float(floor(DECAY / (1.0 - DECAY) + 0.5))
    for i in range(1, len(steps)):
        if late <= steps[i]:
            return clock[i - 1] + (clock[i] - clock[i - 1]) * (late - steps[i - 1]) / (steps[i] - steps[i - 1])
    return nan


def until(one: Lane, steps: Vector) -> Vector:
    """(count,) the steps of a run's records, up to its end."""
    count = 0
    while count < len(steps) and steps[count] <= float(one.step):
        count += 1
    return first(steps, count)


def of_run(values: Vector, i: int, count: int) -> Vector:
    """(count,) what the first records of a race tell of run i."""
    found = zeros(count)
    for k in range(count):
        found[k] = values[5 * k + i]
    return found


def at_end(race: Race, steps: Vector, clock: Vector, attention: Vector) -> Readings:
    """By run from slowest to fastest, each up to its end: at0_1 .. steps, at1_1 .. clock, attention1 .., (count,);
    half_step and half_clock (5,), NaN where attention is not half-way. Diverged is where a run was lost.
    """
    halves, half_clocks, lost = zeros(5), zeros(5), nan
    for i in range(5):
        one = nth(race, i)
        at = until(one, steps)
        halves[i] = reached(at, of_run(attention, i, len(at)), LEVEL)
        half_clocks[i] = clock_at(halves[i], race.settings, at, of_run(clock, i, len(at)))
        lost = float(one.step) if one.run.now.lost else lost
    at1, at2, at3 = until(race.one, steps), until(race.two, steps), until(race.three, steps)
    at4, at5 = until(race.four, steps), until(race.five, steps)
    return {
        "half_step": halves, "half_clock": half_clocks, "diverged_at": [lost],
        "at0_1": at1, "at0_2": at2, "at0_3": at3, "at0_4": at4, "at0_5": at5,
        "at1_1": of_run(clock, 0, len(at1)), "at1_2": of_run(clock, 1, len(at2)),
        "at1_3": of_run(clock, 2, len(at3)), "at1_4": of_run(clock, 3, len(at4)),
        "at1_5": of_run(clock, 4, len(at5)),
        "attention1": of_run(attention, 0, len(at1)), "attention2": of_run(attention, 1, len(at2)),
        "attention3": of_run(attention, 2, len(at3)), "attention4": of_run(attention, 3, len(at4)),
        "attention5": of_run(attention, 4, len(at5)),
    }  # fmt: skip
