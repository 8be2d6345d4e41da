"""The knife edge: the deterministic walk from zero, a push or a random start; how sums are rounded and ordered.

Chapter `random_walk`. Source: arXiv 2511.23239, theorem on p = 0 and 1, and its random initialisation; rounding is
ours. The steps are those of `textbook.py`. Walks go clockwise, one from every node, so that every node is the target
equally often, or drawn as there. The gradient of a place is added up over the walks in one order for all places, or
from another walk on for each, as a matrix product may; numbers are kept in double or in single precision.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.models.random_walk.textbook import State, begin, descend, end, start_on, visit
from lib.models.random_walk.textbook import count_step as count_step_run
from lib.models.random_walk.textbook import done as run_done
from lib.models.random_walk.textbook import parameters as parameters_run
from lib.models.random_walk.textbook_measures import readings, sixtieths
from lib.models.random_walk.textbook_task import Settings, check_settings, draw_normals, draw_walks
from lib.portable.primitives import (
    Matrix,
    Readings,
    Table,
    Vector,
    copy,
    remainder,
    single,
    whole_table,
    zero_matrix,
    zeros,
)
from lib.portable.random_numbers import generator
from lib.portable.vectors import fill, stacked


class Edge(NamedTuple):
    """What a reader can choose; p is 1."""

    K: int = 6  # nodes on the circle
    N: int = 97  # nodes that a walk visits, the target included
    M: int = 1000  # length of a positional vector
    n: int = 0  # walks drawn; 0: one from every node
    mixed: int = 0  # 1: sums over the walks start at another walk for each place
    bits: int = 64  # of parameters and sums: 64 in double precision, 32 in single
    lr: float = 1.0  # learning rate of V and W
    steps: int = 30  # of gradient descent, each on all walks
    epsilon: float = 0.1  # offset of the log-loss
    loss: int = 0  # the log-loss, or another of `textbook_task`
    sigma: float = 0.0  # standard deviation of the entries of V and W at the start
    unit: int = 0  # 1: tokens are divided by their length
    push: float = 0.0  # standard deviation of what is added at the start to the scores of all places but the last


@dataclass
class Rounded:
    """A textbook run, how its sums are taken, and the terms of the gradient by place."""

    inner: State
    mixed: int
    bits: int
    terms: Matrix  # (n, N), a row a walk


def steps_of(settings: Edge) -> Vector:
    """The steps of a whole run's records, those of `textbook`."""
    return sixtieths(settings.steps)


def start(settings: Edge, seed: int) -> Rounded:
    """The walks, and a layer at its start."""
    require(settings.n >= 0, "n", "at least 0 walks", settings.n)
    require(settings.bits == 32 or settings.bits == 64, "bits", "32 or 64", settings.bits)
    require(settings.push >= 0.0, "push", "a number of at least 0", settings.push)
    s = settings
    n = s.n if s.n > 0 else s.K
    whole = Settings(s.K, s.N, 1.0, s.M, n, s.lr, s.steps, s.epsilon, s.loss, s.sigma, s.unit)
    check_settings(whole)
    walks = draw_walks(whole, seed) if s.n > 0 else one_from_every_node(s.K, s.N)
    state = Rounded(start_on(walks, whole, seed), s.mixed, s.bits, zero_matrix(n, s.N))
    if s.push > 0.0:
        push_all(state.inner.g, s.push, seed)
    shorten(state)
    return state


def push_all(g: Vector, size: float, seed: int) -> None:
    """Add independent normal numbers of this deviation to the scores (N,) of all places but the last."""
    noise = zeros(len(g) - 1)
    draw_normals(noise, size, generator(seed, 2))
    for j in range(len(noise)):
        g[j] += noise[j]


def one_from_every_node(K: int, N: int) -> Table:
    """One clockwise walk from each of the `K` nodes."""
    walks = whole_table(K, N)
    for i in range(K):
        for j in range(N):
            walks[i][j] = remainder(i + j, K)
    return walks


def round_all(values: Vector) -> None:
    """Round every entry to single precision."""
    for i in range(len(values)):
        values[i] = single(values[i])


def shorten(state: Rounded) -> None:
    """Where a run has single precision, round its parameters to it."""
    if state.bits == 32:
        for i in range(len(state.inner.V)):
            round_all(state.inner.V[i])
        round_all(state.inner.u)
        round_all(state.inner.g)


def add_up(state: Rounded) -> None:
    """The gradient of the places from its terms, in the order and the precision of the run."""
    places, count = state.inner.grad_g, len(state.terms)
    last = len(places) - 1
    for j in range(len(places)):
        result = 0.0
        begins = j if state.mixed == 1 and j < last else 0
        for k in range(count):
            terms = state.terms[remainder(begins + k, count)]
            result += terms[j]
            if state.bits == 32:
                result = single(result)
        places[j] = result


def parameters(state: Rounded) -> Matrix:
    """What is trained, as in `textbook`."""
    return parameters_run(state.inner)


def gradient(state: Rounded) -> Matrix:
    """The mean gradient of all walks, rounded and in the order of the run; the pass goes on record if it is due."""
    inner = state.inner
    due = begin(inner)
    for i in range(len(inner.walks)):
        walk = inner.walks[i]
        fill(inner.grad_g, 0.0)
        visit(inner, walk, due)
        state.terms[i] = copy(inner.grad_g)
        if state.bits == 32:
            round_all(inner.grad_V[walk[len(walk) - 1]])
            round_all(inner.grad_u)
    end(inner, due)
    add_up(state)
    return stacked(inner.grad_V, [inner.grad_u, inner.grad_g])


def count_step(state: Rounded) -> None:
    """One step more; what it has moved is rounded."""
    shorten(state)
    count_step_run(state.inner)


def step(state: Rounded) -> None:
    """One step of gradient descent on all walks; what the parameters were before it goes on record if it is due."""
    gradient(state)
    if state.inner.diverged_at < 0:
        descend(state.inner)
        count_step(state)


def done(state: Rounded) -> bool:
    """Whether the run has ended."""
    return run_done(state.inner)


def read(state: Rounded) -> Readings:
    """What is on record, as in `textbook`."""
    return readings(state.inner.kept, state.inner.diverged_at)
