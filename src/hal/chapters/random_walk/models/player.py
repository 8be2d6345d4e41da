"""The layer as a player of a guessing game: after every walk it trains anew, from zero, on the walks it has seen.

Chapter `random_walk`. Source: the model of arXiv 2511.23239, Section 2; the layer is the textbook's. The cells of a
walk are its first N - 1 nodes, its label is the last one.
"""

from dataclasses import dataclass

from hal.chapters.random_walk.models.measures import predicted
from hal.figure.guesses import Sample
from lib.models.random_walk.textbook import Settings, State, attend, check_circle, done, start_on, step
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
    """One that has seen no walk, of N nodes, the target included, on a circle of K, with positional encodings of length
    M; after every walk it takes so many steps of gradient descent, at learning rate 1.
    """
    check_circle(K, N, 0.5, M)
    layer = fresh(whole_table(1, N - 1), K, N, M, steps)
    return Learner(whole_table(MOST, N - 1), 0, layer)


def fresh(turns: Table, K: int, N: int, M: int, steps: int) -> State:
    """A layer at zero for these walks; p, which it is not told, is used in its measurements alone."""
    layer = start_on(turns, Settings(K, N, 0.5, M, len(turns), 1.0, steps, 0.1), 0)
    attend(layer)
    return layer


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
    turns = whole_table(min(state.seen, MOST), old.N - 1)
    for i in range(len(turns)):
        turns[i] = state.turns[i]
    layer = fresh(turns, old.K, old.N, old.M, old.steps)
    while not done(layer):
        step(layer)
    attend(layer)
    state.layer = layer


def looks(state: Learner) -> Readings:
    """`attention` (N - 1,) on the positions of a walk, the same for every walk."""
    return {"attention": first(state.layer.S, len(state.layer.S) - 1)}
