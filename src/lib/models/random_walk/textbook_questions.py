"""The two question tasks, word by word: what a layer learns of them from a random start, and how it reads one question.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 6 (questions and answers). Everything but the words and what is
recorded is `textbook.py`: a word is a node, a question a walk whose last node is the answer. The questions are those of
`questions.py`, in its order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.models.random_walk.textbook import State, add_walk, begin, descend, started
from lib.models.random_walk.textbook_losses import LOG
from lib.models.random_walk.textbook_record import predicted
from lib.models.random_walk.textbook_task import Settings, check_settings
from lib.portable.numbers import log
from lib.portable.primitives import Readings, Table, Vector, Wholes, first, nan, whole_table, whole_zeros, zeros
from lib.portable.python import python_only, settings_from
from lib.portable.vectors import dot

WORDS = 19  # of the vocabulary; apple is 0, orange 1
LOOKS = 40  # records of a whole run, besides the one at its start; each holds every word of the question
_FRUIT = -1  # a place that differs from question to question
_LEAST = 1e-12  # outputs of random starts can be negative


class Asked(NamedTuple):
    """What a reader can choose."""

    task: int = 1  # 1: which fruit is named most often; 2: which was named first
    question: int = 1  # the one that is read, from 1
    lr: float = 0.1  # learning rate of V and W
    sigma: float = 0.01  # standard deviation of the entries of V and W at the start
    unit: int = 1  # 1: tokens are divided by their length
    steps: int = 100  # of gradient descent, each on all questions
    M: int = 1000  # length of a positional vector
    epsilon: float = 0.1  # offset of the log-loss


@dataclass
class Reading:
    """A textbook run on the questions of a task, and what is recorded of it."""

    inner: State
    chosen: int  # number of the question that is read, from 0
    steps: Vector
    accuracy: Vector  # share of all questions answered correctly
    divergence: Vector  # nats from the right answers, mean over the questions
    apple: Vector  # odds of the two fruits in the answer to the chosen question
    orange: Vector
    attention: Vector  # (N,) of the chosen question, record after record; the last is the empty token's
    votes: Vector  # (N, 2) what each of its tokens adds to the output at the two fruits


def sentence(task: int) -> Wholes:
    """The words of a question, its answer last; -1 where a fruit stands."""
    if task == 1:
        return [2, 3, 4, 9, _FRUIT, _FRUIT, _FRUIT, _FRUIT, _FRUIT, 5, 6, 7, 8, 10, 11, 12, _FRUIT]
    return [2, 3, 4, 13, 14, 15, 16, _FRUIT, 17, 16, _FRUIT, 5, 6, 7, 8, 18, 14, 15, _FRUIT]


def fruits(task: int, question: int) -> Wholes:
    """The fruits of a question, 0 to 31 or 0 to 1, in their order: 0 apple, 1 orange."""
    if task == 2:
        return [question, 1 - question]
    found, rest, half = whole_zeros(5), question, 16
    for m in range(5):
        found[m] = rest // half
        rest -= found[m] * half
        half = half // 2
    return found


def questions(task: int) -> Table:
    """All questions of a task: 32 of 16 words or 2 of 18, each with its answer."""
    words = sentence(task)
    last, count = len(words) - 1, 32 if task == 1 else 2
    found = whole_table(count, len(words))
    for i in range(count):
        named, m, oranges = fruits(task, i), 0, 0
        for j in range(last):
            found[i][j] = words[j]
            if words[j] == _FRUIT:
                found[i][j] = named[m]
                oranges += named[m]
                m += 1
        found[i][last] = named[0] if task == 2 else 1 if oranges > 2 else 0
    return found


def start(settings: Asked, seed: int) -> Reading:
    """The questions, and a layer at a random start."""
    require(settings.task == 1 or settings.task == 2, "task", "1 or 2", settings.task)
    walks = questions(settings.task)
    most = len(walks)
    require(settings.question >= 1 and settings.question <= most, "question", "the number of one", settings.question)
    N = len(walks[0])
    whole = Settings(
        WORDS, N, 1.0, settings.M, most, settings.lr, settings.steps, settings.epsilon, LOG, settings.sigma,
        settings.unit,
    )  # fmt: skip
    check_settings(whole)
    room = LOOKS + 1
    return Reading(
        started(whole, walks, seed), settings.question - 1, zeros(room), zeros(room), zeros(room), zeros(room),
        zeros(room), zeros(room * N), zeros(room * N * 2),
    )  # fmt: skip


def look_steps(steps: int) -> Vector:
    """The steps of the records of a whole run: all of a short one."""
    count = min(LOOKS, steps)
    at = zeros(count + 1)
    for i in range(1, count + 1):
        at[i] = float((i * steps + count - 1) // count)
    return at


def odds(output: Vector, word: int) -> float:
    """The share of a word in the output, where what is negative counts as almost nothing."""
    norm = 0.0
    for k in range(len(output)):
        norm += max(output[k], _LEAST)
    return max(output[word], _LEAST) / norm


def keep(state: Reading, walk: Wholes, at: int) -> None:
    """Record how the question is read: the odds of the fruits, attention and votes of its words."""
    inner, N = state.inner, len(walk)
    state.apple[at] = odds(inner.output, 0)
    state.orange[at] = odds(inner.output, 1)
    for j in range(N):
        state.attention[at * N + j] = inner.S[j]
        if j < N - 1:
            state.votes[2 * (at * N + j)] = inner.S[j] * inner.V[0][walk[j]]
            state.votes[2 * (at * N + j) + 1] = inner.S[j] * inner.V[1][walk[j]]


def step(state: Reading) -> None:
    """One step on all questions; what the parameters were before it is recorded where it is due."""
    inner = state.inner
    share, at = 1.0 / float(inner.settings.n), inner.record.count
    due = at <= LOOKS and LOOKS * inner.step >= at * inner.settings.steps
    begin(inner)
    for i in range(inner.settings.n):
        walk = inner.walks[i]
        answer = walk[len(walk) - 1]
        inner.sums[0] += share * add_walk(inner, walk)
        if due:
            for k in range(WORDS):
                inner.output[k] = dot(inner.V[k], inner.mass)
            state.accuracy[at] += share if predicted(inner.output) == answer else 0.0
            state.divergence[at] -= share * log(odds(inner.output, answer))
            if i == state.chosen:
                keep(state, walk, at)
    if due:
        state.steps[at] = float(inner.step)
        inner.record.count = at + 1
    descend(inner)


def advance(state: Reading, steps: int) -> None:
    """Train for so many steps, fewer where the run ends before; one more than `steps` measures the end."""
    for _ in range(steps):
        if state.inner.diverged_at >= 0 or state.inner.step > state.inner.settings.steps:
            return
        step(state)


def steps_of(settings: Asked) -> int:
    """Calls of `step` of a whole run: the last only measures."""
    return settings.steps + 1


def read(state: Reading) -> Readings:
    """What was recorded so far: each measure (count,), attention (count N,), votes (count N 2,)."""
    inner, now = state.inner, state.inner.record.count
    N = inner.settings.N
    return {
        "steps": first(state.steps, now), "accuracy": first(state.accuracy, now),
        "divergence": first(state.divergence, now), "apple": first(state.apple, now),
        "orange": first(state.orange, now), "attention": first(state.attention, now * N),
        "votes": first(state.votes, now * N * 2),
        "diverged_at": [float(inner.diverged_at) if inner.diverged_at >= 0 else nan],
    }  # fmt: skip


@python_only
def run(seed: int = 0, **settings: float) -> Readings:
    """A whole run: `run(task=2, question=1, seed=3)["accuracy"]`."""
    chosen = settings_from(Asked, settings)
    state = start(chosen, seed)
    advance(state, steps_of(chosen))
    return read(state)
