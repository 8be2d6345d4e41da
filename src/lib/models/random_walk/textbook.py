"""The whole model: walks on a circle, one attention layer, loss, gradient and gradient descent, in plain Python.

Chapter `random_walk`. Source: Shi, Cao, "Towards understanding transformers in learning random walks", arXiv
2511.23239, Section 2; the reduction is ours. The page runs this file, translated. Token j is [x_j; p_j], x_j the
one-hot node of the walk's j-th place, and the last, which asks, is [0; p_N]; positions are orthogonal, of squared
length rho = (M + 1)/2. The layer starts at zero, and each walk counts with all its turns of the circle. So by symmetry
an entry of V depends on the turn alone, from a token's node to the one it speaks for, V[i][k] = nu[i - k], and the
score of token j is a + g[j]: attention is one vector for all walks, and n walks do the work of K n. A step of W moves a
at the rate lr_W rho, g at lr_W rho^2. The file `fast.py` beside this one computes the same with arrays.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.portable.numbers import exp, log
from lib.portable.optimisers import sgd
from lib.portable.primitives import Matrix, Table, Vector, Wholes, nan, remainder, whole_table, whole_zeros, zeros
from lib.portable.random_numbers import below, generator, uniform
from lib.portable.records import even_steps
from lib.portable.vectors import fill, largest, scale

RECORDS = 60  # of a whole run, besides the one at its start


class Settings(NamedTuple):
    """What a reader can choose."""

    K: int = 6  # nodes on the circle
    N: int = 97  # nodes that a walk visits, the target included
    p: float = 0.5  # chance of a clockwise step
    M: int = 1000  # length of a positional vector
    n: int = 200  # walks
    lr: float = 1.0  # learning rate of V
    steps: int = 50  # of gradient descent, each on all walks
    epsilon: float = 0.1  # offset of the loss
    lr_W: float = 1.0  # learning rate of W


@dataclass
class State:
    """A run: its walks by turns, its parameters nu, a, g, their gradient, and room for one walk."""

    settings: Settings
    seed: int  # of all that is drawn
    turns: Table  # (n, N - 1) steps clockwise from a token to the target, 0 to K - 1
    nu: Vector  # (K,) value of a token for the node so many steps clockwise of it
    a: Vector  # (1,) score of any node
    g: Vector  # (N,) score by place; the last is the empty token's own
    grad_nu: Vector
    grad_a: Vector
    grad_g: Vector
    S: Vector  # (N,) attention
    mass: Vector  # (K,) attention by turn, of one walk
    loss: float  # mean over the walks, where the gradient was last computed
    step: int
    diverged_at: int  # -1 while it has not


def check_circle(K: int, N: int, p: float, M: int) -> None:
    """Refuse a circle, a walk or positions without meaning."""
    require(K >= 3, "K", "at least 3 nodes", K)
    require(N >= 2, "N", "at least 2 places", N)
    require(M >= N, "M", "at least N, so that positions are orthogonal", M)
    require(p >= 0.0 and p <= 1.0, "p", "a probability from 0 to 1", p)


def check_training(n: int, lr: float, steps: int, epsilon: float) -> None:
    """Refuse a training without meaning."""
    require(n >= 1, "n", "at least 1 walk", n)
    require(lr >= 0.0, "lr", "a number of at least 0", lr)
    require(steps >= 0, "steps", "at least 0 steps", steps)
    require(epsilon > 0.0, "epsilon", "a number above 0", epsilon)


def draw_walk(walk: Wholes, K: int, p: float, random: Vector) -> None:
    """A walk (N,) from a random node: one node clockwise with chance p, else one back."""
    node = below(random, K)
    for j in range(len(walk)):
        walk[j] = node
        node = remainder(node + (1 if uniform(random) < p else K - 1), K)


def turns_of(walk: Wholes, K: int) -> Wholes:
    """(N - 1,) steps clockwise from each token of a walk (N,) to its target, the last one."""
    last = len(walk) - 1
    turns = whole_zeros(last)
    for j in range(last):
        turns[j] = remainder(walk[last] + K - walk[j], K)
    return turns


def records(steps: int) -> Vector:
    """The steps of the records of a run: every 60th part of it, every step of a short one."""
    return even_steps(steps, min(RECORDS, steps)) if steps > 0 else zeros(1)


def steps_of(settings: Settings) -> Vector:
    """The steps of a whole run's records."""
    return records(settings.steps)


