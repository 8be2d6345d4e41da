"""Other examples for the same layer: a group with a noisy copy, two groups that decide together.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638. The fast runs are those of `hal.chapters.group_sparse.runs`.
"""

from lib.models.group_sparse.textbook import STAR, Settings, State, gradient, start
from lib.portable.optimisers import sgd
from lib.portable.primitives import Matrix, Vector, sqrt, zeros

OTHER = 2  # the second group, counted from 0


def drawn(settings: Settings, seed: int, two: bool, c: float) -> State:
    """A run's start. Groups 2 and 3 decide by the sum of their signals, or group 3 has correlation c with group 2."""
    state = start(settings, seed)
    change(state.tokens, state.y, settings, two, c)
    change(state.fresh, state.fresh_y, settings, two, c)
    return state


def change(tokens: Matrix, y: Vector, settings: Settings, two: bool, c: float) -> None:
    """Make these examples of the standard task examples of the other one."""
    for i in range(len(y)):
        first, second = tokens[i * settings.D + STAR], tokens[i * settings.D + OTHER]
        for a in range(settings.d):
            second[a] = c * first[a] + sqrt(1.0 - c * c) * second[a]
        if two:
            y[i] = -1.0 if first[0] + second[0] < 0.0 else 1.0


def with_softmax(state: State) -> Vector:
    """Gradient descent for all steps; (D,) the attention on each group, in the mean over queries and examples."""
    D = state.settings.D
    for _ in range(state.settings.steps):
        gradient(state)
        descend(state)
    gradient(state)
    shares = zeros(D)
    for i in range(D):
        for j in range(D):
            shares[i] += state.map[i * D + j] / float(D)
    return shares


def descend(state: State) -> None:
    """A step along the gradient that stands in the state."""
    sgd(state.v, state.grad_v, state.settings.lr)
    for a in range(len(state.W)):
        sgd(state.W[a], state.grad_W[a], state.settings.lr)
