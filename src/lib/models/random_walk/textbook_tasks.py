"""Both question tasks, each learned by a layer of its own from the same start; what a word votes for, by word.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 6. Each layer is that of `textbook_questions`; that of the
second task runs twice, as one run is read on one question.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.models.random_walk.textbook import descend
from lib.models.random_walk.textbook import done as run_done
from lib.models.random_walk.textbook_questions import Asked, Reading, count_step, gradient
from lib.models.random_walk.textbook_questions import start as start_reading
from lib.models.random_walk.textbook_questions import steps_of as steps_of_reading
from lib.portable.primitives import Readings, Vector, nan, zeros
from lib.portable.records import Records, column, columns, ended, new_row, room_for

LEAST = 0.1  # by which one vote must exceed the other to count, and
PART = 0.2  # by which part of the larger one


class Tasks(NamedTuple):
    """What a reader can choose."""

    question: int = 12  # of task 1, the one that is read, from 1
    lr: float = 0.1  # learning rate of V and W
    sigma: float = 0.01  # standard deviation of the entries of V and W at the start
    unit: int = 1  # 1: tokens are divided by their length
    steps: int = 100  # of gradient descent, each on all questions of a task
    M: int = 1000  # length of a positional vector
    epsilon: float = 0.1  # offset of the log-loss


@dataclass
class Both:
    """Three runs side by side, and what their words vote for."""

    listed: Reading  # task 1
    one: Reading  # task 2, read on its first question
    other: Reading  # the same run, read on its second
    kept: Records  # of each word of the three questions 0, or 1 or 2 where it votes for apple or for orange


def asked(settings: Tasks, task: int, question: int) -> Asked:
    """The settings of one of the runs."""
    s = settings
    return Asked(task, question, s.lr, s.sigma, s.unit, s.steps, s.M, s.epsilon)


def start(settings: Tasks, seed: int) -> Both:
    """A layer for each task, at one random start."""
    listed = start_reading(asked(settings, 1, settings.question), seed)
    one, other = start_reading(asked(settings, 2, 1), seed), start_reading(asked(settings, 2, 2), seed)
    width = listed.inner.settings.N + 2 * one.inner.settings.N
    return Both(listed, one, other, room_for(steps_of(settings), width))


def steps_of(settings: Tasks) -> Vector:
    """The steps of a whole run's records."""
    return steps_of_reading(asked(settings, 1, settings.question))


def side(apple: float, orange: float) -> float:
    """1 where apple has clearly more votes, 2 where orange has, else 0."""
    clear = max(LEAST, PART * max(abs(apple), abs(orange)))
    return 1.0 if apple - orange > clear else 2.0 if orange - apple > clear else 0.0


def look(reading: Reading, row: Vector, at: int) -> None:
    """Put the sides of a question's words into a row from `at` on; the empty token has none."""
    walk, V = reading.inner.walks[reading.chosen], reading.inner.V
    for j in range(len(walk) - 1):
        row[at + j] = side(V[0][walk[j]], V[1][walk[j]])


def follow(reading: Reading) -> None:
    """Descend by the gradient."""
    if reading.inner.diverged_at < 0:
        descend(reading.inner)
        count_step(reading)


def step(state: Both) -> None:
    """One step of each layer; what was before it goes on record if it is due."""
    gradient(state.listed)
    gradient(state.one)
    gradient(state.other)
    if state.kept.count < state.listed.kept.count:
        row, first, then = new_row(state.kept), state.listed.inner.settings.N, state.one.inner.settings.N
        look(state.listed, row, 0)
        look(state.one, row, first)
        look(state.other, row, first + then)
    follow(state.listed)
    follow(state.one)
    follow(state.other)


def done(state: Both) -> bool:
    """Whether the runs have ended, or one of them has diverged."""
    return run_done(state.listed.inner) or run_done(state.one.inner)


def lead(reading: Reading) -> Vector:
    """By how much the output has more apple than orange (count,): the votes of all words, weighed by attention."""
    N, count = reading.inner.settings.N, reading.kept.count
    found, votes = zeros(count), columns(reading.kept, 5 + N, 2 * N)
    for i in range(count):
        for j in range(N):
            found[i] += votes[2 * (i * N + j)] - votes[2 * (i * N + j) + 1]
    return found


def spread(reading: Reading) -> Vector:
    """Attention (count N) on the words; NaN for the empty token, which pays it."""
    N = reading.inner.settings.N
    found = columns(reading.kept, 5, N)
    for i in range(reading.kept.count):
        found[i * N + N - 1] = nan
    return found


def read(state: Both) -> Readings:
    """What is on record: accuracy and divergence (count,) of both tasks; attention and sides by word, of task 1
    (count 17,) and of the two questions of task 2 one after the other (count 38,); by how much each of the three
    outputs has more apple than orange (count 3,).
    """
    listed, one, other = state.listed, state.one, state.other
    count, N = state.kept.count, one.inner.settings.N
    first = listed.inner.settings.N
    leads, pair = zeros(3 * count), zeros(2 * N * count)
    a, b, c = lead(listed), lead(one), lead(other)
    left, right = spread(one), spread(other)
    for i in range(count):
        leads[3 * i] = a[i]
        leads[3 * i + 1] = b[i]
        leads[3 * i + 2] = c[i]
        for j in range(N):
            pair[2 * N * i + j] = left[i * N + j]
            pair[2 * N * i + N + j] = right[i * N + j]
    diverged = max(listed.inner.diverged_at, one.inner.diverged_at)
    return {
        "steps": column(listed.kept, 0), "accuracy": column(listed.kept, 1), "divergence": column(listed.kept, 2),
        "luck": column(one.kept, 1), "apart": column(one.kept, 2), "listed": spread(listed), "pair": pair,
        "sides": columns(state.kept, 0, first), "pair_sides": columns(state.kept, first, 2 * N), "leads": leads,
        "diverged_at": ended(diverged),
    }  # fmt: skip