def start(settings: Settings, seed: int) -> State:
    """All walks of a run, and a layer at zero."""
    check_circle(settings.K, settings.N, settings.p, settings.M)
    check_training(settings.n, settings.lr, settings.steps, settings.epsilon)
    require(settings.lr_W >= 0.0, "lr_W", "a number of at least 0", settings.lr_W)
    random, walk, turns = generator(seed, 0), whole_zeros(settings.N), whole_table(settings.n, settings.N - 1)
    for i in range(settings.n):
        draw_walk(walk, settings.K, settings.p, random)
        turns[i] = turns_of(walk, settings.K)
    return start_on(turns, settings, seed)


def start_on(turns: Table, settings: Settings, seed: int) -> State:
    """A layer at zero, on these walks."""
    K, N = settings.K, settings.N
    return State(
        settings=settings, seed=seed, turns=turns, nu=zeros(K), a=zeros(1), g=zeros(N), grad_nu=zeros(K),
        grad_a=zeros(1), grad_g=zeros(N), S=zeros(N), mass=zeros(K), loss=nan, step=0, diverged_at=-1,
    )  # fmt: skip


def attend(state: State) -> None:
    """S = softmax of the scores over all places."""
    S, last = state.S, state.settings.N - 1
    for j in range(last):
        S[j] = state.a[0] + state.g[j]
    S[last] = state.g[last]
    top, norm = largest(S), 0.0
    for j in range(last + 1):
        S[j] = exp(S[j] - top)
        norm += S[j]
    scale(S, 1.0 / norm)


def add_walk(state: State, turns: Wholes) -> float:
    """The loss -log(f + epsilon) of the output f at the target; 1/n of its gradient in nu and g is added."""
    settings, S, last, nu, mass = state.settings, state.S, len(turns), state.nu, state.mass
    fill(mass, 0.0)
    f = 0.0
    for j in range(last):
        mass[turns[j]] += S[j]
        f += S[j] * nu[turns[j]]
    c = -1.0 / (f + settings.epsilon) / float(settings.n)
    for k in range(settings.K):
        state.grad_nu[k] += c * mass[k]
    for j in range(last):
        state.grad_g[j] += c * S[j] * (nu[turns[j]] - f)
    state.grad_g[last] -= c * S[last] * f
    return -log(f + settings.epsilon)


def parameters(state: State) -> Matrix:
    """What is trained: nu, a and g."""
    return [state.nu, state.a, state.g]


def gradient(state: State) -> Matrix:
    """The mean gradient of all walks in nu, a and g; above 1e9, or no number, the loss diverged."""
    settings, share = state.settings, 1.0 / float(state.settings.n)
    fill(state.grad_nu, 0.0)
    fill(state.grad_a, 0.0)
    fill(state.grad_g, 0.0)
    attend(state)
    state.loss = 0.0
    for i in range(settings.n):
        state.loss += share * add_walk(state, state.turns[i])
    for j in range(settings.N - 1):
        state.grad_a[0] += state.grad_g[j]
    if not state.loss <= 1e9:
        state.diverged_at = state.step
    return [state.grad_nu, state.grad_a, state.grad_g]


def count_step(state: State) -> None:
    """One step more."""
    state.step += 1


def step(state: State) -> None:
    """One step on V and W. The K entries of V of one turn share the gradient in its nu, those of u the one in a."""
    settings, rho = state.settings, 0.5 * float(state.settings.M + 1)
    gradient(state)
    if state.diverged_at < 0:
        sgd(state.nu, state.grad_nu, settings.lr / float(settings.K))
        sgd(state.a, state.grad_a, settings.lr_W * rho / float(settings.K))
        sgd(state.g, state.grad_g, settings.lr_W * rho * rho)
        count_step(state)


def done(state: State) -> bool:
    """Whether all steps are made, or the run has diverged."""
    return state.diverged_at >= 0 or state.step >= state.settings.steps
