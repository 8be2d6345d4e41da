"""The whole model: a walk on a circle, one attention layer, loss, gradient and gradient descent, in plain Python.

Chapter `random_walk`. Source: Shi, Cao, "Towards understanding transformers in learning random walks", arXiv
2511.23239, Section 2. The page runs what builds on this file, translated. Token j is [x_j; p_j], x_j the one-hot node
of the walk's j-th place, and the last, which asks, is [0; p_N]; positions are orthogonal, of squared length
rho = (M + 1)/2. So the score of token j is u[s_j] + g[j], and a step of W moves u at the rate lr rho, g at lr rho^2.
The file `minimal.py` beside this one computes the same with arrays.
"""

from dataclasses import dataclass

from lib.models.random_walk.textbook_measures import divergence, keep, new_records, predicted, readings, sixtieths
from lib.models.random_walk.textbook_task import (
    Settings,
    check_settings,
    draw_start,
    draw_walks,
    factor_of,
    loss_slope,
    loss_value,
    rho_of,
)
from lib.portable.numbers import exp
from lib.portable.optimisers import sgd
from lib.portable.primitives import Matrix, Readings, Table, Vector, Wholes, first, zero_matrix, zeros
from lib.portable.random_numbers import generator
from lib.portable.records import Records, is_due
from lib.portable.vectors import add, dot, fill, fill_rows, largest, scale, stacked

LEAST = 1e-250  # of a sum of powers of e; from there on they lose digits


@dataclass
class State:
    """A run: its walks, its parameters V, u, g, their gradient, and room for one walk."""

    settings: Settings
    walks: Table  # (n, N) nodes; the last is the target
    V: Matrix  # (K, K) V[i][k]: what a token of node k says for node i
    u: Vector  # (K,)
    g: Vector  # (N,)
    grad_V: Matrix
    grad_u: Vector
    grad_g: Vector
    S: Vector  # (N,) attention of the last token
    by_node: Vector  # (K,) e to the scores of the nodes, see `weigh`
    by_place: Vector  # (N,) e to those of the places
    mass: Vector  # (K,) attention on each node
    total: Vector  # (N,) attention, mean over the walks
    output: Vector  # (K,) f at every node
    sums: Vector  # (3,) means over the walks so far: loss, right answers, divergence from the truth
    step: int
    diverged_at: int  # -1 while it has not
    kept: Records  # see `textbook_measures`


def steps_of(settings: Settings) -> Vector:
    """The steps of a whole run's records: every 60th part of it, every step of a short one."""
    return sixtieths(settings.steps)


def start(settings: Settings, seed: int) -> State:
    """All walks of a run; V, u and g zero, or what random V and W become."""
    check_settings(settings)
    return start_on(draw_walks(settings, seed), settings, seed)


def start_on(walks: Table, settings: Settings, seed: int) -> State:
    """A run on these walks, before its first step."""
    K, N = settings.K, settings.N
    V, u, g = zero_matrix(K, K), zeros(K), zeros(N)
    if settings.sigma > 0.0:
        draw_start(settings, V, u, g, generator(seed, 1))
    return State(
        settings, walks, V, u, g, zero_matrix(K, K), zeros(K), zeros(N), zeros(N), zeros(K), zeros(N), zeros(K),
        zeros(N), zeros(K), zeros(3), 0, -1, new_records(settings.steps, K),
    )  # fmt: skip


def weigh(state: State) -> None:
    """K + N powers of e, of which all attention is made: S_j is by_node[s_j] by_place[j], divided by the walk's sum."""
    factor, last = factor_of(state.settings, False), len(state.g) - 1
    own = factor_of(state.settings, True) * state.g[last]
    node, place = factor * largest(state.u), factor * largest(first(state.g, last))
    top = max(node + place, own)  # no power is above 1
    for k in range(len(state.u)):
        state.by_node[k] = exp(factor * state.u[k] - node)
    for j in range(last):
        state.by_place[j] = exp(factor * state.g[j] - (top - node))
    state.by_place[last] = exp(own - top)


def attend(state: State, walk: Wholes) -> None:
    """S = softmax of the scores over all places; mass adds it up by node."""
    S, mass, last = state.S, state.mass, len(walk) - 1
    norm = 0.0
    for j in range(last):
        S[j] = state.by_node[walk[j]] * state.by_place[j]
        norm += S[j]
    S[last] = state.by_place[last]
    norm += S[last]
    if norm < LEAST:
        norm = weigh_alone(state, walk)
    scale(S, 1.0 / norm)
    fill(mass, 0.0)
    for j in range(last):
        mass[walk[j]] += S[j]


