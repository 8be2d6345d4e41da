"""A trained pair (xi_1, xi_2) is tested: fresh prompts, uniform ones and ones with a separation, in plain Python.

Chapter `one_nn`. Source: arXiv 2411.10830 by its talk, the theorem on distribution shift. In the family W = diag(xi_1
I, 0, -xi_2) the scores are xi_1 z_j, and xi_1 - xi_2 for the query itself: a test needs inner products z and labels.
Separation delta: every example nearly as near as the nearest, z_j > z_* - delta / 2, has its label; so another label is
farther by delta in squared distance. A step is a prompt, which tests every pair. Time is that of the pairs on the path
of their training: all are there from the start, and their scores settle as prompts come in.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.models.one_nn.textbook import softmax
from lib.portable.primitives import Readings, Vector, copy, divide, sqrt, zeros
from lib.portable.random_numbers import generator, normals, uniform
from lib.portable.records import ended
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
    """Sums over the prompts so far, and room for one of them."""

    settings: Settings
    random: Vector
    z: Vector  # (N,) inner products with the query
    y: Vector  # (N,) fair labels
    near: Vector  # (N,) the same, those near the nearest as it is
    q: Vector  # (N + 1,) attention
    point: Vector  # (d,)
    tested: int  # prompts
    loss: Vector  # (K,) summed, uniform prompts
    right: Vector  # (K,) prompts whose sign is right
    shifted_loss: Vector  # (K,) the same on separated prompts
    shifted_right: Vector


def start(settings: Settings, seed: int) -> State:
    """A test before its first prompt."""
    require(settings.N >= 1, "N", "at least 1 example", settings.N)
    require(settings.d >= 2, "d", "a dimension of at least 2", settings.d)
    require(settings.delta >= 0.0 and settings.delta <= 4.0, "delta", "a squared distance from 0 to 4", settings.delta)
    N, K = settings.N, len(settings.t)
    require(len(settings.xi1) == K, "xi1", "as many numbers as times", len(settings.xi1))
    require(len(settings.xi2) == K, "xi2", "as many numbers as times", len(settings.xi2))
    return State(
        settings=settings, random=generator(seed, 3), z=zeros(N), y=zeros(N), near=zeros(N), q=zeros(N + 1),
        point=zeros(settings.d), tested=0, loss=zeros(K), right=zeros(K), shifted_loss=zeros(K),
        shifted_right=zeros(K),
    )  # fmt: skip


def draw_prompt(state: State) -> int:
    """Inner products and labels of a fresh prompt; returns the nearest example.

    The sphere looks the same from every point, so the query may be its pole: z is the first coordinate of an example.
    """
    z, y, near = state.z, state.y, state.near
    nearest = 0
    for j in range(len(z)):
        normals(state.random, state.point)
        z[j] = state.point[0] / sqrt(dot(state.point, state.point))
        y[j] = 1.0 if uniform(state.random) < 0.5 else -1.0
        if z[j] > z[nearest]:
            nearest = j
    reach = largest(z) - 0.5 * state.settings.delta
    for j in range(len(z)):
        near[j] = y[nearest] if z[j] > reach else y[j]
    return nearest


def attend(q: Vector, z: Vector, xi1: float, xi2: float) -> None:
    """The attention of the query, (N + 1,), on the examples and, last, on itself."""
    for j in range(len(z)):
        q[j] = xi1 * z[j]
    q[len(z)] = xi1 - xi2
    softmax(q)


def test_prompt(state: State) -> None:
    """Every pair answers one fresh prompt, with both labellings."""
    settings, q = state.settings, state.q
    nearest = draw_prompt(state)
    for k in range(len(settings.xi1)):
        attend(q, state.z, settings.xi1[k], settings.xi2[k])
        f, g = 0.0, 0.0
        for j in range(settings.N):
            f += q[j] * state.y[j]
            g += q[j] * state.near[j]
        wrong = f - state.y[nearest]
        wrong_near = g - state.near[nearest]
        state.loss[k] += 0.5 * wrong * wrong
        state.shifted_loss[k] += 0.5 * wrong_near * wrong_near
        state.right[k] += 1.0 if f * state.y[nearest] > 0.0 else 0.0
        state.shifted_right[k] += 1.0 if g * state.y[nearest] > 0.0 else 0.0


def steps_of(settings: Settings) -> Vector:
    """(K,) the times of the pairs."""
    return settings.t


def step(state: State) -> None:
    """Test one prompt more."""
    test_prompt(state)
    state.tested += 1


def done(state: State) -> bool:
    """Whether all prompts are tested."""
    return state.tested >= state.settings.prompts


def mean_of(sums: Vector, count: int) -> Vector:
    """Sums over the prompts, as means; NaN before the first."""
    mean = copy(sums)
    for k in range(len(mean)):
        mean[k] = divide(mean[k], float(count))
    return mean


def read(state: State) -> Readings:
    """Times of the pairs, and their means over the prompts so far, each (K,): loss and share of right signs, uniform
    and separated; a test does not diverge.
    """
    n = state.tested
    return {
        "t": state.settings.t, "loss": mean_of(state.loss, n), "right": mean_of(state.right, n),
        "shifted_loss": mean_of(state.shifted_loss, n), "shifted_right": mean_of(state.shifted_right, n),
        "diverged_at": ended(-1),
    }  # fmt: skip
