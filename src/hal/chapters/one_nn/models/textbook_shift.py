"""Trained pairs (xi_1, xi_2) are tested: fresh prompts, uniform ones and ones with a separation, in plain Python.

Chapter `one_nn`. Source: arXiv 2411.10830 by its talk, the theorem on distribution shift. In the family W = diag(xi_1
I, 0, -xi_2) the scores are xi_1 z_j, and xi_1 - xi_2 for the query itself: a test needs inner products z and labels.
Separation delta: every example nearly as near as the nearest, z_j > z_* - delta / 2, has its label; so another label is
farther by delta in squared distance. A step goes on to the next pair; time is that of the pairs on the path of their
training. All pairs are tested on the same prompts.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.models.one_nn.textbook import softmax
from lib.portable.primitives import Matrix, Readings, Vector, Wholes, divide, sqrt, whole_zeros, zero_matrix, zeros
from lib.portable.random_numbers import generator, normals, uniform
from lib.portable.vectors import dot, largest


class Settings(NamedTuple):
    """What is tested, and how; the default pairs are those of training with d = 8, N = 16."""

    t: Vector = [0.0, 1e3, 1e6]  # noqa: RUF012 - (K,) times of the pairs to test, growing
    xi1: Vector = [0.0, 5.4, 73.7]  # noqa: RUF012 - (K,)
    xi2: Vector = [3.0, 5.1, 67.7]  # noqa: RUF012 - (K,)
    N: int = 16  # examples in a prompt
    d: int = 8  # dimension, at least 2
    delta: float = 0.1  # separation of the shifted prompts, 0 to 4
    prompts: int = 100  # of a run


@dataclass
class State:
    """The prompts, and the pair that they test."""

    settings: Settings
    z: Matrix  # (prompts, N) inner products with the query
    y: Matrix  # (prompts, N) fair labels
    near: Matrix  # (prompts, N) the same, those near the nearest as it is
    nearest: Wholes  # (prompts,) its place
    q: Vector  # (N + 1,) attention
    pair: int
    time: float  # of the pair
    diverged_at: int  # -1 throughout


def start(settings: Settings, seed: int) -> State:
    """A test before its first prompt."""
    require(settings.N >= 1, "N", "at least 1 example", settings.N)
    require(settings.d >= 2, "d", "a dimension of at least 2", settings.d)
    require(settings.delta >= 0.0 and settings.delta <= 4.0, "delta", "a squared distance from 0 to 4", settings.delta)
    N, K = settings.N, len(settings.t)
    require(K >= 1, "t", "at least 1 time", K)
    require(len(settings.xi1) == K, "xi1", "as many numbers as times", len(settings.xi1))
    require(len(settings.xi2) == K, "xi2", "as many numbers as times", len(settings.xi2))
    random, point, count = generator(seed, 3), zeros(settings.d), settings.prompts
    z, y, near = zero_matrix(count, N), zero_matrix(count, N), zero_matrix(count, N)
    nearest = whole_zeros(count)
    for i in range(count):
        nearest[i] = draw_prompt(random, point, settings.delta, z[i], y[i], near[i])
    return State(settings, z, y, near, nearest, zeros(N + 1), 0, settings.t[0], -1)


def draw_prompt(random: Vector, point: Vector, delta: float, z: Vector, y: Vector, near: Vector) -> int:
    """Inner products and labels of a fresh prompt; returns the nearest example. `point` is room for one.

    The sphere looks the same from every point, so the query may be its pole: z is the first coordinate of an example.
    """
    nearest = 0
    for j in range(len(z)):
        normals(random, point)
        z[j] = point[0] / sqrt(dot(point, point))
        y[j] = 1.0 if uniform(random) < 0.5 else -1.0
        if z[j] > z[nearest]:
            nearest = j
    reach = largest(z) - 0.5 * delta
    for j in range(len(z)):
        near[j] = y[nearest] if z[j] > reach else y[j]
    return nearest


def attend(q: Vector, z: Vector, xi1: float, xi2: float) -> None:
    """The attention of the query, (N + 1,), on the examples and, last, on itself."""
    for j in range(len(z)):
        q[j] = xi1 * z[j]
    q[len(z)] = xi1 - xi2
    softmax(q)


def steps_of(settings: Settings) -> Vector:
    """(K,) the times of the pairs."""
    return settings.t


def step(state: State) -> None:
    """The next pair."""
    state.pair += 1
    state.time = state.settings.t[state.pair]


def done(state: State) -> bool:
    """Whether the pair is the last one."""
    return state.pair >= len(state.settings.t) - 1


def measure(state: State) -> Readings:
    """The loss of the pair and its share of right signs, means over uniform prompts and over separated ones."""
    settings, q, k = state.settings, state.q, state.pair
    loss, right, shifted_loss, shifted_right = 0.0, 0.0, 0.0, 0.0
    for i in range(settings.prompts):
        attend(q, state.z[i], settings.xi1[k], settings.xi2[k])
        label, f, g = state.y[i][state.nearest[i]], 0.0, 0.0
        for j in range(settings.N):
            f += q[j] * state.y[i][j]
            g += q[j] * state.near[i][j]
        loss += 0.5 * (f - label) * (f - label)
        shifted_loss += 0.5 * (g - label) * (g - label)
        right += 1.0 if f * label > 0.0 else 0.0
        shifted_right += 1.0 if g * label > 0.0 else 0.0
    count = float(settings.prompts)
    return {
        "loss": [divide(loss, count)], "right": [divide(right, count)],
        "shifted_loss": [divide(shifted_loss, count)], "shifted_right": [divide(shifted_right, count)],
    }  # fmt: skip
