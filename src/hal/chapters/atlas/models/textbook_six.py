"""Five tasks, two learning rates of the read-out in each: when does attention move, by the step and by the clock?

Chapter `atlas`. Source: our own. Every task is a file beside this one, with the samples and gradients of its chapter;
all of them train with `update` of `update.py`. The page runs this file, translated. One task trains after the other,
its two runs side by side; both see the samples of one seed.
"""

from dataclasses import dataclass
from typing import NamedTuple

from hal.chapters.atlas.models.groups import draw as draw_examples
from hal.chapters.atlas.models.layers import Rates
from hal.chapters.atlas.models.tasks import TASKS, Runs, advance, begin, levels, most_steps, tops
from hal.chapters.atlas.models.update import DECAY, MOMENTUM
from hal.chapters.atlas.models.walks import draw as draw_walks
from lib.errors import require
from lib.portable.primitives import Matrix, Readings, Vector, Wholes, floor, nan, whole_zeros, zero_matrix, zeros
from lib.portable.vectors import filled, part

LANES = 2  # runs of a task: the fast one, the slow one
RUNS = LANES * TASKS
FINEST = 24  # records are a step apart at first, then every so many-th part of the time
MOST = 500  # steps of a run


class Settings(NamedTuple):
    """What a reader can choose."""

    watch: int = 0  # time is told by 0 the step, 1 the clock: the same runs
    optimiser: int = 0  # of both layers: 0 gradient descent, 1 momentum, 2 Adam, 3 sign descent
    readout: float = 1.0  # learning rate of the read-out, times the task's own
    attention: float = 1.0  # learning rate of attention, times the task's own
    length: float = 1.0  # of a run that does not arrive, times the task's own number of steps


@dataclass
class State:
    """All runs; number LANES task + lane is that of a task."""

    settings: Settings
    fast: Runs
    slow: Runs
    made: Wholes  # (RUNS,) steps of each run
    over: Wholes  # (RUNS,) 1 where it is over
    seen: Vector  # (RUNS,) attention on the right place before its last step
    heard: Matrix  # (RUNS, MOST + 1) its clock before each step
    lost: float  # the step at which a run diverged; not a number while none has
    task: int  # which trains
    begun: int  # the step at which it began, if every task before took as many as it may
    step: int
    diverged_at: int  # -1 throughout: where one run is lost the others go on


def steps_of(settings: Settings) -> Vector:
    """(K,) the steps after which records are made, task by task; they tell of what was before the step."""
    found, count, begun = zeros(TASKS * MOST), 0, 0.0
    for most in most_steps():
        made = 0.0
        while made == 0.0 or made < settings.length * most:
            found[count] = begun + made + 1.0
            count += 1
            made = -float(floor(-made - max(1.0, made / float(FINEST))))
        begun += most
    return part(found, 0, count)


def rates_of(settings: Settings, factor: float) -> Rates:
    """How the layers of a run learn: the read-out's rate is so many times the task's own."""
    return Rates(settings.optimiser, factor * settings.readout, settings.attention)


def start(settings: Settings, seed: int) -> State:
    """All runs before their first step."""
    require(settings.watch >= 0 and settings.watch <= 1, "watch", "0 or 1", settings.watch)
    require(settings.optimiser >= 0 and settings.optimiser <= 3, "optimiser", "0 to 3", settings.optimiser)
    require(settings.readout >= 0.0, "readout", "a number of at least 0", settings.readout)
    require(settings.attention >= 0.0, "attention", "a number of at least 0", settings.attention)
    require(settings.length >= 0.0 and settings.length <= 1.0, "length", "a number from 0 to 1", settings.length)
    examples, drawn = draw_examples(seed), draw_walks(seed)
    return State(
        settings=settings, fast=begin(rates_of(settings, 4.0), seed, examples, drawn),
        slow=begin(rates_of(settings, 0.25), seed, examples, drawn), made=whole_zeros(RUNS), over=whole_zeros(RUNS),
        seen=zeros(RUNS), heard=zero_matrix(RUNS, MOST + 1), lost=nan, task=0,
        begun=0, step=0, diverged_at=-1,
    )  # fmt: skip


def delay(settings: Settings) -> int:
    """Steps by which attention answers late."""
    return floor(DECAY / (1.0 - DECAY) + 0.5) if settings.optimiser == MOMENTUM else 0


def go(state: State, lane: int) -> None:
    """One step of a run of the task that trains."""
    task = state.task
    i = LANES * task + lane
    now = advance(state.fast if lane == 0 else state.slow, task)
    state.seen[i] = abs(now.seen)
    state.made[i] += 1
    state.heard[i][state.made[i]] = now.clock
    if now.lost:
        state.lost = float(state.made[i])
    top, most = tops(), most_steps()
    late = float(state.made[i]) >= state.settings.length * most[task]
    if now.lost or late or state.seen[i] >= top[task]:
        state.over[i] = 1


def step(state: State) -> None:
    """One step of both runs of a task, as far as they are not over; where both are, the next task follows."""
    left = 0
    for lane in range(LANES):
        i = LANES * state.task + lane
        if state.over[i] == 0:
            go(state, lane)
        left += 1 - state.over[i]
    state.step += 1
    if left == 0:
        most = most_steps()
        state.begun += floor(most[state.task])
        state.step = state.begun
        state.task += 1


def done(state: State) -> bool:
    """Whether all tasks are over."""
    return state.task == TASKS


