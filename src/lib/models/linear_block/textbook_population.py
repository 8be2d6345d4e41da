"""Training on all prompts there are: the block's six matrices, or one step, down the exact risk; in plain Python.

Chapter `linear_block`. Source: arXiv 2402.14951, Section 3; the exact risk and the two starts are ours. No prompt is
drawn: what differs between seeds is the start. `block.py` computes the same with arrays.
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
    measure,
    new_block,
    pack,
    population_risk,
    readings,
    restrict,
    unpack,
)
from lib.models.linear_block.textbook_prompts import Law, law_of
from lib.models.linear_block.textbook_weights import Rows, add_identities, draw_weights, new_rows, pull_back, reduce
from lib.portable.optimisers import AdamMemory, adam, adam_memory, sgd
from lib.portable.primitives import Matrix, Readings, Vector, nan, zero_matrix, zeros
from lib.portable.random_numbers import generator
from lib.portable.records import Records, even_steps, is_due, new_row, room_for


class Settings(NamedTuple):
    """What a reader can choose."""

    kind: int = BLOCK  # or ATTENTION, STEP, ZERO: see `textbook_block`
    d: int = 3  # features
    M: int = 20  # labelled examples
    sigma: float = 0.5  # standard deviation of the label noise
    norm: float = 2.0  # length of the prior mean
    decay: float = 0.0  # the features' variances are 1, 2^-decay, 3^-decay, ...
    near: int = 0  # 1: matrices start near identity; 0: with random entries
    scale: float = 0.3  # deviation of the random entries
    lr: float = 0.01
    adam: int = 1  # 0: plain gradient descent
    steps: int = 1000


@dataclass
class State:
    """A run: matrices K, Q, P, V, W1, W2 under one another, what the output makes of them, gradients of both."""

    settings: Settings
    law: Law
    W: Matrix  # (6 (d + 1), d + 1); of a step one row, all its parameters
    slope: Matrix  # the gradient in W
    flat: Vector  # room for W in one array
    flat_slope: Vector
    memory: AdamMemory
    block: Block
    gradient: Block
    rows: Rows
    risk: float  # where the gradient was last computed
    step: int
    diverged_at: int  # -1 while it has not
    kept: Records  # see `measure`


def steps_of(settings: Settings) -> Vector:
    """(61,) the steps of a whole run's records: every 60th part."""
    return even_steps(settings.steps, RECORDS)


def start(settings: Settings, seed: int) -> State:
    """The matrices at their start; a step starts at zero."""
    require(settings.kind >= BLOCK and settings.kind <= ZERO, "kind", "one of 0 to 3", settings.kind)
    require(settings.scale >= 0.0, "scale", "a number of at least 0", settings.scale)
    require(settings.lr >= 0.0, "lr", "a number of at least 0", settings.lr)
    d = settings.d
    law, n = law_of(d, settings.M, settings.sigma, settings.norm, settings.decay, 1.0), d + 1
    rows = 6 * n if settings.kind < STEP else 1
    columns = n if settings.kind < STEP else 3 * d + 1 + d * d
    size = rows * columns
    state = State(
        settings, law, zero_matrix(rows, columns), zero_matrix(rows, columns), zeros(size), zeros(size),
        adam_memory(size), new_block(d), new_block(d), new_rows(d), nan, 0, -1,
        room_for(steps_of(settings), MEASURES),
    )  # fmt: skip
    if settings.kind >= STEP:
        state.W[0][2 * d] = 1.0
    else:
        draw_weights(generator(seed, 1), settings.scale, state.W)
        if settings.near == 1:
            add_identities(state.W)
    keep(state)
    return state


def keep(state: State) -> None:
    """Put the exact risk and where the block is on record, unless the risk diverged."""
    gradient(state)
    while state.diverged_at < 0 and is_due(state.kept, float(state.step)):
        measure(new_row(state.kept), state.step, state.risk, state.risk, state.block)


def parameters(state: State) -> Matrix:
    """What is trained: the rows of the matrices, or all parameters of a step in one row."""
    return state.W


def gradient(state: State) -> Matrix:
    """The gradient of the exact risk, rows as those of `parameters`; above 1e9, or no number, the risk diverged."""
    kind = state.settings.kind
    if kind >= STEP:
        unpack(kind, state.W[0], state.block)
        state.risk = population_risk(state.law, state.block, state.gradient)
        restrict(kind, state.gradient)
        pack(state.gradient, state.slope[0])
    else:
        mlp = 1 if kind == BLOCK else 0
        reduce(state.W, mlp, state.rows, state.block)
        state.risk = population_risk(state.law, state.block, state.gradient)
        pull_back(state.W, mlp, state.gradient, state.rows, state.slope)
    if not state.risk <= 1e9:
        state.diverged_at = state.step
    return state.slope


def count_step(state: State) -> None:
    """One step more; what is due is put on record."""
    state.step += 1
    if is_due(state.kept, float(state.step)):
        keep(state)


def step(state: State) -> None:
    """One step of Adam or gradient descent."""
    W, slope, lr = state.W, gradient(state), state.settings.lr
    if state.diverged_at >= 0:
        return
    if state.settings.adam == 1:
        columns = len(W[0])
        flatten(W, state.flat)
        flatten(slope, state.flat_slope)
        adam(state.flat, state.memory, state.flat_slope, lr, 0.9, 0.999, 1e-8)
        for r in range(len(W)):
            for j in range(columns):
                W[r][j] = state.flat[r * columns + j]
    else:
        for r in range(len(W)):
            sgd(W[r], slope[r], lr)
    count_step(state)


def flatten(rows: Matrix, flat: Vector) -> None:
    """Write rows of one length into one array."""
    columns = len(rows[0])
    for r in range(len(rows)):
        for j in range(columns):
            flat[r * columns + j] = rows[r][j]


def done(state: State) -> bool:
    """Whether all steps are made, or the risk has diverged."""
    return state.diverged_at >= 0 or state.step >= state.settings.steps


def read(state: State) -> Readings:
    """What is on record: steps, loss, risk, alpha, start, along, across, labels, each (count,), and diverged_at."""
    return readings(state.kept, state.diverged_at)
