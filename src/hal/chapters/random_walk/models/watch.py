"""What is seen of a run of the textbook: its answers on one new walk, and on many; portable.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 5.
"""

from hal.chapters.random_walk.models.measures import right_turns
from lib.models.random_walk.textbook import State, draw_walk, turns_of
from lib.portable.primitives import Matrix, Vector, Wholes, first, remainder, whole_zeros, zero_matrix, zeros
from lib.portable.random_numbers import generator
from lib.portable.vectors import argmax, fill, largest, smallest
from lib.theory.random_walk.portable import arrivals

NEW = 500  # walks that nobody trained on; all walks without chance are turns of one


def new_walk(state: State) -> Wholes:
    """(N,) nodes of a walk that nobody trained on, the target last."""
    walk = whole_zeros(state.settings.N)
    draw_walk(walk, state.settings.K, state.settings.p, generator(state.seed, 2))
    return walk


def turned_output(state: State, turns: Wholes) -> Vector:
    """(K,) the output on a walk, of turns (N - 1,), at the node k steps clockwise of its target; attention is known."""
    K, mass, output = state.settings.K, state.mass, zeros(state.settings.K)
    fill(mass, 0.0)
    for j in range(len(turns)):
        mass[turns[j]] += state.S[j]
    for d in range(K):
        if mass[d] > 0.0:
            for k in range(K):
                output[k] += mass[d] * state.nu[d + k if d + k < K else d + k - K]
    return output


def visits_of(walk: Wholes, K: int) -> Vector:
    """(K,) how often a walk visits each node before its target."""
    visits = zeros(K)
    for j in range(len(walk) - 1):
        visits[walk[j]] += 1.0
    return visits


def extra_votes(state: State) -> Vector:
    """(K,) the votes of a token by turn above its least one, beside the most of them; zeros where all are equal."""
    least, most, votes = smallest(state.nu), largest(state.nu), zeros(len(state.nu))
    if most - least > 1e-9 * abs(most):
        for k in range(len(votes)):
            votes[k] = (state.nu[k] - least) / (most - least)
    return votes


def spread_out(state: State) -> Matrix:
    """V (K, K) from its values by turn."""
    K = state.settings.K
    V = zero_matrix(K, K)
    for i in range(K):
        for k in range(K):
            V[i][k] = state.nu[remainder(i + K - k, K)]
    return V


def decides(state: State, place: int) -> bool:
    """Whether the token at this place has the last word on every walk: its vote leads by more than all others hold."""
    leader = argmax(state.nu)
    top, second, least = state.nu[leader], state.nu[0 if leader > 0 else 1], state.nu[0]
    for k in range(len(state.nu)):
        least = min(least, state.nu[k])
        if k != leader:
            second = max(second, state.nu[k])
    return state.S[place] * (top - second) > (1.0 - state.S[place]) * (top - least)


def right_on_new(state: State) -> float:
    """The share of right answers on new walks: the accuracy of the one place that decides, or that of NEW walks."""
    settings, last = state.settings, state.settings.N - 1
    place = argmax(first(state.S, last))
    if decides(state, place):
        chances = arrivals(settings.K, settings.p, last - place)
        return chances[argmax(state.nu)]
    many, right = NEW if settings.p > 0.0 and settings.p < 1.0 else 1, 0.0
    random, walk = generator(state.seed, 3), whole_zeros(settings.N)
    for _ in range(many):
        draw_walk(walk, settings.K, settings.p, random)
        right += right_turns(turned_output(state, turns_of(walk, settings.K)))
    return right / float(many)
