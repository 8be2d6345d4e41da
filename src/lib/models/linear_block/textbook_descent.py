"""One learned step trained twice from zero, on all prompts and on drawn ones, with records on a log axis of time.

Chapter `linear_block`. Source: arXiv 2402.14951, Section 6 (gradient flow); descent and its learning rate are ours. The
gradients are those of `textbook_population` and `textbook`; seeds differ in the drawn prompts alone. Time is the
learning rate times the steps.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.models.linear_block.textbook import Settings as DrawnSettings
from lib.models.linear_block.textbook import State as DrawnRun
from lib.models.linear_block.textbook import gradient as drawn_gradient
from lib.models.linear_block.textbook import start as start_drawn
from lib.models.linear_block.textbook_block import STEP, across, along, mean_part, population_risk, unpack
from lib.models.linear_block.textbook_population import Settings as ExactSettings
from lib.models.linear_block.textbook_population import State as ExactRun
from lib.models.linear_block.textbook_population import gradient as exact_gradient
from lib.models.linear_block.textbook_population import start as start_exact
from lib.portable.numbers import exp, log
from lib.portable.optimisers import sgd
from lib.portable.primitives import Readings, Vector, floor, nan, zeros
from lib.portable.records import Records, column, columns, ended, is_due, new_row, room_for
from lib.portable.vectors import scale

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
    """Both trainings, and the one count of their steps, that of the first."""

    exact: ExactRun  # on all prompts
    drawn: DrawnRun  # on drawn prompts; once it has diverged it stays
    kept: Records  # time; risk, beta, along, across; risk of the drawn one; cells ((d + 1) d,): beta, then Gamma


def record_steps(steps: int) -> Vector:
    """(K,) steps of the records: rising, evenly on a log axis where that leaves whole steps, the last the end."""
    count = min(steps, RECORDS)
    found = zeros(count + 1)
    for k in range(1, count + 1):
        even = floor(exp(log(float(steps)) * float(k) / float(count)) + 0.5)
        found[k] = max(found[k - 1] + 1.0, float(even))
    return found


def steps_of(settings: Settings) -> Vector:
    """(K,) the times of a whole run's records."""
    times = record_steps(settings.steps)
    scale(times, settings.lr)
    return times


def start(settings: Settings, seed: int) -> State:
    """Both at zero: beta = 0 and no step."""
    s = settings
    require(s.steps >= 1, "steps", "at least 1 step", s.steps)
    exact = start_exact(ExactSettings(STEP, s.d, s.M, s.sigma, s.norm, s.decay, 0, 0.0, s.lr, 0, s.steps), seed)
    drawn = start_drawn(DrawnSettings(STEP, s.d, s.M, s.sigma, s.norm, s.decay, s.batch, s.lr, 0, 0.0, s.steps), seed)
    state = State(exact, drawn, room_for(steps_of(settings), 6 + (s.d + 1) * s.d))
    keep(state)
    return state


def time_of(state: State) -> float:
    """The time now."""
    return state.exact.settings.lr * float(state.exact.step)


def keep(state: State) -> None:
    """Put on record what both are, unless the one on all prompts diverged."""
    exact, drawn = state.exact, state.drawn
    exact_gradient(exact)
    if exact.diverged_at >= 0:
        return
    unpack(STEP, drawn.theta[0], drawn.block)
    lost, row, d = drawn.diverged_at >= 0, new_row(state.kept), len(exact.block.Q)
    row[0] = time_of(state)
    row[1] = exact.risk
    row[2] = mean_part(exact.block.alpha)
    row[3] = along(exact.block.Q)
    row[4] = across(exact.block.Q)
    row[5] = nan if lost else population_risk(drawn.law, drawn.block, drawn.gradient)
    for i in range(d):
        row[6 + i] = exact.block.alpha[i]
        for j in range(d):
            row[6 + d + d * i + j] = exact.block.Q[j][i]


def step(state: State) -> None:
    """One step of both."""
    exact, drawn, lr = state.exact, state.drawn, state.exact.settings.lr
    slope = exact_gradient(exact)
    if exact.diverged_at >= 0:
        return
    sgd(exact.W[0], slope[0], lr)
    if drawn.diverged_at < 0:
        drawn_slope = drawn_gradient(drawn)
        sgd(drawn.theta[0], drawn_slope[0], lr)
    exact.step += 1
    if is_due(state.kept, time_of(state)):
        keep(state)


def done(state: State) -> bool:
    """Whether all steps are made, or the training on all prompts has diverged."""
    return state.exact.diverged_at >= 0 or state.exact.step >= state.exact.settings.steps


def read(state: State) -> Readings:
    """What is on record: times and, of the training on all prompts, the risk, beta along the prior mean, the step's
    gain along it and across it, all cells (count (d + 1) d,): beta, then Gamma row by row; those where the gain along
    the mean is largest ((d + 1) d,); of the drawn training the risk, NaN once it has diverged, and whether it has; the
    step at which the first diverged.
    """
    kept, d, top = state.kept, state.exact.settings.d, 0
    size, gains = (d + 1) * d, column(kept, 3)
    cells, corner = columns(kept, 6, size), zeros(size)
    for k in range(len(gains)):
        top = k if gains[k] > gains[top] else top
    for i in range(size):
        corner[i] = cells[size * top + i]
    return {
        "time": column(kept, 0), "risk": column(kept, 1), "beta": column(kept, 2), "along": gains,
        "across": column(kept, 4), "drawn_risk": column(kept, 5), "cells": cells, "corner": corner,
        "drawn_lost": [1.0 if state.drawn.diverged_at >= 0 else 0.0], "diverged_at": ended(state.exact.diverged_at),
    }  # fmt: skip
