"""A textbook run from a random start: V, or attention, or both, plus normal numbers of a chosen size.

Chapter `scb`, beyond the paper (arXiv 2410.23438). From its start on the run is that of `textbook`; like that of
`textbook_sign` it is asked which way it leaves.
"""

from typing import NamedTuple

from lib.models.scb.textbook import RECORDS, Settings, State, done, keep, step
from lib.models.scb.textbook import start as start_run
from lib.models.scb.textbook_sign import read
from lib.portable.primitives import Matrix, Vector, sqrt, zero_matrix, zeros
from lib.portable.random_numbers import generator, normals
from lib.portable.records import even_steps, room_for
from lib.portable.vectors import add, total

__all__ = ["RandomStart", "done", "read", "start", "step", "steps_of"]


class RandomStart(NamedTuple):
    """What a reader can choose."""

    T: int = 256  # length of the context, in tokens
    N: int = 4  # tokens in the vocabulary
    Q: int = 2  # positions that matter
    c: float = 0.75  # strength of the transition, 0.01 to 1
    lr: float = 0.02  # learning rate
    batch: int = 64  # samples a step, B
    steps: int = 300
    size_V: float = 0.0  # length of the random part of V, over that of the true signal
    size_A: float = 0.0  # deviation of the random entries of attention


def steps_of(settings: RandomStart) -> Vector:
    """(49,) the steps of a whole run's records."""
    return even_steps(settings.steps, RECORDS)


def start(settings: RandomStart, seed: int) -> State:
    """The paper's start with random parts added: V mu, and the sums of V's columns and of A's rows, are kept.

    Raises:
        InputError: if a setting is out of range.
    """
    plain = Settings(
        settings.T, settings.N, settings.Q, settings.c, 0.0, settings.lr, settings.batch, 0.0, settings.steps, 0, 0,
        0.0, 0.0,
    )  # fmt: skip
    state, random = start_run(plain, seed), generator(seed, 1)
    task, N, T = state.task, settings.N, settings.T
    G = centred_normals(N, random)
    square = 0.0
    for j in range(N):
        for i in range(N):
            square += task.mu[j] * G[j][i] * G[j][i]
    entry = zeros(T)
    for j in range(N):
        add(state.V[j], settings.size_V * sqrt(task.K_P / square), G[j])
        normals(random, entry)
        mean = total(entry) / float(T)
        for t in range(T):
            state.A[j][t] += settings.size_A * (entry[t] - mean)
    state.kept = room_for(steps_of(settings), 5)
    keep(state)
    return state


def centred_normals(N: int, random: Vector) -> Matrix:
    """Normal numbers (N, N) with the means of all rows and columns taken off: what a transition may add, mu uniform."""
    G, mean = zero_matrix(N, N), zeros(N)
    for j in range(N):
        normals(random, G[j])
        add(mean, 1.0 / float(N), G[j])
    for j in range(N):
        add(G[j], -1.0, mean)
        own = total(G[j]) / float(N)
        for i in range(N):
            G[j][i] -= own
    return G
