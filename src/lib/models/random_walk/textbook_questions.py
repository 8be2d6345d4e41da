"""The two question tasks, word by word: what a layer learns of them from a random start, and how it reads one question.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 6 (questions and answers). Everything but the words and what is
recorded is `textbook.py`: a word is a node, a question a walk whose last node is the answer. The questions are those of
`walks.py`, in its order.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.models.random_walk.textbook import State, add_walk, begin, descend, start_on
from lib.models.random_walk.textbook import count_step as count_step_run
from lib.models.random_walk.textbook import done as run_done
from lib.models.random_walk.textbook import parameters as parameters_run
from lib.models.random_walk.textbook_measures import even_records, predicted
from lib.models.random_walk.textbook_task import LOG, Settings, check_settings
from lib.portable.numbers import log
from lib.portable.primitives import Matrix, Readings, Table, Vector, Wholes, whole_table, whole_zeros
from lib.portable.records import Records, column, columns, ended, is_due, new_row, room_for
from lib.portable.vectors import dot, stacked

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
    # step; share of all questions answered correctly; nats from the right answers, mean over the questions; of the
    # chosen question the odds of apple and orange, the attention (N,), and what each token adds at the fruits (N, 2)
    kept: Records


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
    inner = start_on(walks, whole, seed)
    return Reading(inner, settings.question - 1, room_for(steps_of(settings), 5 + 3 * N))


def steps_of(settings: Asked) -> Vector:
    """The steps of a whole run's records: every 40th part of it, every step of a short one."""
    return even_records(settings.steps, LOOKS)


def odds(output: Vector, word: int) -> float:
    """The share of a word in the output, where what is negative counts as almost nothing."""
    norm = 0.0
    for k in range(len(output)):
        norm += max(output[k], _LEAST)
    return max(output[word], _LEAST) / norm


def keep(state: Reading, walk: Wholes, row: Vector) -> None:
    """Put on record how the question is read: the odds of the fruits, attention and votes of its words."""
    inner, N = state.inner, len(walk)
    row[3] = odds(inner.output, 0)
    row[4] = odds(inner.output, 1)
    for j in range(N):
        row[5 + j] = inner.S[j]
        if j < N - 1:
            row[5 + N + 2 * j] = inner.S[j] * inner.V[0][walk[j]]
            row[5 + N + 2 * j + 1] = inner.S[j] * inner.V[1][walk[j]]


def look(state: Reading, i: int) -> None:
    """What question i, just read, adds to the record that is due."""
    inner, row = state.inner, state.kept.rows[state.kept.count - 1]
    walk, share = inner.walks[i], 1.0 / float(inner.settings.n)
    answer = walk[len(walk) - 1]
    for k in range(WORDS):
        inner.output[k] = dot(inner.V[k], inner.mass)
    row[1] += share if predicted(inner.output) == answer else 0.0
    row[2] -= share * log(odds(inner.output, answer))
    if i == state.chosen:
        keep(state, walk, row)


def parameters(state: Reading) -> Matrix:
    """What is trained, as in `textbook`."""
    return parameters_run(state.inner)


def gradient(state: Reading) -> Matrix:
    """The mean gradient of all questions, rows as those of `parameters`; the pass goes on record if it is due."""
    inner = state.inner
    due = is_due(state.kept, float(inner.step))
    if due:
        row = new_row(state.kept)
        row[0] = float(inner.step)
    begin(inner)
    for i in range(inner.settings.n):
        inner.sums[0] += 1.0 / float(inner.settings.n) * add_walk(inner, inner.walks[i])
        if due:
            look(state, i)
    if not inner.sums[0] <= 1e9:
        inner.diverged_at = inner.step
    return stacked(inner.grad_V, [inner.grad_u, inner.grad_g])


def count_step(state: Reading) -> None:
    """One step more."""
    count_step_run(state.inner)


def step(state: Reading) -> None:
    """One step on all questions; what the parameters were before it goes on record if it is due."""
    gradient(state)
    if state.inner.diverged_at < 0:
        descend(state.inner)
        count_step(state)


def done(state: Reading) -> bool:
    """Whether the run has ended."""
    return run_done(state.inner)


def read(state: Reading) -> Readings:
    """What is on record: each measure (count,), attention (count N,), votes (count N 2,); the last of the N places is
    the empty token's.
    """
    kept, N = state.kept, state.inner.settings.N
    return {
        "steps": column(kept, 0), "accuracy": column(kept, 1), "divergence": column(kept, 2),
        "apple": column(kept, 3), "orange": column(kept, 4), "attention": columns(kept, 5, N),
        "votes": columns(kept, 5 + N, 2 * N), "diverged_at": ended(state.inner.diverged_at),
    }  # fmt: skip