def measure(state: State) -> Readings:
    """Of all runs, (RUNS,) each: attention on the right place before the last step, and the clock there; with momentum,
    which answers late, so many steps before. Those of a run that is over stay what they were.
    """
    clock = zeros(RUNS)
    for i in range(RUNS):
        clock[i] = abs(state.heard[i][max(0, state.made[i] - 1 - delay(state.settings))])
    return {"clock": clock, "seen": state.seen}


def told(state: State, steps: Vector, values: Vector, i: int) -> Vector:
    """(count,) what the records tell of run i, up to its end; without values, the steps that it had made before."""
    found, count, begun, most = zeros(len(steps)), 0, 0.0, most_steps()
    for task in range(i // LANES):
        begun += most[task]
    for k in range(len(steps)):
        made = steps[k] - begun
        if made >= 1.0 and made <= float(state.made[i]):
            found[count] = values[RUNS * k + i] if len(values) > 0 else made - 1.0
            count += 1
    return part(found, 0, count)


def path(state: State, steps: Vector, seen: Vector, values: Vector, i: int) -> Vector:
    """(count,) what `told` returns, up to where attention moves, which is between two records on a straight line."""
    half, a, found = levels(), told(state, steps, seen, i), told(state, steps, values, i)
    level = half[i // LANES]
    for k in range(1, len(a)):
        if a[k] >= level and a[k - 1] < level:
            found[k] = found[k - 1] + (found[k] - found[k - 1]) * (level - a[k - 1]) / (a[k] - a[k - 1])
            return part(found, 0, k + 1)
    return found


def move(state: State, steps: Vector, seen: Vector, i: int) -> Vector:
    """(count,) attention of run i on this path, from 0 where it begins to 1 where it has moved."""
    level, found = levels(), path(state, steps, seen, seen, i)
    return [(x - found[0]) / (level[i // LANES] - found[0]) for x in found]


def arrivals(state: State, steps: Vector, seen: Vector, times: Vector) -> Vector:
    """(RUNS,) when attention of each run moves; NaN if it does not."""
    found, half = filled(RUNS, nan), levels()
    for i in range(RUNS):
        a, at = path(state, steps, seen, seen, i), path(state, steps, seen, times, i)
        if len(a) > 0 and a[len(a) - 1] >= half[i // LANES] - 1e-9:
            found[i] = at[len(at) - 1]
    return found


def span(state: State, steps: Vector, seen: Vector, values: Vector, i: int) -> Vector:
    """(2,) from nought to some way behind the later end of the paths of runs i and i + 1."""
    fast, slow, longest = path(state, steps, seen, values, i), path(state, steps, seen, values, i + 1), 0.0
    for k in range(max(len(fast), len(slow))):
        longest = max(longest, fast[k] if k < len(fast) else 0.0, slow[k] if k < len(slow) else 0.0)
    return [0.0, 1.3 * longest if longest > 0.0 else 1.0]


def at_end(state: State, steps: Vector, clock: Vector, seen: Vector) -> Readings:
    """By task, number 1 the fast run, 2 the slow one, up to where attention moves: at0_groups1 .. steps, at1_groups1 ..
    clocks and groups1 .. how far attention has moved, each (count,); span0_groups .. and span1_groups .. (2,) the axes.
    half_step and half_clock (RUNS,): task by task, NaN where attention does not move. Diverged is where a run was lost.
    """
    s, at, y = steps, zeros(0), seen
    return {
        "diverged_at": [state.lost], "half_step": arrivals(state, s, y, at), "half_clock": arrivals(state, s, y, clock),
        "at0_places1": path(state, s, y, at, 0), "at0_places2": path(state, s, y, at, 1),
        "at0_groups1": path(state, s, y, at, 2), "at0_groups2": path(state, s, y, at, 3),
        "at0_walks1": path(state, s, y, at, 4), "at0_walks2": path(state, s, y, at, 5),
        "at0_sentences1": path(state, s, y, at, 6), "at0_sentences2": path(state, s, y, at, 7),
        "at0_prompts1": path(state, s, y, at, 8), "at0_prompts2": path(state, s, y, at, 9),
        "at1_places1": path(state, s, y, clock, 0), "at1_places2": path(state, s, y, clock, 1),
        "at1_groups1": path(state, s, y, clock, 2), "at1_groups2": path(state, s, y, clock, 3),
        "at1_walks1": path(state, s, y, clock, 4), "at1_walks2": path(state, s, y, clock, 5),
        "at1_sentences1": path(state, s, y, clock, 6), "at1_sentences2": path(state, s, y, clock, 7),
        "at1_prompts1": path(state, s, y, clock, 8), "at1_prompts2": path(state, s, y, clock, 9),
        "places1": move(state, s, y, 0), "places2": move(state, s, y, 1), "groups1": move(state, s, y, 2),
        "groups2": move(state, s, y, 3), "walks1": move(state, s, y, 4), "walks2": move(state, s, y, 5),
        "sentences1": move(state, s, y, 6), "sentences2": move(state, s, y, 7), "prompts1": move(state, s, y, 8),
        "prompts2": move(state, s, y, 9),
        "span0_places": span(state, s, y, at, 0), "span0_groups": span(state, s, y, at, 2),
        "span0_walks": span(state, s, y, at, 4), "span0_sentences": span(state, s, y, at, 6),
        "span0_prompts": span(state, s, y, at, 8), "span1_places": span(state, s, y, clock, 0),
        "span1_groups": span(state, s, y, clock, 2), "span1_walks": span(state, s, y, clock, 4),
        "span1_sentences": span(state, s, y, clock, 6), "span1_prompts": span(state, s, y, clock, 8),
    }  # fmt: skip
