"""Prompts that grow example by example, and what the Bayes predictor and the best block still miss: in plain Python.

Chapter `linear_block`. Source: arXiv 2402.14951, Lemma 6.1: Bayes is ridge regression centred at the prior mean, whose
error given the features of a context is known. Other rules have risks in closed form; this one is a mean over contexts.
All contexts grow together, a row a step, and are looked at wherever they have one of the lengths. The first of them
have a task, noise and a query as well: what both rules answer there. Features are kept times the roots of the signal's
parts, so that the task's deviation from its mean is standard normal.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.models.linear_block.textbook_prompts import law_of
from lib.portable.numbers import exp, log
from lib.portable.primitives import Matrix, Readings, Vector, floor, sqrt, zero_matrix, zeros
from lib.portable.random_numbers import generator, normals
from lib.portable.records import Records, column, columns, ended, is_due, new_row, room_for
from lib.portable.vectors import dot

LENGTHS = 13  # 2, 3, 4, 6, 8, ... 128: every second one is a power of 2
PROMPTS = 40  # with a query, at most


class Settings(NamedTuple):
    """What a reader can choose."""

    d: int = 8  # features
    sigma: float = 1.0  # standard deviation of the label noise
    norm: float = 3.0  # length of the prior mean, all entries equal; what is drawn here does not depend on it
    decay: float = 0.0  # the features' variances are 1, 2^-decay, 3^-decay, ...
    contexts: int = 100  # drawn in all


@dataclass
class State:
    """The contexts so far, and room for one."""

    settings: Settings
    root: Vector  # (d,) standard deviations of the signal's parts, sqrt(psi h)
    noise: float  # sigma^2
    tau: float  # noise and signal
    A: Matrix  # (contexts d, d) of each context sigma^2 I + its moments
    pull: Matrix  # (prompts, d) features times noise, added up
    tasks: Matrix  # (prompts, d) the tasks' deviations
    queries: Matrix  # (prompts, d)
    L: Matrix  # (d, d) a Cholesky factor, the diagonal inverted
    row: Vector  # (d,)
    one: Vector  # (1,)
    random: Vector
    labels: Vector  # random numbers of tasks, queries and noise
    count: int  # examples
    kept: Records  # examples, mean risk of Bayes above the noise, misses of the block and of Bayes


def lengths() -> Vector:
    """(LENGTHS,) rising context lengths from 2 to 128, evenly on a log axis."""
    found = zeros(LENGTHS)
    for i in range(LENGTHS):
        found[i] = float(floor(2.0 * exp(0.5 * log(2.0) * float(i)) + 0.5))
    return found


def steps_of(settings: Settings) -> Vector:
    """(LENGTHS,) examples at the records."""
    return lengths()


def start(settings: Settings, seed: int) -> State:
    """No example drawn yet."""
    require(settings.sigma > 0.0, "sigma", "a number above 0", settings.sigma)
    require(settings.contexts >= 1, "contexts", "at least 1", settings.contexts)
    d, contexts, prompts = settings.d, settings.contexts, min(PROMPTS, settings.contexts)
    law, root, tau = law_of(d, 2, settings.sigma, settings.norm, settings.decay, 1.0), zeros(d), 0.0
    for i in range(d):
        root[i] = sqrt(law.psi * law.h[i])
        tau += law.psi * law.h[i]
    state = State(
        settings, root, law.sigma * law.sigma, tau + law.sigma * law.sigma, zero_matrix(contexts * d, d),
        zero_matrix(prompts, d), zero_matrix(prompts, d), zero_matrix(prompts, d), zero_matrix(d, d), zeros(d),
        zeros(1), generator(seed, 3), generator(seed, 2), 0, room_for(lengths(), 2 + 2 * prompts),
    )  # fmt: skip
    for k in range(contexts * d):
        state.A[k][k - d * (k // d)] = state.noise
    for c in range(prompts):
        normals(state.labels, state.tasks[c])
        normals(state.labels, state.queries[c])
        for i in range(d):
            state.queries[c][i] *= root[i]
    return state


def add_example(state: State, context: int) -> None:
    """Draw one more row of a context, and the noise of its label."""
    d, row = len(state.row), state.row
    normals(state.random, row)
    for i in range(d):
        row[i] *= state.root[i]
    for i in range(d):
        for j in range(d):
            state.A[d * context + i][j] += row[i] * row[j]
    if context < len(state.pull):
        normals(state.labels, state.one)
        for i in range(d):
            state.pull[context][i] += state.settings.sigma * state.one[0] * row[i]


def risk_given(state: State, context: int) -> float:
    """What Bayes errs by above the noise, given the context: sigma^2 tr(diag(root^2) A^-1), by A = L L'."""
    L, d, risk = state.L, len(state.root), 0.0
    for i in range(d):
        for j in range(i + 1):
            left = state.A[d * context + i][j]
            for k in range(j):
                left -= L[i][k] * L[j][k]
            L[i][j] = 1.0 / sqrt(left) if i == j else left * L[j][j]
    for a in range(d):  # column a of L^-1
        state.row[a] = L[a][a]
        length = L[a][a] * L[a][a]
        for i in range(a + 1, d):
            left = 0.0
            for k in range(a, i):
                left -= L[i][k] * state.row[k]
            state.row[i] = left * L[i][i]
            length += state.row[i] * state.row[i]
        risk += state.noise * length * state.root[a] * state.root[a]
    return risk


