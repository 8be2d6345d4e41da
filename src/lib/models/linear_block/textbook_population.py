"""Training on all prompts there are: the block's six matrices, or one step, down the exact risk; in plain Python.

Chapter `linear_block`. Source: arXiv 2402.14951, Section 3; the exact risk and the two starts are ours. No prompt is
drawn: what differs between seeds is the start. `weights.py` computes the same with arrays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.models.linear_block.textbook_block import (
    BLOCK,
    STEP,
    ZERO,
    Block,
    new_block,
    pack,
    population_risk,
    restrict,
    unpack,
)
from lib.models.linear_block.textbook_prompts import Law, law_of
from lib.models.linear_block.textbook_record import Record, is_due, new_record, readings, write
from lib.models.linear_block.textbook_weights import Rows, add_identities, draw_weights, new_rows, pull_back, reduce
from lib.portable.optimisers import AdamMemory, adam, adam_memory, sgd
from lib.portable.primitives import Matrix, Readings, Vector, zero_matrix, zeros
from lib.portable.python import python_only, settings_from
from lib.portable.random_numbers import generator


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
    flat: Vector  # W in one array
    flat_slope: Vector
    memory: AdamMemory
    block: Block
    gradient: Block
    rows: Rows
    step: int
    diverged_at: int  # -1 while it has not
    record: Record


def start(settings: Settings, seed: int) -> State:
    """The matrices at their start; a step starts at zero."""
    require(settings.kind >= BLOCK and settings.kind <= ZERO, "kind", "one of 0 to 3", settings.kind)
    require(settings.scale >= 0.0, "scale", "a number of at least 0", settings.scale)
    require(settings.lr >= 0.0, "lr", "a number of at least 0", settings.lr)
    require(settings.steps >= 0, "steps", "at least 0 steps", settings.steps)
    d = settings.d
    law, n = law_of(d, settings.M, settings.sigma, settings.norm, settings.decay, 1.0), d + 1
    rows = 6 * n if settings.kind < STEP else 1
    columns = n if settings.kind < STEP else 3 * d + 1 + d * d
    state = State(
        settings, law, zero_matrix(rows, columns), zero_matrix(rows, columns), zeros(rows * columns),
        zeros(rows * columns), adam_memory(rows * columns), new_block(d), new_block(d), new_rows(d), 0, -1,
        new_record(),
    )  # fmt: skip
    if settings.kind >= STEP:
        state.W[0][2 * d] = 1.0
    else:
        draw_weights(generator(seed, 1), settings.scale, state.W)
        if settings.near == 1:
            add_identities(state.W)
    flatten(state.W, state.flat)
    return state


def flatten(W: Matrix, flat: Vector) -> None:
    """Write the rows into one array."""
    columns = len(W[0])
    for r in range(len(W)):
        for j in range(columns):
            flat[r * columns + j] = W[r][j]


def risk_gradient(state: State) -> float:
    """The exact risk of the present parameters; its gradient in them is left in the state."""
    if state.settings.kind >= STEP:
        unpack(state.settings.kind, state.W[0], state.block)
        risk = population_risk(state.law, state.block, state.gradient)
        restrict(state.settings.kind, state.gradient)
        pack(state.gradient, state.slope[0])
    else:
        mlp = 1 if state.settings.kind == BLOCK else 0
        reduce(state.W, mlp, state.rows, state.block)
        risk = population_risk(state.law, state.block, state.gradient)
        pull_back(state.W, mlp, state.gradient, state.rows, state.slope)
    return risk


def step(state: State) -> None:
    """One step of Adam or gradient descent; what the parameters were before it is recorded where it is due."""
    settings, risk = state.settings, risk_gradient(state)
    if not risk <= 1e9:
        state.diverged_at = state.step
        return
    while is_due(state.record.count, state.step, settings.steps):
        write(state.record, state.step, risk, risk, state.block)
    if state.step < settings.steps:
        flatten(state.slope, state.flat_slope)
        if settings.adam == 1:
            adam(state.flat, state.memory, state.flat_slope, settings.lr, 0.9, 0.999, 1e-8)
        else:
            sgd(state.flat, state.flat_slope, settings.lr)
        columns = len(state.W[0])
        for r in range(len(state.W)):
            for j in range(columns):
                state.W[r][j] = state.flat[r * columns + j]
    state.step += 1


def advance(state: State, steps: int) -> None:
    """Train for so many steps, fewer where the run ends before; one more than `steps` measures the end."""
    for _ in range(steps):
        if state.diverged_at >= 0 or state.step > state.settings.steps:
            return
        step(state)


def steps_of(settings: Settings) -> int:
    """Calls of `step` of a whole run: the last only measures."""
    return settings.steps + 1


def read(state: State) -> Readings:
    """What was recorded so far; see `lib.models.linear_block.textbook_record`."""
    return readings(state.record, state.diverged_at)


@python_only
def run(seed: int = 0, **settings: float) -> Readings:
    """A whole run: `run(d=3, near=1, seed=3)["risk"]`."""
    state = start(settings_from(Settings, settings), seed)
    advance(state, steps_of(state.settings))
    return read(state)
