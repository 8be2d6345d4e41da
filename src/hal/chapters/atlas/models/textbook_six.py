"""Six tasks, three learning rates of the read-out in each: when does attention move, by the step and by the clock?

Chapter `atlas`. Source: our own. Every task is a file beside this one, with the samples and gradients of its chapter;
all of them train with `update` of `update.py`. The page runs this file, translated. The three runs of a task come one
after the other, the middle one first, and see the samples of one seed.
"""

from dataclasses import dataclass
from typing import NamedTuple

from hal.chapters.atlas.models.layers import Rates
from hal.chapters.atlas.models.tasks import NEIGHBOURS, TASKS, Runs, advance, begin, levels, most_steps, renew, tops
from hal.chapters.atlas.models.update import DECAY, MOMENTUM
from lib.errors import require
from lib.portable.primitives import Matrix, Readings, Vector, Wholes, floor, nan, whole_zeros, zero_matrix, zeros
from lib.portable.vectors import part

LANES = 3  # runs of a task
FINEST = 24  # records are a step apart at first, then every so many-th part of the time
ROOM = 130  # records of a run, at most
LONGEST = 4.0  # what is drawn, in half-way times of the middle run
FRAMES = 80


class Settings(NamedTuple):
    """What a reader can choose."""

    watch: int = 0  # time is told by 0 the step, 1 the clock: the same runs
    optimiser: int = 0  # of both layers: 0 gradient descent, 1 momentum, 2 Adam, 3 sign descent, 4 weight decay
    readout: float = 1.0  # learning rate of the read-out, times the task's own
    attention: float = 1.0  # learning rate of attention, times the task's own
    length: float = 1.0  # of a run that does not arrive, times the task's own number of steps


@dataclass
class State:
    """The run that each task is at, and what all of them have told; row LANES task + lane of the matrices is a run."""

    settings: Settings
    seed: int
    runs: Runs
    lane: Wholes  # (TASKS,) 0 the middle run, 1 the slow one, 2 the fast one, LANES where all are made
    steps: Wholes  # (TASKS,) of the run that the task is at
    heard: Matrix  # (TASKS, steps + 1) its clock before each step
    count: Wholes  # (18,) records of each run
    at: Matrix  # (18, ROOM) their steps
    clock: Matrix  # (18, ROOM) the clock there; with momentum, which answers late, so many steps before
    seen: Matrix  # (18, ROOM) attention on the right place
    lost: float  # the step at which a run diverged; not a number while none has


def steps_of(settings: Settings) -> Vector:
    """(81,) the moments at which all tasks are shown together, in half-way times of their middle runs."""
    found = zeros(FRAMES + 1)
    for i in range(FRAMES + 1):
        found[i] = LONGEST * float(i) / float(FRAMES)
    return found


def factor_of(lane: int) -> float:
    """How many times the middle run's learning rate the read-out has."""
    return 1.0 if lane == 0 else 0.25 if lane == 1 else 4.0


def rates_of(settings: Settings, lane: int) -> Rates:
    """How the layers of this run learn."""
    return Rates(settings.optimiser, factor_of(lane) * settings.readout, settings.attention)


def start(settings: Settings, seed: int) -> State:
    """All tasks before the first step of their middle run."""
    require(settings.watch >= 0 and settings.watch <= 1, "watch", "0 or 1", settings.watch)
    require(settings.optimiser >= 0 and settings.optimiser <= 4, "optimiser", "0 to 4", settings.optimiser)
    require(settings.readout >= 0.0, "readout", "a number of at least 0", settings.readout)
    require(settings.attention >= 0.0, "attention", "a number of at least 0", settings.attention)
    require(settings.length >= 0.0 and settings.length <= 1.0, "length", "a number from 0 to 1", settings.length)
    runs = LANES * TASKS
    return State(
        settings=settings, seed=seed, runs=begin(rates_of(settings, 0), seed), lane=whole_zeros(TASKS),
        steps=whole_zeros(TASKS), heard=zero_matrix(TASKS, 1001), count=whole_zeros(runs), at=zero_matrix(runs, ROOM),
        clock=zero_matrix(runs, ROOM), seen=zero_matrix(runs, ROOM), lost=nan,
    )  # fmt: skip


def delay(settings: Settings) -> int:
    """Steps by which attention answers late."""
    return floor(DECAY / (1.0 - DECAY) + 0.5) if settings.optimiser == MOMENTUM else 0


def keep(state: State, task: int, seen: float) -> None:
    """Put on record what attention was before the step, if that is due."""
    row, at = LANES * task + state.lane[task], state.steps[task]
    count = state.count[row]
    before = state.at[row][count - 1] if count > 0 else -1.0
    if count < ROOM and float(at) >= before + max(1.0, before / float(FINEST)):
        state.at[row][count] = float(at)
        state.clock[row][count] = abs(state.heard[task][max(0, at - delay(state.settings))])
        state.seen[row][count] = seen
        state.count[row] = count + 1


