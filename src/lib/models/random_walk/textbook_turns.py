"""The population by symmetry, in plain Python: values depend on the turn alone, scores on the place alone.

Chapter `random_walk`. The reduction is that of `circulant.py`: each walk counts with all its turns of the circle, so n
walks do the work of K n, and attention is one vector. Starts at zero; settings and records are those of `textbook.py`.
"""

from dataclasses import dataclass

from lib.errors import require
from lib.models.random_walk.textbook import steps_of
from lib.models.random_walk.textbook_measures import divergence, keep, new_records, readings, right_turns
from lib.models.random_walk.textbook_task import (
    Settings,
    check_settings,
    draw_walk,
    factor_of,
    loss_slope,
    loss_value,
    rho_of,
)
from lib.portable.numbers import exp
from lib.portable.optimisers import sgd
from lib.portable.primitives import Matrix, Readings, Table, Vector, Wholes, remainder, whole_table, zero_matrix, zeros
from lib.portable.random_numbers import generator
from lib.portable.records import Records, is_due
from lib.portable.vectors import fill, largest, scale

__all__ = ["count_step", "done", "gradient", "parameters", "read", "start", "step", "steps_of"]


@dataclass
class State:
    """A run: its walks by turns, its parameters nu, a, g, their gradient, and room for one walk."""

    settings: Settings
    seed: int
    turns: Table  # (n, N - 1) steps clockwise from a token to the target, 0 to K - 1; empty before the first step
    nu: Vector  # (K,) value of a token for the node so many steps clockwise of it
    a: Vector  # (1,) score of any node
    g: Vector  # (N,) score by place
    grad_nu: Vector
    grad_a: Vector
    grad_g: Vector
    S: Vector  # (N,) attention, the same for every walk
    mass: Vector  # (K,) attention by turn, of one walk
    output: Vector  # (K,) output at the node k steps clockwise of the target
    V: Matrix  # (K, K) the values, spread out
    step: int
    diverged_at: int  # -1 while it has not
    kept: Records  # see `textbook_measures`


def start(settings: Settings, seed: int) -> State:
    """A run before its walks are drawn, as a page starts one at every move of a slider; nu, a and g are zero."""
    check_settings(settings)
    require(settings.sigma == 0.0, "sigma", "0: a random start has no symmetry", settings.sigma)
    K, N = settings.K, settings.N
    return State(
        settings, seed, whole_table(0, 0), zeros(K), zeros(1), zeros(N), zeros(K), zeros(1), zeros(N), zeros(N),
        zeros(K), zeros(K), zero_matrix(K, K), 0, -1, new_records(settings.steps, K),
    )  # fmt: skip


def draw(state: State) -> None:
    """All walks of the run, read from their target."""
    settings, K, N = state.settings, state.settings.K, state.settings.N
    random, walk = generator(state.seed, 0), whole_table(1, N)
    state.turns = whole_table(settings.n, N - 1)
    for i in range(settings.n):
        draw_walk(settings, walk[0], random)
        for j in range(N - 1):
            state.turns[i][j] = remainder(walk[0][N - 1] + K - walk[0][j], K)


def attend(state: State) -> None:
    """S = softmax of the scores over all places."""
    S, last = state.S, state.settings.N - 1
    factor = factor_of(state.settings, False)
    for j in range(last):
        S[j] = factor * (state.a[0] + state.g[j])
    S[last] = factor_of(state.settings, True) * state.g[last]
    top, norm = largest(S), 0.0
    for j in range(last + 1):
        S[j] = exp(S[j] - top)
        norm += S[j]
    scale(S, 1.0 / norm)


def attend_walk(state: State, turns: Wholes) -> None:
    """The attention on a walk, by turn."""
    fill(state.mass, 0.0)
    for j in range(len(turns)):
        state.mass[turns[j]] += state.S[j]


def add_walk(state: State, turns: Wholes) -> float:
    """The loss of the output f at the target; a share 1/n of its gradient in nu and g is added."""
    settings, S, last, nu, mass = state.settings, state.S, len(turns), state.nu, state.mass
    attend_walk(state, turns)
    f = 0.0
    for j in range(last):
        f += S[j] * nu[turns[j]]
    c = loss_slope(settings.loss, f, settings.epsilon) / float(settings.n)
    for k in range(settings.K):
        state.grad_nu[k] += c * mass[k]
    pull = factor_of(settings, False) * c
    for j in range(last):
        state.grad_g[j] += pull * S[j] * (nu[turns[j]] - f)
    state.grad_g[last] -= factor_of(settings, True) * c * S[last] * f
    return loss_value(settings.loss, f, settings.epsilon)


def turned_output(state: State) -> None:
    """The output at every node, by its turn from the target, of the walk that was attended last."""
    K = state.settings.K
    fill(state.output, 0.0)
    for d in range(K):
        if state.mass[d] > 0.0:
            for k in range(K):
                state.output[k] += state.mass[d] * state.nu[d + k if d + k < K else d + k - K]


def spread_out(state: State) -> None:
    """V from its values by turn."""
    K = state.settings.K
    for i in range(K):
        for k in range(K):
            state.V[i][k] = state.nu[remainder(i + K - k, K)]


def parameters(state: State) -> Matrix:
    """What is trained: nu, a and g."""
    return [state.nu, state.a, state.g]


def gradient(state: State) -> Matrix:
    """The mean gradient of all walks in nu, a and g; the pass goes on record if it is due.

    Above 1e9, or no number, the loss diverged.
    """
    settings, K = state.settings, state.settings.K
    due = is_due(state.kept, float(state.step))
    loss, right, apart, share = 0.0, 0.0, 0.0, 1.0 / float(settings.n)
    if len(state.turns) == 0:
        draw(state)
    fill(state.grad_nu, 0.0)
    fill(state.grad_a, 0.0)
    fill(state.grad_g, 0.0)
    attend(state)
    for i in range(settings.n):
        turns = state.turns[i]
        loss += share * add_walk(state, turns)
        if due:
            turned_output(state)
            right += share * right_turns(state.output)
            apart += share * divergence(state.output, settings.p, remainder(K - turns[settings.N - 2], K))
    for j in range(settings.N - 1):
        state.grad_a[0] += state.grad_g[j]
    if due:
        spread_out(state)
        keep(state.kept, state.step, settings.p, loss, right, apart, state.S, state.V)
    if not loss <= 1e9:
        state.diverged_at = state.step
    return [state.grad_nu, state.grad_a, state.grad_g]


def count_step(state: State) -> None:
    """One step more."""
    state.step += 1


def step(state: State) -> None:
    """One step of gradient descent on V and W; what the parameters were before it goes on record if it is due."""
    gradient(state)
    follow(state)


def follow(state: State) -> None:
    """Go along the gradient. The K entries of V of one turn share the gradient in its nu, those of u the one in a."""
    settings, rho = state.settings, rho_of(state.settings)
    if state.diverged_at >= 0:
        return
    if state.step < settings.steps:
        sgd(state.nu, state.grad_nu, settings.lr / float(settings.K))
        sgd(state.a, state.grad_a, settings.lr * rho / float(settings.K))
        sgd(state.g, state.grad_g, settings.lr * rho * rho)
    count_step(state)


def done(state: State) -> bool:
    """Whether all steps are made and the end is measured, or the run has diverged."""
    return state.diverged_at >= 0 or state.step > state.settings.steps


def read(state: State) -> Readings:
    """What is on record; see `textbook_measures.readings`."""
    return readings(state.kept, state.diverged_at)
