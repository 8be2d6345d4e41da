"""A block with switches on drawn prompts: what its output is made of, told apart by changing the prompts; its error.

Chapter `linear_block`. Source: ours, from arXiv 2402.14951, equation D.1. Nothing here looks into the matrices: the
block is run as it is written, on the prompt, with its labels turned, without labels, without features, without both,
and on a query twice as long. All runs have the same matrices; seeds differ in the prompts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.models.linear_block.textbook_block import Block, new_block
from lib.models.linear_block.textbook_prompts import Law, draw_example, draw_task, law_of
from lib.models.linear_block.textbook_weights import Rows, Switches, draw_weights, new_rows, output, weights_of
from lib.portable.primitives import Matrix, Readings, Vector, copy, first, floor, sqrt, zero_matrix, zeros
from lib.portable.python import python_only, settings_from
from lib.portable.random_numbers import generator
from lib.theory.linear_block.portable import best_gains
from lib.theory.linear_block.portable_cut import best_cut_risk, search_of
from lib.theory.linear_block.portable_parts import PARTS

RECORDS = 24
SHOWN = 12  # prompts whose parts are kept one by one
LENGTHS = 25  # of the query of an empty prompt
LONGEST = 3.0

BEST = 0  # the best block of those with these switches
FINISHED = 1  # the best block of all, switched afterwards
RANDOM = 2  # normal entries; every larger number is another draw


class Settings(NamedTuple):
    """What a reader can choose."""

    kind: int = BEST  # or FINISHED, or RANDOM and above
    residual: int = 1  # 0: cut
    mlp: int = 1
    mask: int = 1
    d: int = 4  # features
    M: int = 20  # labelled examples
    sigma: float = 0.5  # standard deviation of the label noise
    norm: float = 2.0  # length of the prior mean, all entries equal
    prompts: int = 480  # drawn in all


@dataclass
class State:
    """A run: the matrices, a prompt as it is and as it is changed, and sums over the prompts."""

    settings: Settings
    law: Law
    W: Matrix  # (6 (d + 1), d + 1)
    rows: Rows
    task: Vector  # (d,)
    Z: Matrix  # (M + 1, d + 1) examples (x_i, y_i), and the query with its hidden label
    tokens: Matrix  # (M + 1, d + 1) what the block is shown
    now: Vector  # (PARTS,) parts of the output on the last prompt
    squares: Vector  # (PARTS,) summed over the prompts
    error: float  # squared, summed over the prompts
    shown: Vector  # (PARTS, SHOWN) parts on the first prompts
    sizes: Vector  # (RECORDS, PARTS) root mean squares at the records
    risk: Vector  # (RECORDS,) mean squared error at the records
    empty: Vector  # (LENGTHS,) output on an empty prompt
    random: Vector
    count: int  # prompts so far
    records: int


def switches_of(settings: Settings) -> Switches:
    """What the block has."""
    return Switches(settings.residual, settings.mlp, settings.mask)


def symmetric_block(law: Law, a: float, b: float, g: float, k: float, s: float) -> Block:
    """alpha = a u, v = b u, c = 1, Q = g I + k uu', q = s u, for the direction u of equal entries."""
    d = len(law.h)
    block = new_block(d)
    root = sqrt(float(d))
    block.c = 1.0
    for i in range(d):
        block.alpha[i] = a / root
        block.v[i] = b / root
        block.q[i] = s / root
        for j in range(d):
            block.Q[i][j] = k / float(d)
        block.Q[i][i] += g
    return block


def chosen_weights(settings: Settings, law: Law) -> Matrix:
    """(6 (d + 1), d + 1) the matrices of these settings."""
    d = settings.d
    W = zero_matrix(6 * (d + 1), d + 1)
    if settings.kind >= RANDOM:
        draw_weights(generator(settings.kind, 3), 1.0 / sqrt(float(d + 1)), W)
        return W
    alive = (settings.residual == 1 and settings.mlp == 1) or settings.kind == FINISHED
    masked = settings.mask == 1 or settings.kind == FINISHED
    M, norm = float(settings.M), settings.norm
    if alive and masked:
        gains = best_gains(law.h, 1.0, law.sigma, M)
        weights_of(symmetric_block(law, norm, -norm, gains[0], 0.0, 0.0), W)
        return W
    search = search_of(d, M, law.sigma, norm, 1 if alive else 0, 1 if masked else 0)
    best_cut_risk(search)
    x = search.x
    weights_of(symmetric_block(law, x[0], search.b, x[1], x[2], x[3]), W)
    return W


