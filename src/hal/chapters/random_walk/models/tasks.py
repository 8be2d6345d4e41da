"""The two question tasks: each learned by a layer of its own, from the same random start.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 6 (questions and answers, whose words these are). The layers
are those of `full`: a word is a node, a question a walk whose last node is the answer. In task 1 the average of the
words tells the answer, in task 2 it cannot.
"""

from dataclasses import dataclass
from typing import NamedTuple

from hal.chapters.random_walk.models.full import Settings, State, check, start_on
from hal.chapters.random_walk.models.full import step as step_layer
from lib.errors import require
from lib.portable.primitives import Table, Vector, Wholes, whole_table, whole_zeros
from lib.portable.records import even_steps

COUNT = 19  # words of the vocabulary; apple is 0, orange 1
LOOKS = 40  # records of a whole run, besides the one at its start; each holds every word of the questions
_FRUIT = -1  # a place that differs from question to question


class Tasks(NamedTuple):
    """What a reader can choose."""

    question: int = 12  # of task 1, the one that is read, from 1
    lr: float = 0.1  # learning rate of V and W
    sigma: float = 0.01  # standard deviation of the entries of V and W at the start
    unit: int = 1  # 1: tokens are divided by their length
    steps: int = 100  # of gradient descent, each on all questions of a task
    M: int = 1000  # length of a positional vector
    epsilon: float = 0.1  # offset of the loss


@dataclass
class Both:
    """Two layers side by side."""

    settings: Tasks
    lists: State  # task 1
    pairs: State  # task 2
    step: int
    diverged_at: int  # of either; -1 while none has


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


def steps_of(settings: Tasks) -> Vector:
    """The steps of a whole run's records: every 40th part of it, every step of a short one."""
    return even_steps(settings.steps, min(LOOKS, settings.steps)) if settings.steps > 0 else [0.0]


def layer_on(walks: Table, settings: Tasks, seed: int) -> State:
    """A layer at a random start, on the questions of a task."""
    s = settings
    whole = Settings(
        K=COUNT, N=len(walks[0]), p=1.0, M=s.M, n=len(walks), lr=s.lr, steps=s.steps, epsilon=s.epsilon, sigma=s.sigma,
        unit=s.unit,
    )  # fmt: skip
    check(whole)
    return start_on(walks, whole, seed)


def start(settings: Tasks, seed: int) -> Both:
    """A layer for each task, at one random start."""
    asked = settings.question
    require(asked >= 1 and asked <= 32, "question", "the number of one", asked)
    return Both(settings, layer_on(questions(1), settings, seed), layer_on(questions(2), settings, seed), 0, -1)


def step(state: Both) -> None:
    """One step of each layer."""
    step_layer(state.lists)
    step_layer(state.pairs)
    state.step += 1
    state.diverged_at = max(state.lists.diverged_at, state.pairs.diverged_at)


def done(state: Both) -> bool:
    """Whether all steps are made, or one of the layers has diverged."""
    return state.diverged_at >= 0 or state.step >= state.settings.steps
