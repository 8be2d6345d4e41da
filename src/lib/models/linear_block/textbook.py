"""The whole model: prompts, a linear transformer block, its loss, gradient and training, in plain Python.

Chapter `linear_block`. Source: Zhang, Wu, Bartlett, "In-context learning of a linear transformer block: benefits of the
MLP component and one-step GD initialization", arXiv 2402.14951, Section 3. The page runs this file, translated. A
prompt is M examples (x_i, y_i) and a query x. All that the block's six matrices can say is f = alpha'x + (1/M) sum_i
(v'x_i + c y_i) (x_i'Q x + y_i q'x). With v = -alpha, c = 1, q = 0 that is one gradient step from alpha with the step
matrix Q'; without the MLP alpha = 0. `block.py` and `estimators.py` compute it with arrays.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.models.linear_block.textbook_block import (
    BLOCK,
    MEASURES,
    RECORDS,
    STEP,
    ZERO,
    Block,
    clear,
    measure,
    new_block,
    pack,
    population_risk,
    readings,
    restrict,
    unpack,
)
from lib.models.linear_block.textbook_prompts import Law, draw_example, draw_task, law_of
from lib.portable.optimisers import AdamMemory, adam, adam_memory, sgd
from lib.portable.primitives import Matrix, Readings, Vector, nan, zero_matrix, zeros
from lib.portable.random_numbers import generator, normals
from lib.portable.records import Records, even_steps, is_due, new_row, room_for
from lib.portable.vectors import add, dot, fill


class Settings(NamedTuple):
    """What a reader can choose."""

    kind: int = BLOCK  # or ATTENTION, STEP, ZERO
    d: int = 5  # features
    M: int = 20  # labelled examples
    sigma: float = 0.5  # standard deviation of the label noise
    norm: float = 2.0  # length of the prior mean
    decay: float = 0.0  # the features' variances are 1, 2^-decay, 3^-decay, ...
    batch: int = 64  # prompts a step
    lr: float = 0.01  # learning rate, a tenth of it after 70 % of the steps
    adam: int = 1  # 0: plain stochastic gradient descent
    start: float = 0.02  # deviation of a block's parameters at its start
    steps: int = 1000


@dataclass
class State:
    """A run: its block and gradient, and room for one prompt."""

    settings: Settings
    law: Law
    theta: Matrix  # (1, 3 d + 1 + d d) the block's parameters in one row, see `pack`
    slope: Matrix  # the gradient in that row
    memory: AdamMemory
    block: Block  # the parameters, each by its name
    gradient: Block
    task: Vector  # (d,) the task vector of the prompt
    Z: Matrix  # (M, d + 1) the examples (x_i, y_i)
    query: Vector  # (d + 1,) x, and its hidden label
    Qx: Vector  # (d,)
    score: Vector  # (M,) x_i'Q x + y_i q'x
    value: Vector  # (M,) v'x_i + c y_i
    read: Vector  # (d + 1,) mean of value_i (x_i, y_i)
    random: Vector
    step: int
    diverged_at: int  # -1 while it has not
    loss: float  # summed over the batches since the last record
    since: int  # their number
    kept: Records  # see `measure`


def steps_of(settings: Settings) -> Vector:
    """(61,) the steps of a whole run's records: every 60th part."""
    return even_steps(settings.steps, RECORDS)


def start(settings: Settings, seed: int) -> State:
    """Labels on the value side, features on the key side, and noise; a step starts at zero."""
    require(settings.kind >= BLOCK and settings.kind <= ZERO, "kind", "one of 0 to 3", settings.kind)
    require(settings.batch >= 1, "batch", "at least 1 prompt", settings.batch)
    require(settings.lr >= 0.0, "lr", "a number of at least 0", settings.lr)
    require(settings.start >= 0.0, "start", "a number of at least 0", settings.start)
    d, M, n = settings.d, settings.M, 3 * settings.d + 1 + settings.d * settings.d
    law = law_of(d, M, settings.sigma, settings.norm, settings.decay, 1.0)
    state = State(
        settings, law, zero_matrix(1, n), zero_matrix(1, n), adam_memory(n), new_block(d), new_block(d), zeros(d),
        zero_matrix(M, d + 1), zeros(d + 1), zeros(d), zeros(M), zeros(M), zeros(d + 1), generator(seed, 2),
        0, -1, 0.0, 0, room_for(steps_of(settings), MEASURES),
    )  # fmt: skip
    theta = state.theta[0]
    if settings.kind >= STEP:
        theta[2 * d] = 1.0
    else:
        normals(generator(seed, 1), theta)
        for i in range(n):
            theta[i] = 0.0 if settings.kind != BLOCK and i < d else settings.start * theta[i]
        theta[2 * d] += 0.3
        for i in range(d):
            theta[3 * d + 1 + d * i + i] += 0.3
    keep(state)
    return state