def weigh_alone(state: State, walk: Wholes) -> float:
    """The sum of S, the powers of e of a walk that lacks the nodes of the largest scores: its own largest is 1."""
    S, last, factor = state.S, len(walk) - 1, factor_of(state.settings, False)
    S[last] = factor_of(state.settings, True) * state.g[last]
    for j in range(last):
        S[j] = factor * (state.u[walk[j]] + state.g[j])
    top, norm = largest(S), 0.0
    for j in range(last + 1):
        S[j] = exp(S[j] - top)
        norm += S[j]
    return norm


def add_walk(state: State, walk: Wholes) -> float:
    """The loss at target y; 1/n of its gradient is added, c mass for row y of V, c S_j (V[y][s_j] - f) for score j."""
    attend(state, walk)
    settings, S, last, mass, grad_g = state.settings, state.S, len(walk) - 1, state.mass, state.grad_g
    row = state.V[walk[last]]
    f = dot(row, mass)
    c = loss_slope(settings.loss, f, settings.epsilon) / float(len(state.walks))
    pull = factor_of(settings, False) * c
    add(state.grad_V[walk[last]], c, mass)
    for k in range(len(row)):
        state.grad_u[k] += pull * mass[k] * (row[k] - f)
    for j in range(last):
        grad_g[j] += pull * S[j] * (row[walk[j]] - f)
    grad_g[last] -= factor_of(settings, True) * c * S[last] * f
    return loss_value(settings.loss, f, settings.epsilon)


def begin(state: State) -> bool:
    """Make ready for a pass over the walks; whether what it finds is due to be recorded."""
    weigh(state)
    fill_rows(state.grad_V, 0.0)
    fill(state.grad_u, 0.0)
    fill(state.grad_g, 0.0)
    fill(state.total, 0.0)
    fill(state.sums, 0.0)
    return is_due(state.kept, float(state.step))


def visit(state: State, walk: Wholes, due: bool) -> None:
    """One walk of the pass: its loss and gradient; where they are due also the right answer and the divergence."""
    settings, share, last = state.settings, 1.0 / float(state.settings.n), len(walk) - 1
    state.sums[0] += share * add_walk(state, walk)
    if due:
        add(state.total, share, state.S)
        for k in range(settings.K):
            state.output[k] = dot(state.V[k], state.mass)
        state.sums[1] += share if predicted(state.output) == walk[last] else 0.0
        state.sums[2] += share * divergence(state.output, settings.p, walk[last - 1])


def end(state: State, due: bool) -> None:
    """After the pass: put on record what it found, if that is due; above 1e9, or no number, the loss diverged."""
    sums = state.sums
    if due:
        keep(state.kept, state.step, state.settings.p, sums[0], sums[1], sums[2], state.total, state.V)
    if not sums[0] <= 1e9:
        state.diverged_at = state.step


def parameters(state: State) -> Matrix:
    """What is trained: the rows of V, then u and g."""
    return stacked(state.V, [state.u, state.g])


def gradient(state: State) -> Matrix:
    """The mean gradient of all walks, rows as those of `parameters`; the pass goes on record if it is due."""
    due = begin(state)
    for i in range(len(state.walks)):
        visit(state, state.walks[i], due)
    end(state, due)
    return stacked(state.grad_V, [state.grad_u, state.grad_g])


def descend(state: State) -> None:
    """Move V and W down the gradient, but after the last step, whose pass only measures."""
    settings, rho = state.settings, rho_of(state.settings)
    if state.step < settings.steps:
        for i in range(settings.K):
            sgd(state.V[i], state.grad_V[i], settings.lr)
        sgd(state.u, state.grad_u, settings.lr * rho)
        sgd(state.g, state.grad_g, settings.lr * rho * rho)


def count_step(state: State) -> None:
    """One step more."""
    state.step += 1


def step(state: State) -> None:
    """One step of gradient descent on all walks; what the parameters were before it goes on record if it is due."""
    gradient(state)
    if state.diverged_at < 0:
        descend(state)
        count_step(state)


def done(state: State) -> bool:
    """Whether all steps are made and the end is measured, or the run has diverged."""
    return state.diverged_at >= 0 or state.step > state.settings.steps


def read(state: State) -> Readings:
    """What is on record; see `textbook_measures.readings`."""
    return readings(state.kept, state.diverged_at)
