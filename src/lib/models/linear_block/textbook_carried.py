"""The block's training again, with what each part of the answer carries of the prior mean; in plain Python.

Chapter `linear_block`. Source: beyond arXiv 2402.14951; the training is that of `textbook_population`, down the exact
risk from small random matrices.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.models.linear_block.textbook_block import BLOCK, RECORDS, Block
from lib.models.linear_block.textbook_population import Settings as BlockSettings
from lib.models.linear_block.textbook_population import State as BlockState
from lib.models.linear_block.textbook_population import done as block_done
from lib.models.linear_block.textbook_population import start as start_block
from lib.models.linear_block.textbook_population import step as block_step
from lib.models.linear_block.textbook_prompts import Law
from lib.portable.primitives import Readings, Vector, nan, sqrt, zeros
from lib.portable.records import Records, column, columns, ended, even_steps, is_due, new_row, room_for
from lib.portable.vectors import dot, total

SHARES = 4  # of the prior mean, one for each part


class Settings(NamedTuple):
    """What a reader can choose; gradient descent, H = Psi = I."""

    d: int = 3  # features
    M: int = 20  # labelled examples
    sigma: float = 0.5  # standard deviation of the label noise
    norm: float = 1.0  # of the prior mean
    scale: float = 0.05  # standard deviation of the entries at initialisation
    lr: float = 0.03
    steps: int = 1500


@dataclass
class State:
    """A run, and what is on record of it."""

    block: BlockState
    kept: Records  # step, risk, SHARES, then the cells


def carried(law: Law, block: Block) -> Vector:
    """(4,) parts of the prior mean in the mean answer, along that mean: alpha, labels times features, features twice,
    labels twice. A block whose parts add up to 1 answers the prior mean on average.
    """
    d, square = len(law.h), dot(law.mean, law.mean)
    tau = law.sigma * law.sigma + law.psi * total(law.h)
    parts = zeros(SHARES)
    for i in range(d):
        labels, features = 0.0, 0.0
        for j in range(d):
            N = block.Q[j][i] + block.q[i] * law.mean[j]
            labels += N * law.h[j] * block.c * law.mean[j]
            features += N * law.h[j] * block.v[j]
        parts[0] += block.alpha[i] * law.mean[i] / square
        parts[1] += labels * law.mean[i] / square
        parts[2] += features * law.mean[i] / square
        parts[3] += tau * block.c * block.q[i] * law.mean[i] / square
    return parts


def cells(block: Block) -> Vector:
    """((d + 3) (d + 1),) all that the output sees, row after row: alpha and a gap; v and c; Q, q under it, and a gap.

    Only products count, so (v, c) and (Q, q) are scaled to one norm, with c above 0.
    """
    d = len(block.v)
    n, value, score = d + 1, dot(block.v, block.v) + block.c * block.c, dot(block.q, block.q)
    for j in range(d):
        score += dot(block.Q[j], block.Q[j])
    factor = sqrt(sqrt(score / value)) if value > 0.0 and score > 0.0 else 1.0
    if block.c < 0.0:
        factor = -factor
    out = zeros((d + 3) * n)
    for i in range(d):
        out[i] = block.alpha[i]
        out[n + i] = block.v[i] * factor
        out[(d + 2) * n + i] = block.q[i] / factor
        out[(2 + i) * n + d] = nan
        for j in range(d):
            out[(2 + j) * n + i] = block.Q[j][i] / factor
    out[d] = nan
    out[n + d] = block.c * factor
    out[(d + 2) * n + d] = nan
    return out


def steps_of(settings: Settings) -> Vector:
    """(61,) the steps of a whole run's records: every 60th part."""
    return even_steps(settings.steps, RECORDS)


def start(settings: Settings, seed: int) -> State:
    """Small random matrices."""
    s = settings
    require(s.norm > 0.0, "norm", "a number above 0", s.norm)
    require(s.scale >= 0.0, "scale", "a number of at least 0", s.scale)
    block = start_block(BlockSettings(BLOCK, s.d, s.M, s.sigma, s.norm, 0.0, 0, s.scale, s.lr, 0, s.steps), seed)
    state = State(block, room_for(steps_of(settings), 2 + SHARES + (s.d + 3) * (s.d + 1)))
    keep(state)
    return state


def keep(state: State) -> None:
    """Put on record the risk, what the parts carry and the cells where they are due, unless training has diverged."""
    now = state.block
    while now.diverged_at < 0 and is_due(state.kept, float(now.step)):
        row, parts, shown = new_row(state.kept), carried(now.law, now.block), cells(now.block)
        row[0] = float(now.step)
        row[1] = now.risk
        for i in range(SHARES):
            row[2 + i] = parts[i]
        for i in range(len(shown)):
            row[2 + SHARES + i] = shown[i]


def step(state: State) -> None:
    """One step of gradient descent."""
    block_step(state.block)
    keep(state)


def done(state: State) -> bool:
    """Whether all steps are made, or training has diverged."""
    return block_done(state.block)


def read(state: State) -> Readings:
    """What is on record, (count,) each: steps, risk, alpha, labels, features, squares (parts of the prior mean) and
    their sum; cells (count (d + 3) (d + 1),); diverged_at.
    """
    kept, d = state.kept, state.block.settings.d
    sums = zeros(len(column(kept, 0)))
    for k in range(SHARES):
        parts = column(kept, 2 + k)
        for i in range(len(sums)):
            sums[i] += parts[i]
    return {
        "steps": column(kept, 0), "risk": column(kept, 1), "alpha": column(kept, 2), "labels": column(kept, 3),
        "features": column(kept, 4), "squares": column(kept, 5), "sum": sums,
        "cells": columns(kept, 2 + SHARES, (d + 3) * (d + 1)), "diverged_at": ended(state.block.diverged_at),
    }  # fmt: skip