def read_labels(state: State, context: int) -> None:
    """`row` becomes what the labels say of a prompt: features times deviations of the labels, added up."""
    d, task = len(state.row), state.tasks[context]
    for i in range(d):
        state.row[i] = state.pull[context][i] - state.noise * task[i]
        for j in range(d):
            state.row[i] += state.A[d * context + i][j] * task[j]


def block_miss(state: State, context: int) -> float:
    """The best block's answer at the query less the task's, after `read_labels`, in units of what the prior mean alone
    misses in root mean square.
    """
    M, answer = float(state.count), 0.0
    for i in range(len(state.row)):
        phi = state.root[i] * state.root[i]
        answer += state.queries[context][i] * state.row[i] / ((M + 1.0) * phi + state.tau)
    return (answer - dot(state.queries[context], state.tasks[context])) / sqrt(state.tau - state.noise)


def bayes_miss(state: State, context: int) -> float:
    """The same of Bayes, after `read_labels` and with the factor of `risk_given`; `row` is used up."""
    L, row, d = state.L, state.row, len(state.row)
    for i in range(d):
        for k in range(i):
            row[i] -= L[i][k] * row[k]
        row[i] *= L[i][i]
    for back in range(d):
        at = d - 1 - back
        for k in range(at + 1, d):
            row[at] -= L[k][at] * row[k]
        row[at] *= L[at][at]
    return (dot(state.queries[context], row) - dot(state.queries[context], state.tasks[context])) / sqrt(
        state.tau - state.noise
    )


def step(state: State) -> None:
    """One example more in every context."""
    contexts, prompts = state.settings.contexts, len(state.tasks)
    for c in range(contexts):
        add_example(state, c)
    state.count += 1
    if not is_due(state.kept, float(state.count)):
        return
    row = new_row(state.kept)
    row[0] = float(state.count)
    for c in range(contexts):
        row[1] += risk_given(state, c) / float(contexts)
        if c < prompts:
            read_labels(state, c)
            row[2 + c] = block_miss(state, c)
            row[2 + prompts + c] = bayes_miss(state, c)


def done(state: State) -> bool:
    """Whether the contexts have their last length."""
    return state.kept.count == LENGTHS


def read(state: State) -> Readings:
    """Examples at the records so far; the mean risk of Bayes above the noise (count,); what the best block and Bayes
    miss the task's answer by, at the query of each prompt (count prompts,), in units of what the prior mean alone
    misses in root mean square.
    """
    prompts = len(state.tasks)
    return {
        "examples": column(state.kept, 0), "bayes": column(state.kept, 1),
        "block_miss": columns(state.kept, 2, prompts), "bayes_miss": columns(state.kept, 2 + prompts, prompts),
        "diverged_at": ended(-1),
    }  # fmt: skip
