"""The block by its five parameters, and its gradient on drawn prompts, in plain Python.

Chapter `linear_block`. Source: Zhang, Wu, Bartlett, arXiv 2402.14951, Assumption 3.1 and Section 3, here for H =
diag(h) and Psi = psi I. f = alpha'x + (1/M) sum_i (v'x_i + c y_i) (x_i'Q x + y_i q'x). The module
`lib.models.linear_block.fast` computes the same with arrays.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.models.linear_block.textbook import Block, Law, clear, law_of, new_block
from lib.portable.primitives import Matrix, Vector, sqrt, zero_matrix, zeros
from lib.portable.random_numbers import generator, normals
from lib.portable.vectors import add, dot, fill


class Settings(NamedTuple):
    """What a run is made from."""

    d: int = 5  # features
    M: int = 20  # labelled examples
    sigma: float = 0.5  # standard deviation of the label noise
    norm: float = 2.0  # length of the prior mean
    decay: float = 0.0  # the features' variances are 1, 2^-decay, 3^-decay, ...
    batch: int = 64  # prompts a step


@dataclass
class State:
    """A block and its gradient, and room for one prompt. All parameters are zero at first."""

    settings: Settings
    law: Law
    theta: Matrix  # (1, 3 d + 1 + d d) the block's parameters in one row: alpha, v, c, q, and Q row by row
    slope: Matrix  # the gradient in that row
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


def start(settings: Settings, seed: int) -> State:
    """A block at zero, and the generator of its prompts."""
    require(settings.batch >= 1, "batch", "at least 1 prompt", settings.batch)
    d, M, n = settings.d, settings.M, 3 * settings.d + 1 + settings.d * settings.d
    law = law_of(d, M, settings.sigma, settings.norm, settings.decay, 1.0)
    return State(
        settings=settings, law=law, theta=zero_matrix(1, n), slope=zero_matrix(1, n), block=new_block(d),
        gradient=new_block(d), task=zeros(d), Z=zero_matrix(M, d + 1), query=zeros(d + 1), Qx=zeros(d), score=zeros(M),
        value=zeros(M), read=zeros(d + 1), random=generator(seed, 2), step=0, diverged_at=-1,
    )  # fmt: skip


def draw_example(law: Law, task: Vector, row: Vector, random: Vector) -> None:
    """Features x from N(0, diag(h)), and behind them the label x'task + noise."""
    d = len(task)
    normals(random, row)
    label = law.sigma * row[d]
    for i in range(d):
        row[i] *= sqrt(law.h[i])
        label += task[i] * row[i]
    row[d] = label


def draw_prompt(state: State) -> None:
    """A task vector from N(mean, psi I), its examples, and a query."""
    law, task = state.law, state.task
    normals(state.random, task)
    for i in range(len(task)):
        task[i] = law.mean[i] + sqrt(law.psi) * task[i]
    for m in range(len(state.Z)):
        draw_example(law, task, state.Z[m], state.random)
    draw_example(law, task, state.query, state.random)


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


def gradient(state: State) -> Matrix:
    """The mean gradient of fresh prompts, in one row; above 1e9, or no number, the loss diverged."""
    count, loss = state.settings.batch, 0.0
    unpack(state.theta[0], state.block)
    clear(state.gradient)
    for _ in range(count):
        draw_prompt(state)
        loss += add_prompt(state, 1.0 / float(count)) / float(count)
    pack(state.gradient, state.slope[0])
    if not loss <= 1e9:
        state.diverged_at = state.step
    return state.slope


def pack(block: Block, flat: Vector) -> None:
    """Write the parameters into one row."""
    d = len(block.v)
    for i in range(d):
        flat[i] = block.alpha[i]
        flat[d + i] = block.v[i]
        flat[2 * d + 1 + i] = block.q[i]
        for j in range(d):
            flat[3 * d + 1 + d * i + j] = block.Q[i][j]
    flat[2 * d] = block.c


def unpack(flat: Vector, block: Block) -> None:
    """Read the parameters back."""
    d = len(block.v)
    for i in range(d):
        block.alpha[i] = flat[i]
        block.v[i] = flat[d + i]
        block.q[i] = flat[2 * d + 1 + i]
        for j in range(d):
            block.Q[i][j] = flat[3 * d + 1 + d * i + j]
    block.c = flat[2 * d]
