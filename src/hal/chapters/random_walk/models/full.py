"""The layer without its symmetry, for random starts, single walks and questions: values V, scores u and g.

Chapter `random_walk`. Source: Shi, Cao, arXiv 2511.23239, Section 2; that tokens have length 1 where a start is random
is theirs. The score of token j is u[s_j] + g[j], and a step of W moves u at the rate lr rho, g at lr rho^2. Everything
else is `lib.models.random_walk.textbook`; `lib.models.random_walk.fast` computes the same with arrays.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.models.random_walk.textbook import check_circle, check_training, draw_walk, records
from lib.portable.numbers import exp, log
from lib.portable.optimisers import sgd
from lib.portable.primitives import Matrix, Table, Vector, Wholes, first, nan, sqrt, whole_table, zero_matrix, zeros
from lib.portable.random_numbers import generator, normals
from lib.portable.vectors import add, dot, fill, fill_rows, largest, scale, stacked

LEAST = 1e-250  # of a sum of powers of e; from there on they lose digits


class Settings(NamedTuple):
    """What a reader can choose."""

    K: int = 6  # nodes on the circle
    N: int = 97  # nodes that a walk visits, the target included
    p: float = 0.5  # chance of a clockwise step
    M: int = 1000  # length of a positional vector
    n: int = 200  # walks
    lr: float = 1.0  # learning rate of V and W
    steps: int = 50  # of gradient descent, each on all walks
    epsilon: float = 0.1  # offset of the loss
    sigma: float = 0.0  # standard deviation of the entries of V and W at the start
    unit: int = 0  # 1: tokens are divided by their length


@dataclass
class State:
    """A run: its walks, its parameters V, u, g, their gradient, and room for one walk."""

    settings: Settings
    seed: int  # of all that is drawn
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
    loss: float  # mean over the walks, where the gradient was last computed
    step: int
    diverged_at: int  # -1 while it has not


def steps_of(settings: Settings) -> Vector:
    """The steps of a whole run's records."""
    return records(settings.steps)


def start(settings: Settings, seed: int) -> State:
    """All walks of a run; V, u and g zero, or what random V and W become."""
    check(settings)
    return start_on(draw_walks(settings, seed), settings, seed)


def draw_walks(settings: Settings, seed: int) -> Table:
    """All walks of a run, (n, N)."""
    random, walks = generator(seed, 0), whole_table(settings.n, settings.N)
    for i in range(settings.n):
        draw_walk(walks[i], settings.K, settings.p, random)
    return walks


def check(settings: Settings) -> None:
    """Refuse settings without meaning."""
    check_circle(settings.K, settings.N, settings.p, settings.M)
    check_training(settings.n, settings.lr, settings.steps, settings.epsilon)
    require(settings.sigma >= 0.0, "sigma", "a number of at least 0", settings.sigma)


def start_on(walks: Table, settings: Settings, seed: int) -> State:
    """A run on these walks, before its first step."""
    K, N, rho, random = settings.K, settings.N, rho_of(settings), generator(seed, 1)
    V, u, g = zero_matrix(K, K), zeros(K), zeros(N)
    if settings.sigma > 0.0:
        for i in range(K):
            draw_normals(V[i], settings.sigma, random)
        draw_normals(u, settings.sigma * sqrt(rho), random)
        draw_normals(g, settings.sigma * rho, random)
    return State(
        settings=settings, seed=seed, walks=walks, V=V, u=u, g=g, grad_V=zero_matrix(K, K), grad_u=zeros(K),
        grad_g=zeros(N), S=zeros(N), by_node=zeros(K), by_place=zeros(N), mass=zeros(K), loss=nan, step=0,
        diverged_at=-1,
    )  # fmt: skip


def draw_normals(values: Vector, sigma: float, random: Vector) -> None:
    """Independent normal numbers of standard deviation sigma."""
    normals(random, values)
    scale(values, sigma)


def rho_of(settings: Settings) -> float:
    """Squared length of a positional vector."""
    return 0.5 * float(settings.M + 1)


def factor_of(settings: Settings, own: bool) -> float:
    """Scores are so many times u + g, for a token or the last one's own: 1, less for tokens of length 1."""
    rho = rho_of(settings)
    if settings.unit == 0:
        return 1.0
    return 1.0 / rho if own else 1.0 / sqrt(rho * (1.0 + rho))


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
    c = -1.0 / (f + settings.epsilon) / float(len(state.walks))
    pull = factor_of(settings, False) * c
    add(state.grad_V[walk[last]], c, mass)
    for k in range(len(row)):
        state.grad_u[k] += pull * mass[k] * (row[k] - f)
    for j in range(last):
        grad_g[j] += pull * S[j] * (row[walk[j]] - f)
    grad_g[last] -= factor_of(settings, True) * c * S[last] * f
    return -log(f + settings.epsilon)


def begin(state: State) -> None:
    """Make ready for a pass over the walks."""
    weigh(state)
    fill_rows(state.grad_V, 0.0)
    fill(state.grad_u, 0.0)
    fill(state.grad_g, 0.0)
    state.loss = 0.0


def end(state: State) -> None:
    """After the pass: above 1e9, or no number, the loss diverged."""
    if not state.loss <= 1e9:
        state.diverged_at = state.step


def parameters(state: State) -> Matrix:
    """What is trained: the rows of V, then u and g."""
    return stacked(state.V, [state.u, state.g])


def gradient(state: State) -> Matrix:
    """The mean gradient of all walks, rows as those of `parameters`."""
    begin(state)
    for i in range(len(state.walks)):
        state.loss += 1.0 / float(state.settings.n) * add_walk(state, state.walks[i])
    end(state)
    return stacked(state.grad_V, [state.grad_u, state.grad_g])


def descend(state: State) -> None:
    """Move V and W down the gradient."""
    settings, rho = state.settings, rho_of(state.settings)
    for i in range(settings.K):
        sgd(state.V[i], state.grad_V[i], settings.lr)
    sgd(state.u, state.grad_u, settings.lr * rho)
    sgd(state.g, state.grad_g, settings.lr * rho * rho)


def count_step(state: State) -> None:
    """One step more."""
    state.step += 1


def step(state: State) -> None:
    """One step of gradient descent on all walks."""
    gradient(state)
    if state.diverged_at < 0:
        descend(state)
        count_step(state)


def done(state: State) -> bool:
    """Whether all steps are made, or the run has diverged."""
    return state.diverged_at >= 0 or state.step >= state.settings.steps


def output(state: State, walk: Wholes) -> Vector:
    """(K,) the output at every node on a walk; S has its attention. `weigh` comes before it."""
    attend(state, walk)
    found = zeros(len(state.V))
    for k in range(len(state.V)):
        found[k] = dot(state.V[k], state.mass)
    return found
