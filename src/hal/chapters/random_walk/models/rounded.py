"""The knife edge: the deterministic walk from zero or a push; how sums are ordered.

Chapter `random_walk`. Source: arXiv 2511.23239, theorem on p = 0 and 1; rounding is ours. Steps are those of `full`.
Walks go clockwise, one from every node, so that every node is the target equally often, or drawn as there. The gradient
of a place is added up over the walks in one order for all places, or from another walk on for each, as a matrix product
may.

On the edge the scores of all places with content are equal, and so are the entries of a row of V. A difference of one
makes one of the other, in turn; the root of their product grows evenly: the `distance`.
"""

from dataclasses import dataclass
from typing import NamedTuple

from hal.chapters.random_walk.models.full import (
    Settings,
    State,
    add_walk,
    begin,
    check,
    descend,
    draw_normals,
    draw_walks,
    end,
    output,
    start_on,
    weigh,
)
from hal.chapters.random_walk.models.full import parameters as parameters_of
from hal.chapters.random_walk.models.measures import predicted
from lib.errors import require
from lib.models.random_walk.textbook import records
from lib.portable.primitives import (
    Matrix,
    Readings,
    Table,
    Vector,
    copy,
    first,
    nan,
    remainder,
    sqrt,
    whole_table,
    zero_matrix,
    zeros,
)
from lib.portable.random_numbers import generator
from lib.portable.vectors import add, fill, largest, part, smallest, stacked


class Edge(NamedTuple):
    """What a reader can choose; p is 1."""

    K: int = 6  # nodes on the circle
    N: int = 97  # nodes that a walk visits, the target included
    M: int = 1000  # length of a positional vector
    n: int = 0  # walks drawn; 0: one from every node
    mixed: int = 0  # 1: sums over the walks start at another walk for each place
    lr: float = 1.0  # learning rate of V and W
    steps: int = 30  # of gradient descent, each on all walks
    epsilon: float = 0.1  # offset of the loss
    push: float = 0.0  # standard deviation of what is added at the start to the scores of all places but the last


@dataclass
class Rounded:
    """A run of the layer, how its sums are taken, and the terms of the gradient by place."""

    inner: State
    mixed: int
    terms: Matrix  # (n, N), a row a walk
    step: int
    diverged_at: int


def steps_of(settings: Edge) -> Vector:
    """The steps of a whole run's records."""
    return records(settings.steps)


def start(settings: Edge, seed: int) -> Rounded:
    """The walks, and a layer at its start."""
    require(settings.n >= 0, "n", "at least 0 walks", settings.n)
    require(settings.push >= 0.0, "push", "a number of at least 0", settings.push)
    s = settings
    n = s.n if s.n > 0 else s.K
    whole = Settings(K=s.K, N=s.N, p=1.0, M=s.M, n=n, lr=s.lr, steps=s.steps, epsilon=s.epsilon)
    check(whole)
    walks, noise = draw_walks(whole, seed) if s.n > 0 else one_from_every_node(s.K, s.N), zeros(s.N - 1)
    state = Rounded(start_on(walks, whole, seed), s.mixed, zero_matrix(n, s.N), 0, -1)
    if s.push > 0.0:
        draw_normals(noise, s.push, generator(seed, 2))
        for j in range(len(noise)):
            state.inner.g[j] += noise[j]
    return state


def one_from_every_node(K: int, N: int) -> Table:
    """One clockwise walk from each of the `K` nodes."""
    walks = whole_table(K, N)
    for i in range(K):
        for j in range(N):
            walks[i][j] = remainder(i + j, K)
    return walks


def add_up(state: Rounded) -> None:
    """The gradient of the places from its terms, in the order of the run."""
    places, count = state.inner.grad_g, len(state.terms)
    last = len(places) - 1
    for j in range(len(places)):
        result = 0.0
        begins = j if state.mixed == 1 and j < last else 0
        for k in range(count):
            terms = state.terms[remainder(begins + k, count)]
            result += terms[j]
        places[j] = result


def parameters(state: Rounded) -> Matrix:
    """What is trained, as in `full`."""
    return parameters_of(state.inner)


def gradient(state: Rounded) -> Matrix:
    """The mean gradient of all walks, in the order of the run."""
    inner = state.inner
    begin(inner)
    for i in range(len(inner.walks)):
        walk = inner.walks[i]
        fill(inner.grad_g, 0.0)
        inner.loss += 1.0 / float(inner.settings.n) * add_walk(inner, walk)
        state.terms[i] = copy(inner.grad_g)
    end(inner)
    add_up(state)
    state.diverged_at = inner.diverged_at
    return stacked(inner.grad_V, [inner.grad_u, inner.grad_g])


def count_step(state: Rounded) -> None:
    """One step more."""
    state.inner.step += 1
    state.step += 1


def step(state: Rounded) -> None:
    """One step of gradient descent on all walks."""
    gradient(state)
    if state.diverged_at < 0:
        descend(state.inner)
        count_step(state)


def done(state: Rounded) -> bool:
    """Whether all steps are made, or the run has diverged."""
    return state.diverged_at >= 0 or state.step >= state.inner.settings.steps


def measure(state: Rounded) -> Readings:
    """Accuracy on the walks; distance from the edge, the root of the spread of the scores of all places with content
    times the largest spread in a row of V; attention (N - 1,) by place, oldest first, mean over the walks.
    """
    inner = state.inner
    last, share, right, attention = len(inner.g) - 1, 1.0 / float(inner.settings.n), 0.0, zeros(len(inner.g))
    weigh(inner)
    for i in range(len(inner.walks)):
        walk = inner.walks[i]
        right += share if predicted(output(inner, walk)) == walk[last] else 0.0
        add(attention, share, inner.S)
    places, widest = first(inner.g, last), 0.0
    for i in range(len(inner.V)):
        widest = max(widest, largest(inner.V[i]) - smallest(inner.V[i]))
    apart = sqrt((largest(places) - smallest(places)) * widest)
    return {"accuracy": [right], "distance": [apart], "attention": first(attention, last)}


def moved_at(steps: Vector, attention: Vector) -> float:
    """The first of the steps (count,) at which a place has twice the even attention (count places,); NaN if none is."""
    places = len(attention) // len(steps)
    for i in range(len(steps)):
        if largest(part(attention, i * places, places)) >= 2.0 / float(places):
            return steps[i]
    return nan
