"""The layer as a player of a guessing game: after every walk it trains anew, from zero, on the walks it has seen.

Chapter `random_walk`. Source: the model of arXiv 2511.23239, Section 2, on the population by turns of `textbook_turns`.
The cells of a walk are its first N - 1 nodes, its label is the last one.
"""

from dataclasses import dataclass

from lib.models.random_walk.textbook_measures import predicted
from lib.models.random_walk.textbook_task import LOG, Settings
from lib.models.random_walk.textbook_turns import State, attend, done, start, step
from lib.portable.guesses import Sample
from lib.portable.primitives import Readings, Table, first, remainder, whole_table, zeros

__all__ = ["Learner", "answer", "learn", "looks", "player"]

MOST = 400  # walks that it remembers, the last ones


@dataclass
class Learner:
    """The walks that it remembers, by turns, and the layer that was trained on them."""

    turns: Table  # (MOST, N - 1) moves clockwise from a token to the target
    seen: int  # walks so far
    layer: State


def player(K: int, N: int, M: int, steps: int) -> Learner:
    """One that has seen no walk.

    Args:
        K: nodes of the circle.
        N: nodes of a walk, the target included.
        M: length of a positional encoding, at least N.
        steps: of gradient descent after every walk, at learning rate 1.

    Raises:
        InputError: if K is below 3, N below 2, or M below N. Source: see the module.
    """
    layer = fresh(K, N, M, 1, steps)
    attend(layer)
    return Learner(whole_table(MOST, N - 1), 0, layer)


def fresh(K: int, N: int, M: int, n: int, steps: int) -> State:
    """A layer at zero for n walks; p, which it is not told, is used in its measurements alone."""
    return start(Settings(K, N, 0.5, M, n, 1.0, steps, 0.1, LOG, 0.0, 0), 0)


def answer(state: Learner, sample: Sample) -> int:
    """The node with the largest output, the first among equals."""
    layer, K = state.layer, state.layer.settings.K
    output = zeros(K)
    for j in range(len(sample.cells)):
        for k in range(K):
            output[k] += layer.S[j] * layer.nu[remainder(k + K - sample.cells[j], K)]
    return predicted(output)


def learn(state: Learner, sample: Sample) -> None:
    """Remember this walk, and train a new layer on all that are remembered."""
    old, row = state.layer.settings, state.turns[remainder(state.seen, MOST)]
    for j in range(len(row)):
        row[j] = remainder(sample.label + old.K - sample.cells[j], old.K)
    state.seen += 1
    n = min(state.seen, MOST)
    layer = fresh(old.K, old.N, old.M, n, old.steps)
    layer.turns = whole_table(n, old.N - 1)
    for i in range(n):
        layer.turns[i] = state.turns[i]
    while not done(layer):
        step(layer)
    state.layer = layer


def looks(state: Learner) -> Readings:
    """`attention` (N - 1,) on the positions of a walk, the same for every walk."""
    return {"attention": first(state.layer.S, len(state.layer.S) - 1)}
