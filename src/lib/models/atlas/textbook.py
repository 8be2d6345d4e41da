"""One task, five learning rates of the read-out: when does attention move, by the step and by the clock?

Chapter `atlas`. Source: our own. The task is that of chapter 1, with its textbook's samples and gradients; only the
update is written here, because each layer has a rate of its own and the optimiser is a choice. The page runs this file,
translated. All five runs see the samples of one seed.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.models.scb.textbook import Settings as Places
from lib.models.scb.textbook import State
from lib.models.scb.textbook import gradient as fresh_gradient
from lib.models.scb.textbook import start as start_places
from lib.models.scb.textbook_measures import signal_A, signal_V
from lib.portable.optimisers import keep_sum
from lib.portable.primitives import Matrix, Readings, Vector, nan, sqrt, zero_matrix, zeros
from lib.portable.records import Records, column, even_steps, is_due, new_row, reached, room_for

RECORDS = 75  # of a whole run, besides the one at its start
LEVEL = 0.3  # attention's signal is half-way
TOP = 0.5  # a run that has come here has nothing more to say
GRADIENT = 0
MOMENTUM = 1
ADAM = 2
SIGN = 3
DECAY = 0.9  # of momentum, and of Adam's mean
KEPT = 0.999  # of Adam's square
LATE = 9  # steps by which momentum answers late, DECAY / (1 - DECAY)


class Settings(NamedTuple):
    """What a reader can choose."""

    T: int = 128  # length of the context, in tokens
    N: int = 3  # tokens in the vocabulary
    batch: int = 64  # samples a step, B
    optimiser: int = 0  # 0 gradient descent, 1 momentum, 2 Adam, 3 sign descent; of both layers
    lr_V: float = 0.02  # learning rate of the read-out of the middle run
    lr_A: float = 0.02  # learning rate of attention
    steps: int = 450  # at most


@dataclass
class Lane:
    """One run: the model of chapter 1, and what its optimiser remembers."""

    model: State
    lr_V: float  # learning rate of its read-out
    mean: Matrix  # of the gradient, a row for each row of the parameters
    square: Matrix
    left_1: float  # DECAY to the number of steps
    left_2: float  # KEPT to it
    clock: float  # accumulated read-out, the sum of alpha_V (1 - alpha_A alpha_V)
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
    own = Places(settings.T, settings.N, 2, 0.75, 0.0, 0.0, settings.batch, 0.0, settings.steps, 0, 0, 0.0, 0.0)
    model = start_places(own, seed)
    rows, width = 2 * settings.N, max(settings.N, settings.T)
    found = Lane(
        model, factor * settings.lr_V, zero_matrix(rows, width), zero_matrix(rows, width), 1.0, 1.0, 0.0, 0,
        room_for(steps_of(settings), 3),
    )  # fmt: skip
    keep(found)
    return found


def start(settings: Settings, seed: int) -> Race:
    """Five runs from the start of chapter 1: V says the same of every token, attention is uniform."""
    require(settings.steps >= 1, "steps", "at least 1 step", settings.steps)
    require(settings.optimiser >= 0 and settings.optimiser <= 3, "optimiser", "0 to 3", settings.optimiser)
    require(settings.lr_V >= 0.0, "lr_V", "a number of at least 0", settings.lr_V)
    require(settings.lr_A >= 0.0, "lr_A", "a number of at least 0", settings.lr_A)
    return Race(
        settings, lane(settings, 0.25, seed), lane(settings, 0.5, seed), lane(settings, 1.0, seed),
        lane(settings, 2.0, seed), lane(settings, 4.0, seed), 0,
    )  # fmt: skip


def keep(run: Lane) -> None:
    """Put attention and the clock on record."""
    row = new_row(run.kept)
    row[0] = float(run.step)
    row[1] = signal_A(run.model.A, run.model.task)
    row[2] = run.clock


def move(run: Lane, row: int, x: Vector, gradient: Vector, rate: float, optimiser: int) -> None:
    """One update of the array of this row by the chosen optimiser."""
    mean, square = run.mean[row], run.square[row]
    for i in range(len(x)):
        g = gradient[i]
        if optimiser == GRADIENT:
            x[i] -= rate * g
        elif optimiser == MOMENTUM:
            mean[i] = DECAY * mean[i] + g
            x[i] -= (1.0 - DECAY) * rate * mean[i]
        elif optimiser == ADAM:
            mean[i] = DECAY * mean[i] + (1.0 - DECAY) * g
            square[i] = KEPT * square[i] + (1.0 - KEPT) * (g * g)
            root = sqrt(square[i] / (1.0 - run.left_2)) + 1e-8
            x[i] -= rate * (mean[i] / ((1.0 - run.left_1) * root))
        elif g > 0.0:
            x[i] -= rate
        elif g < 0.0:
            x[i] += rate


def advance(run: Lane, settings: Settings) -> None:
    """One step of one run, as chapter 1 takes it: rates over token frequency and signal, rows of A keep their sum."""
    model, task = run.model, run.model.task
    fresh_gradient(model)
    out = signal_V(model.V, task)
    run.clock += out * (1.0 - signal_A(model.A, task) * out)
    run.step += 1
    run.left_1 *= DECAY
    run.left_2 *= KEPT
    scaled = settings.optimiser == GRADIENT or settings.optimiser == MOMENTUM  # the others do not know sizes
    for j in range(settings.N):
        rate = run.lr_V / task.K_Q / task.mu[j] if scaled else 0.1 * run.lr_V
        move(run, j, model.V[j], model.grad_V[j], rate, settings.optimiser)
    for k in range(settings.N):
        rate = settings.lr_A / task.K_P / task.mu[k] if scaled else 0.02 * settings.lr_A
        keep_sum(model.grad_A[k])
        move(run, settings.N + k, model.A[k], model.grad_A[k], rate, settings.optimiser)
    while is_due(run.kept, float(run.step)):
        keep(run)


def ended(run: Lane) -> bool:
    """Whether a run has passed the top of the picture, or its loss is lost."""
    row = run.kept.rows[run.kept.count - 1]
    return row[1] >= TOP or run.model.diverged_at >= 0


def step(race: Race) -> None:
    """One step of every run that has not come to its end."""
    for i in range(5):
        run = nth(race, i)
        if not ended(run):
            advance(run, race.settings)
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


def half(run: Lane, settings: Settings, place: int) -> float:
    """The step (place 0) or the clock (place 2) at which attention is half-way; NaN if it is not.

    Momentum answers late: its clock is that of nine steps before.
    """
    at = reached(column(run.kept, 0), column(run.kept, 1), LEVEL)
    if place == 0 or at != at:
        return at
    if settings.optimiser == MOMENTUM:
        at -= float(LATE)
    return between(run.kept, at)


def between(kept: Records, at: float) -> float:
    """The clock at a step, on a straight line between two records."""
    for i in range(1, kept.count):
        before, after = kept.rows[i - 1], kept.rows[i]
        if at <= after[0]:
            return before[2] + (after[2] - before[2]) * (at - before[0]) / (after[0] - before[0])
    return nan


def read(race: Race) -> Readings:
    """What is on record, by run from slowest to fastest: at1 .. at5 steps, clock1 .. and attention1 .., each (count,);
    half_step and half_clock (5,), NaN where attention is not half-way; steps, those of the longest run.
    """
    last = race.three
    halves, clocks = zeros(5), zeros(5)
    for i in range(5):
        run = nth(race, i)
        halves[i] = half(run, race.settings, 0)
        clocks[i] = half(run, race.settings, 2)
        if run.kept.count >= last.kept.count:
            last = run
    lost = nan
    for i in range(5):
        if nth(race, i).model.diverged_at >= 0:
            lost = float(nth(race, i).step)
    one, two, three, four, five = race.one.kept, race.two.kept, race.three.kept, race.four.kept, race.five.kept
    return {
        "steps": column(last.kept, 0), "half_step": halves, "half_clock": clocks, "diverged_at": [lost],
        "at1": column(one, 0), "at2": column(two, 0), "at3": column(three, 0), "at4": column(four, 0),
        "at5": column(five, 0), "clock1": column(one, 2), "clock2": column(two, 2), "clock3": column(three, 2),
        "clock4": column(four, 2), "clock5": column(five, 2), "attention1": column(one, 1),
        "attention2": column(two, 1), "attention3": column(three, 1), "attention4": column(four, 1),
        "attention5": column(five, 1),
    }  # fmt: skip