def go(state: State, task: int) -> None:
    """One step of the run that a task is at; after its last the task's next run begins."""
    now = advance(state.runs, task)
    keep(state, task, abs(now.seen))
    state.steps[task] += 1
    state.heard[task][state.steps[task]] = now.clock
    if now.lost:
        state.lost = float(state.steps[task])
    top, most = tops(), most_steps()
    late = float(state.steps[task]) >= state.settings.length * most[task]
    if now.lost or late or abs(now.seen) >= top[task]:
        state.lane[task] += LANES if task == NEIGHBOURS else 1  # one run is all, where the read-out is given
        state.steps[task] = 0
        if state.lane[task] < LANES:
            renew(state.runs, task, rates_of(state.settings, state.lane[task]), state.seed)


def step(state: State) -> None:
    """One step of every task that is not done."""
    for task in range(TASKS):
        if state.lane[task] < LANES:
            go(state, task)


def done(state: State) -> bool:
    """Whether all runs of all tasks are made."""
    left = 0
    for task in range(TASKS):
        left += 1 if state.lane[task] < LANES else 0
    return left == 0


def arrival(state: State, row: int, times: Matrix) -> float:
    """When attention of a run is half-way, between two records on a straight line; NaN if it is not."""
    half, seen, at = levels(), state.seen[row], times[row]
    level = half[row // LANES]
    for i in range(1, state.count[row]):
        if seen[i] >= level and seen[i - 1] < level:
            return at[i - 1] + (at[i] - at[i - 1]) * (level - seen[i - 1]) / (seen[i] - seen[i - 1])
    return nan


def arrivals(state: State, times: Matrix) -> Vector:
    """(18,) when every run is half-way."""
    found = zeros(LANES * TASKS)
    for row in range(len(found)):
        found[row] = arrival(state, row, times)
    return found


def axis(state: State, row: int, times: Matrix) -> Vector:
    """(count,) when the records of a run were made: 1 is where the task's middle run is half-way, or ends."""
    middle = row // LANES * LANES
    unit = arrival(state, middle, times)
    if unit != unit:
        unit = times[middle][max(0, state.count[middle] - 1)]
    found = part(times[row], 0, state.count[row])
    for i in range(len(found)):
        found[i] = found[i] / unit if unit > 0.0 else 0.0
    return found


def curve(state: State, row: int) -> Vector:
    """(count,) attention of a run on the right place."""
    return part(state.seen[row], 0, state.count[row])


def read(state: State) -> Readings:
    """What is on record. By task, number 1 the middle run, 2 the slow one, 3 the fast one: at0_places1 .. steps,
    at1_places1 .. clocks and places1 .. attention, each (count,). half_step and half_clock (18,): task by task, NaN
    where attention is not half-way. moment (81,), and diverged_at.
    """
    at, clock = state.at, state.clock
    return {
        "moment": steps_of(state.settings), "diverged_at": [state.lost],
        "half_step": arrivals(state, state.at), "half_clock": arrivals(state, state.clock),
        "at0_places1": axis(state, 0, at), "at0_places2": axis(state, 1, at), "at0_places3": axis(state, 2, at),
        "at0_sentences1": axis(state, 3, at), "at0_sentences2": axis(state, 4, at),
        "at0_sentences3": axis(state, 5, at),
        "at0_neighbours1": axis(state, 6, at),
        "at0_groups1": axis(state, 9, at), "at0_groups2": axis(state, 10, at), "at0_groups3": axis(state, 11, at),
        "at0_walks1": axis(state, 12, at), "at0_walks2": axis(state, 13, at), "at0_walks3": axis(state, 14, at),
        "at0_prompts1": axis(state, 15, at), "at0_prompts2": axis(state, 16, at), "at0_prompts3": axis(state, 17, at),
        "at1_places1": axis(state, 0, clock), "at1_places2": axis(state, 1, clock),
        "at1_places3": axis(state, 2, clock),
        "at1_sentences1": axis(state, 3, clock), "at1_sentences2": axis(state, 4, clock),
        "at1_sentences3": axis(state, 5, clock),
        "at1_neighbours1": axis(state, 6, clock),
        "at1_groups1": axis(state, 9, clock), "at1_groups2": axis(state, 10, clock),
        "at1_groups3": axis(state, 11, clock),
        "at1_walks1": axis(state, 12, clock), "at1_walks2": axis(state, 13, clock),
        "at1_walks3": axis(state, 14, clock),
        "at1_prompts1": axis(state, 15, clock), "at1_prompts2": axis(state, 16, clock),
        "at1_prompts3": axis(state, 17, clock),
        "places1": curve(state, 0), "places2": curve(state, 1), "places3": curve(state, 2),
        "sentences1": curve(state, 3), "sentences2": curve(state, 4), "sentences3": curve(state, 5),
        "neighbours1": curve(state, 6),
        "groups1": curve(state, 9), "groups2": curve(state, 10), "groups3": curve(state, 11),
        "walks1": curve(state, 12), "walks2": curve(state, 13), "walks3": curve(state, 14),
        "prompts1": curve(state, 15), "prompts2": curve(state, 16), "prompts3": curve(state, 17),
    }  # fmt: skip
