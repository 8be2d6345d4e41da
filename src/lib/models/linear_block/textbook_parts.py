"""A block with switches on drawn prompts: what its output is made of, told apart by changing the prompts; its error.

Chapter `linear_block`. Source: ours, from arXiv 2402.14951, equation D.1. Nothing here looks into the matrices: the
block is run as it is written, on the prompt, with its labels turned, without labels, without features, without both,
and on a query twice as long. All runs have the same matrices; seeds differ in the prompts.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.models.linear_block.textbook_block import Block, new_block
from lib.models.linear_block.textbook_prompts import Law, draw_example, draw_task, law_of
from lib.models.linear_block.textbook_weights import Rows, Switches, draw_weights, new_rows, output, weights_of
from lib.portable.primitives import Matrix, Readings, Vector, copy, sqrt, zero_matrix, zeros
from lib.portable.random_numbers import generator
from lib.portable.records import Records, column, columns, ended, even_steps, is_due, new_row, room_for

RECORDS = 24
PARTS = 5  # query alone, labels and features, features twice, labels twice, query three times
SHOWN = 12  # prompts whose parts are kept one by one
LENGTHS = 25  # of the query of an empty prompt
LONGEST = 3.0
RANDOM = 2  # kinds from here on have normal entries; every larger number is another draw


class Settings(NamedTuple):
    """What a reader can choose."""

    kind: int = 0  # below RANDOM: the block that is given
    block: Vector = [2.0, -2.0, 0.79, 0.0, 0.0]  # noqa: RUF012 - a, b, g, k, s of `symmetric_block`
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
    empty: Vector  # (LENGTHS,) output on an empty prompt
    random: Vector
    count: int  # prompts so far
    kept: Records  # prompts, mean squared error, root mean squares (PARTS,)


def switches_of(settings: Settings) -> Switches:
    """What the block has."""
    return Switches(settings.residual, settings.mlp, settings.mask)


def symmetric_block(d: int, numbers: Vector) -> Block:
    """alpha = a u, v = b u, c = 1, Q = g I + k uu', q = s u, for the direction u of equal entries.

    Args:
        d: features.
        numbers: a, b, g, k, s.
    """
    block, root = new_block(d), sqrt(float(d))
    block.c = 1.0
    for i in range(d):
        block.alpha[i] = numbers[0] / root
        block.v[i] = numbers[1] / root
        block.q[i] = numbers[4] / root
        for j in range(d):
            block.Q[i][j] = numbers[3] / float(d)
        block.Q[i][i] += numbers[2]
    return block


def chosen_weights(settings: Settings) -> Matrix:
    """(6 (d + 1), d + 1) the matrices of these settings."""
    d = settings.d
    W = zero_matrix(6 * (d + 1), d + 1)
    if settings.kind >= RANDOM:
        draw_weights(generator(settings.kind, 3), 1.0 / sqrt(float(d + 1)), W)
    else:
        weights_of(symmetric_block(d, settings.block), W)
    return W


def steps_of(settings: Settings) -> Vector:
    """(RECORDS,) prompts at the records: even shares of all, up to the next prompt."""
    even, found = even_steps(settings.prompts, RECORDS), zeros(RECORDS)
    for k in range(RECORDS):
        found[k] = even[k + 1]
    return found


def start(settings: Settings, seed: int) -> State:
    """The matrices, and no prompt yet."""
    require(settings.kind >= 0, "kind", "a whole number of at least 0", settings.kind)
    require(len(settings.block) == 5, "block", "5 numbers a, b, g, k, s", len(settings.block))
    require(settings.d >= 2, "d", "at least 2 features", settings.d)
    require(settings.prompts >= RECORDS, "prompts", "at least 24, one a record", settings.prompts)
    d, M = settings.d, settings.M
    law = law_of(d, M, settings.sigma, settings.norm, 0.0, 1.0)
    state = State(
        settings, law, chosen_weights(settings), new_rows(d), zeros(d), zero_matrix(M + 1, d + 1),
        zero_matrix(M + 1, d + 1), zeros(PARTS), zeros(PARTS), 0.0, zeros(PARTS * SHOWN), zeros(LENGTHS),
        generator(seed, 2), 0, room_for(steps_of(settings), 2 + PARTS),
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
    """The output on the prompt; its parts, in the order of PARTS, are left in `now`."""
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
    if is_due(state.kept, float(state.count)):
        row = new_row(state.kept)
        row[0] = float(state.count)
        row[1] = state.error / float(state.count)
        for p in range(PARTS):
            row[2 + p] = sqrt(state.squares[p] / float(state.count))


def done(state: State) -> bool:
    """Whether all prompts are drawn."""
    return state.count >= state.settings.prompts


def read(state: State) -> Readings:
    """Parts on the first prompts (PARTS SHOWN,); prompts at the records so far, the mean squared error, each (count,),
    root mean squares of the parts (count PARTS,); the output on an empty prompt (LENGTHS,).
    """
    kept = state.kept
    return {
        "shown": copy(state.shown), "prompts": column(kept, 0), "risk": column(kept, 1),
        "sizes": columns(kept, 2, PARTS), "empty": copy(state.empty), "diverged_at": ended(-1),
    }  # fmt: skip
