"""One learned step trained twice from zero, on all prompts and on drawn ones, with records on a log axis of time.

Chapter `linear_block`. Source: arXiv 2402.14951, Section 6 (gradient flow); descent and its learning rate are ours. The
steps are those of `textbook.py` and `textbook_population.py`; seeds differ in the drawn prompts alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from lib.chapters.linear_block.runs.textbook_drawn import Drawn, drawn_from_zero, drawn_risk, drawn_step
from lib.errors import require
from lib.models.linear_block.textbook_block import (
    STEP,
    Block,
    new_block,
    pack,
    population_risk,
    restrict,
    unpack,
)
from lib.models.linear_block.textbook_prompts import Law, law_of
from lib.portable.numbers import exp, log
from lib.portable.optimisers import sgd
from lib.portable.primitives import Readings, Vector, first, floor, nan, sqrt, zeros
from lib.portable.python import python_only, settings_from
from lib.portable.vectors import total

RECORDS = 60  # at most, besides the start


class Settings(NamedTuple):
    """What a reader can choose."""

    d: int = 5  # features
    M: int = 20  # labelled examples
    sigma: float = 0.7  # standard deviation of the label noise
    norm: float = 4.0  # length of the prior mean, all entries equal
    decay: float = 0.0  # the features' variances are 1, 2^-decay, 3^-decay, ...
    lr: float = 0.02  # learning rate
    batch: int = 16  # prompts a step of the drawn training
    steps: int = 1000


@dataclass
class State:
    """Both trainings."""

    settings: Settings
    law: Law
    block: Block  # trained on all prompts
    gradient: Block
    theta: Vector
    slope: Vector
    drawn: Drawn  # trained on drawn prompts
    step: int
    diverged_at: int  # of the training on all prompts, -1 while it has not
    due: Vector  # (K,) steps of the records
    table: Vector  # (K, 7) risk, beta, along, across; risk, beta, along of the drawn training
    gains: Vector  # (K, d) diagonal of the step matrix
    count: int


def record_steps(steps: int) -> Vector:
    """(K,) steps of the records: rising, evenly on a log axis where that leaves whole steps, the last the end."""
    count = min(steps, RECORDS)
    found = zeros(count + 1)
    for k in range(1, count + 1):
        even = floor(exp(log(float(steps)) * float(k) / float(count)) + 0.5)
        found[k] = max(found[k - 1] + 1.0, float(even))
    return found


def start(settings: Settings, seed: int) -> State:
    """Both at zero: beta = 0 and no step."""
    d, steps = settings.d, settings.steps
    require(steps >= 1, "steps", "at least 1 step", steps)
    law = law_of(d, settings.M, settings.sigma, settings.norm, settings.decay, 1.0)
    drawn = drawn_from_zero(
        d, settings.M, settings.sigma, settings.norm, settings.decay, settings.batch, settings.lr, steps, seed
    )
    due, theta, block = record_steps(steps), zeros(3 * d + 1 + d * d), new_block(d)
    theta[2 * d] = 1.0
    unpack(STEP, theta, block)
    return State(
        settings, law, block, new_block(d), theta, zeros(len(theta)), drawn, 0, -1, due, zeros(7 * len(due)),
        zeros(d * len(due)), 0,
    )  # fmt: skip


def along(block: Block) -> float:
    """u'Q u for the direction u of the prior mean."""
    whole = 0.0
    for i in range(len(block.Q)):
        whole += total(block.Q[i])
    return whole / float(len(block.Q))


def record(state: State, risk: float) -> None:
    """Write what both are now."""
    d, at = state.settings.d, 7 * state.count
    trace, root, drawn = 0.0, sqrt(float(d)), state.drawn
    for i in range(d):
        state.gains[d * state.count + i] = state.block.Q[i][i]
        trace += state.block.Q[i][i]
    state.table[at] = risk
    state.table[at + 1] = total(state.block.alpha) / root
    state.table[at + 2] = along(state.block)
    state.table[at + 3] = (trace - state.table[at + 2]) / float(d - 1)
    state.table[at + 4] = drawn_risk(drawn)
    state.table[at + 5] = nan if drawn.lost == 1 else total(drawn.run.block.alpha) / root
    state.table[at + 6] = nan if drawn.lost == 1 else along(drawn.run.block)
    state.count += 1


def step(state: State) -> None:
    """One step of both; what they were before it is recorded where it is due."""
    risk = population_risk(state.law, state.block, state.gradient)
    if not risk <= 1e9:
        state.diverged_at = state.step
        return
    if float(state.step) >= state.due[state.count]:
        record(state, risk)
    if state.step < state.settings.steps:
        restrict(STEP, state.gradient)
        pack(state.gradient, state.slope)
        sgd(state.theta, state.slope, state.settings.lr)
        unpack(STEP, state.theta, state.block)
        drawn_step(state.drawn, state.settings.lr)
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


def column(state: State, number: int) -> Vector:
    """One column of the table, so far."""
    found = zeros(state.count)
    for k in range(state.count):
        found[k] = state.table[7 * k + number]
    return found


def read(state: State) -> Readings:
    """What was recorded so far: times (learning rate times steps) and, of the training on all prompts, the risk, beta
    along the prior mean, the step's gain along it and across it, its diagonal (K d,); of the drawn training the first
    three, NaN once it has diverged; whether it has; the step at which the first diverged, -1 if it did not.
    """
    times, lost, ended = first(state.due, state.count), zeros(1), zeros(1)
    for k in range(state.count):
        times[k] *= state.settings.lr
    lost[0] = float(state.drawn.lost)
    ended[0] = float(state.diverged_at)
    return {
        "time": times, "risk": column(state, 0), "beta": column(state, 1), "along": column(state, 2),
        "across": column(state, 3), "drawn_risk": column(state, 4), "drawn_beta": column(state, 5),
        "drawn_along": column(state, 6), "gains": first(state.gains, state.settings.d * state.count),
        "drawn_lost": lost, "diverged_at": ended,
    }  # fmt: skip


@python_only
def run(seed: int = 0, **settings: float) -> Readings:
    """A whole run: `run(lr=0.05, seed=3)["risk"]`."""
    state = start(settings_from(Settings, settings), seed)
    advance(state, steps_of(state.settings))
    return read(state)