def keep(state: State) -> None:
    """Put on record the loss since the last record, the exact risk, and where the block is."""
    loss = state.loss / float(state.since) if state.since > 0 else nan
    unpack(state.settings.kind, state.theta[0], state.block)
    risk = population_risk(state.law, state.block, new_block(state.settings.d))
    while is_due(state.kept, float(state.step)):
        measure(new_row(state.kept), state.step, loss, risk, state.block)
    state.loss = 0.0
    state.since = 0


def draw_prompt(state: State) -> None:
    """A task vector from N(mean, psi I), its examples, and a query."""
    draw_task(state.law, state.task, state.random)
    for m in range(len(state.Z)):
        draw_example(state.law, state.task, state.Z[m], state.random)
    draw_example(state.law, state.task, state.query, state.random)


def output(state: State) -> float:
    """The label that the block predicts; scores and values are left in the state."""
    block, d = state.block, len(state.task)
    for i in range(d):
        state.Qx[i] = dot(block.Q[i], state.query)
    qx = dot(block.q, state.query)
    for m in range(len(state.Z)):
        label = state.Z[m][d]
        state.score[m] = dot(state.Qx, state.Z[m]) + label * qx
        state.value[m] = dot(block.v, state.Z[m]) + label * block.c
    return dot(block.alpha, state.query) + dot(state.value, state.score) / float(len(state.Z))


def add_prompt(state: State, share: float) -> float:
    """The squared error of the prompt; so much of its gradient is added."""
    d, M, gradient = len(state.task), float(len(state.Z)), state.gradient
    error = output(state) - state.query[d]
    r = 2.0 * error * share
    fill(state.read, 0.0)
    for m in range(len(state.Z)):
        add(state.read, state.value[m] / M, state.Z[m])
        add(gradient.v, r * state.score[m] / M, state.Z[m])
        gradient.c += r * state.score[m] / M * state.Z[m][d]
    add(gradient.alpha, r, state.query)
    add(gradient.q, r * state.read[d], state.query)
    for i in range(d):
        add(gradient.Q[i], r * state.read[i], state.query)
    return error * error


def parameters(state: State) -> Matrix:
    """What is trained, in one row."""
    return state.theta


def gradient(state: State) -> Matrix:
    """The mean gradient of fresh prompts, of what may move, in one row; above 1e9, or no number, the loss diverged."""
    count, loss = state.settings.batch, 0.0
    unpack(state.settings.kind, state.theta[0], state.block)
    clear(state.gradient)
    for _ in range(count):
        draw_prompt(state)
        loss += add_prompt(state, 1.0 / float(count)) / float(count)
    restrict(state.settings.kind, state.gradient)
    pack(state.gradient, state.slope[0])
    if not loss <= 1e9:
        state.diverged_at = state.step
    state.loss += loss
    state.since += 1
    return state.slope


def count_step(state: State) -> None:
    """One step more; what is due is put on record."""
    state.step += 1
    if is_due(state.kept, float(state.step)):
        keep(state)


def step(state: State) -> None:
    """One step of Adam or SGD on fresh prompts."""
    settings, theta, slope = state.settings, state.theta[0], gradient(state)
    if state.diverged_at >= 0:
        return
    rate = settings.lr if 10 * state.step < 7 * settings.steps else 0.1 * settings.lr
    if settings.adam == 1:
        adam(theta, state.memory, slope[0], rate, 0.9, 0.999, 1e-8)
    else:
        sgd(theta, slope[0], rate)
    count_step(state)


def done(state: State) -> bool:
    """Whether all steps are made, or the run has diverged."""
    return state.diverged_at >= 0 or state.step >= state.settings.steps


def read(state: State) -> Readings:
    """What is on record: steps, loss, risk, alpha, start, along, across, labels, each (count,), and diverged_at."""
    return readings(state.kept, state.diverged_at)