def start(settings: Settings, seed: int) -> State:
    """The matrices, and no prompt yet."""
    require(settings.kind >= BEST, "kind", "a whole number of at least 0", settings.kind)
    require(settings.d >= 2, "d", "at least 2 features", settings.d)
    require(settings.prompts >= RECORDS, "prompts", "at least 24, one a record", settings.prompts)
    d, M = settings.d, settings.M
    law = law_of(d, M, settings.sigma, settings.norm, 0.0, 1.0)
    state = State(
        settings, law, chosen_weights(settings, law), new_rows(d), zeros(d), zero_matrix(M + 1, d + 1),
        zero_matrix(M + 1, d + 1), zeros(PARTS), zeros(PARTS), 0.0, zeros(PARTS * SHOWN), zeros(PARTS * RECORDS),
        zeros(RECORDS), zeros(LENGTHS), generator(seed, 2), 0, 0,
    )  # fmt: skip
    at = query_lengths()
    for i in range(d):
        state.Z[M][i] = 1.0 / sqrt(float(d))
    for k in range(LENGTHS):
        state.empty[k] = shown_output(state, 0.0, 0.0, at[k])
    return state


def query_lengths() -> Vector:
    """(LENGTHS,) how far the query of an empty prompt lies along the mean."""
    found = zeros(LENGTHS)
    for k in range(LENGTHS):
        found[k] = LONGEST * (2.0 * float(k) / float(LENGTHS - 1) - 1.0)
    return found


def shown_output(state: State, features: float, labels: float, query: float) -> float:
    """The block's output where features, labels and query are so many times those of the prompt."""
    d, M, tokens = state.settings.d, state.settings.M, state.tokens
    for m in range(M + 1):
        for i in range(d):
            tokens[m][i] = (features if m < M else query) * state.Z[m][i]
        tokens[m][d] = labels * state.Z[m][d] if m < M else 0.0
    return output(state.W, switches_of(state.settings), tokens, state.rows)


def tell_apart(state: State) -> float:
    """The output on the prompt; its parts, in the order of `lib.theory.linear_block.parts.PARTS`, are left in `now`."""
    whole, turned = shown_output(state, 1.0, 1.0, 1.0), shown_output(state, 1.0, -1.0, 1.0)
    alone, twice = shown_output(state, 0.0, 0.0, 1.0), shown_output(state, 0.0, 0.0, 2.0)
    now = state.now
    now[4] = (twice - 2.0 * alone) / 6.0
    now[0] = alone - now[4]
    now[1] = 0.5 * (whole - turned)
    now[2] = shown_output(state, 1.0, 0.0, 1.0) - alone
    now[3] = shown_output(state, 0.0, 1.0, 1.0) - alone
    return whole


def step(state: State) -> None:
    """One prompt more."""
    d, M = state.settings.d, state.settings.M
    draw_task(state.law, state.task, state.random)
    for m in range(M + 1):
        draw_example(state.law, state.task, state.Z[m], state.random)
    error = tell_apart(state) - state.Z[M][d]
    state.error += error * error
    for p in range(PARTS):
        state.squares[p] += state.now[p] * state.now[p]
        if state.count < SHOWN:
            state.shown[SHOWN * p + state.count] = state.now[p]
    state.count += 1
    if RECORDS * state.count >= state.settings.prompts * (state.records + 1):
        for p in range(PARTS):
            state.sizes[PARTS * state.records + p] = sqrt(state.squares[p] / float(state.count))
        state.risk[state.records] = state.error / float(state.count)
        state.records += 1


def advance(state: State, steps: int) -> None:
    """Draw so many prompts more, fewer where all are drawn."""
    for _ in range(steps):
        if state.count >= state.settings.prompts:
            return
        step(state)


def steps_of(settings: Settings) -> int:
    """Prompts of a whole run."""
    return settings.prompts


def records(prompts: int) -> Vector:
    """(RECORDS,) prompts at the records: even shares of all, up to the next prompt."""
    found = zeros(RECORDS)
    for k in range(RECORDS):
        found[k] = float(-floor(-float(prompts * (k + 1)) / float(RECORDS)))
    return found


def read(state: State) -> Readings:
    """What was recorded so far: parts on the first prompts (PARTS SHOWN,), their root mean squares at the records
    (K PARTS,), the mean squared error at the records (K,), the output on an empty prompt (LENGTHS,).
    """
    ended = zeros(1)
    ended[0] = -1.0
    return {
        "shown": copy(state.shown), "sizes": first(state.sizes, PARTS * state.records),
        "risk": first(state.risk, state.records), "empty": copy(state.empty), "diverged_at": ended,
    }  # fmt: skip


@python_only
def run(seed: int = 0, **settings: float) -> Readings:
    """A whole run: `run(mlp=0, seed=3)["risk"]`."""
    state = start(settings_from(Settings, settings), seed)
    advance(state, steps_of(state.settings))
    return read(state)
