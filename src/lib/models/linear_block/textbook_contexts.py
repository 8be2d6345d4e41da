"""The Bayes risk at many context lengths, as contexts are drawn: a run of its own, in plain Python.

Chapter `linear_block`. Source: arXiv 2402.14951, Lemma 6.1: Bayes is ridge regression centred at the prior mean, whose
error given the features of a context is known. Other rules have risks in closed form; this one is a mean over contexts,
so a page draws it as it comes in. A context grows row by row, and is looked at wherever it has one of the lengths.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.models.linear_block.textbook_prompts import law_of
from lib.portable.numbers import exp, log
from lib.portable.primitives import (
    Matrix,
    Readings,
    Vector,
    Wholes,
    first,
    floor,
    sqrt,
    whole_zeros,
    zero_matrix,
    zeros,
)
from lib.portable.random_numbers import generator, normals
from lib.portable.records import Records, column, ended, is_due, new_row, room_for

RECORDS = 12
LENGTHS = 17  # on the curve
LONGEST = 256  # examples


class Settings(NamedTuple):
    """What a reader can choose."""

    d: int = 8  # features
    M: int = 32  # labelled examples where the block is tuned
    sigma: float = 1.0  # standard deviation of the label noise
    norm: float = 3.0  # length of the prior mean, all entries equal
    decay: float = 0.0  # the features' variances are 1, 2^-decay, 3^-decay, ...
    contexts: int = 100  # drawn in all


@dataclass
class State:
    """Sums over the contexts so far, and room for one."""

    settings: Settings
    root: Vector  # (d,) standard deviations of the signal's parts, sqrt(psi h)
    noise: float  # sigma^2
    lengths: Wholes  # (LENGTHS,) rising
    place: int  # of M among the lengths
    total: Vector  # (LENGTHS,) of the risk given the context
    last: Vector  # (LENGTHS,) the mean risk at the last record
    A: Matrix  # (d, d) sigma^2 I + the context's moments
    L: Matrix  # (d, d) its Cholesky factor, the diagonal inverted
    row: Vector  # (d,)
    random: Vector
    count: int  # contexts
    kept: Records  # contexts, mean risk at M


def lengths(M: int) -> Wholes:
    """(LENGTHS,) rising context lengths from 2 to 256, evenly on a log axis; M, of that range, is one of them."""
    found, nearest = whole_zeros(LENGTHS), 1
    for i in range(LENGTHS):
        raw = floor(2.0 * exp(log(0.5 * float(LONGEST)) * float(i) / float(LENGTHS - 1)) + 0.5)
        found[i] = raw if i == 0 else max(found[i - 1] + 1, raw)
    if found[0] < M < found[LENGTHS - 1]:
        while nearest < LENGTHS - 2 and found[nearest] * found[nearest + 1] < M * M:
            nearest += 1
        found[nearest] = M
    return found


def place_of(M: int, among: Wholes) -> int:
    """Where M is among rising lengths, which hold it."""
    at = 0
    while among[at] < M:
        at += 1
    return at


def steps_of(settings: Settings) -> Vector:
    """(RECORDS,) contexts at the records: 1, and then even shares of all."""
    found = zeros(RECORDS)
    for i in range(RECORDS):
        found[i] = float(max(i + 1, floor(float(settings.contexts * i) / float(RECORDS - 1))))
    return found


def start(settings: Settings, seed: int) -> State:
    """No context drawn yet."""
    require(settings.M >= 2 and settings.M <= LONGEST, "M", "from 2 to 256 examples", settings.M)
    require(settings.sigma > 0.0, "sigma", "a number above 0", settings.sigma)
    require(settings.contexts >= RECORDS, "contexts", "at least 12, one a record", settings.contexts)
    d, among = settings.d, lengths(settings.M)
    law, root = law_of(d, settings.M, settings.sigma, settings.norm, settings.decay, 1.0), zeros(d)
    for i in range(d):
        root[i] = sqrt(law.psi * law.h[i])
    return State(
        settings, root, law.sigma * law.sigma, among, place_of(settings.M, among), zeros(LENGTHS), zeros(LENGTHS),
        zero_matrix(d, d), zero_matrix(d, d), zeros(d), generator(seed, 3), 0, room_for(steps_of(settings), 2),
    )  # fmt: skip


def risk_given(state: State) -> float:
    """What Bayes errs by, given the context: sigma^2 + sigma^2 tr(diag(root^2) A^-1), by A = L L'."""
    A, L, d, risk = state.A, state.L, len(state.root), state.noise
    for i in range(d):
        for j in range(i + 1):
            left = A[i][j]
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


def add_example(state: State) -> None:
    """Draw one more row of the context."""
    normals(state.random, state.row)
    for i in range(len(state.row)):
        state.row[i] *= state.root[i]
    for i in range(len(state.row)):
        for j in range(i + 1):
            state.A[i][j] += state.row[i] * state.row[j]


def step(state: State) -> None:
    """One context more."""
    for i in range(len(state.A)):
        for j in range(len(state.A)):
            state.A[i][j] = state.noise if i == j else 0.0
    m = 0
    for place in range(LENGTHS):
        while m < state.lengths[place]:
            add_example(state)
            m += 1
        state.total[place] += risk_given(state)
    state.count += 1
    if is_due(state.kept, float(state.count)):
        for place in range(LENGTHS):
            state.last[place] = state.total[place] / float(state.count)
        row = new_row(state.kept)
        row[0] = float(state.count)
        row[1] = state.last[state.place]


def done(state: State) -> bool:
    """Whether all contexts are drawn."""
    return state.count >= state.settings.contexts


def read(state: State) -> Readings:
    """Contexts at the records so far, the Bayes risk at M at each, (count,), that at all lengths (LENGTHS,) now."""
    return {
        "contexts": column(state.kept, 0), "here": column(state.kept, 1),
        "bayes": first(state.last, LENGTHS if state.kept.count > 0 else 0), "diverged_at": ended(-1),
    }  # fmt: skip
