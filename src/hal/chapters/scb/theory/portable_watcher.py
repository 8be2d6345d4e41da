"""A perfect watcher of labels: Bayes' rule over every rule that a task can have.

Chapter `scb`. Source: our own. The task is that of arXiv 2410.23438, Section 2.1, with one position for each last token
(Q = 1), uniform tokens, and a transition that follows, with chance c, one of the N! orders of the tokens; else the next
token is any. All orders, and all positions of each last token, are equally likely at first. Refused (`InputError`) are
fewer than 2 or more than 5 tokens, contexts without a position, and a c that is not above 0 and below 1.
"""

from dataclasses import dataclass

from hal.figure.guesses import Sample
from lib.errors import require
from lib.portable.numbers import exp, log
from lib.portable.primitives import Matrix, Table, Vector, Wholes, whole_table, whole_zeros, zero_matrix, zeros
from lib.portable.vectors import largest, scale, total

MOST = 5  # tokens: 120 orders


@dataclass
class Watcher:
    """What it knows: how likely every rule makes what it has seen."""

    orders: Table  # (N!, N) what follows each token
    heard: Matrix  # (N! N, T) log likelihood of order o and position t of last token k, row o N + k
    follows: float  # chance of the token that follows, c + (1 - c) / N
    other: float  # chance of any other, (1 - c) / N


def watcher(N: int, T: int, c: float) -> Watcher:
    """One that has seen nothing."""
    require(N >= 2 and N <= MOST, "N", "from 2 to 5 tokens", N)
    require(T >= 1, "T", "at least 1 position", T)
    require(c > 0.0 and c < 1.0, "c", "a strength above 0 and below 1", c)
    orders = all_orders(N)
    other = (1.0 - c) / float(N)
    return Watcher(orders, zero_matrix(len(orders) * N, T), c + other, other)


def all_orders(N: int) -> Table:
    """(N!, N) the orders of N things, the first of them 0, 1, 2 and so on, as in a dictionary."""
    count = 1
    for n in range(2, N + 1):
        count = count * n
    orders = whole_table(count, N)
    now = whole_zeros(N)
    for n in range(N):
        now[n] = n
    for o in range(count):
        for n in range(N):
            orders[o][n] = now[n]
        if o + 1 < count:
            _step(now)
    return orders


def _step(now: Wholes) -> None:
    """The next order in the dictionary."""
    N = len(now)
    low = N - 2
    while now[low] > now[low + 1]:
        low -= 1
    high = N - 1
    while now[high] < now[low]:
        high -= 1
    kept = now[low]
    now[low] = now[high]
    now[high] = kept
    first, last = low + 1, N - 1
    while first < last:
        kept = now[first]
        now[first] = now[last]
        now[last] = kept
        first += 1
        last -= 1


def believed(state: Watcher) -> Vector:
    """(N!,) the chance of each order, the positions added up: Bayes' rule."""
    N = len(state.orders[0])
    chance = zeros(len(state.orders))
    for o in range(len(chance)):
        for k in range(N):
            row = state.heard[o * N + k]
            most, mass = largest(row), 0.0
            for t in range(len(row)):
                mass += exp(row[t] - most)
            chance[o] += most + log(mass)
    most = largest(chance)
    for o in range(len(chance)):
        chance[o] = exp(chance[o] - most)
    scale(chance, 1.0 / total(chance))
    return chance


def predicted(state: Watcher, sample: Sample) -> Vector:
    """(N,) the chance of each label of a sample whose cells and query are seen."""
    N, k = len(state.orders[0]), sample.query
    said, orders = zeros(N), believed(state)
    place = zeros(len(sample.cells))
    for o in range(len(orders)):
        row = state.heard[o * N + k]
        most = largest(row)
        for t in range(len(row)):
            place[t] = exp(row[t] - most)
        whole = total(place)
        for t in range(len(row)):
            after = state.orders[o][sample.cells[t]]
            said[after] += orders[o] * place[t] / whole
    rest = state.other
    for i in range(N):
        said[i] = rest + (state.follows - rest) * said[i]
    return said


def answer(state: Watcher, sample: Sample) -> int:
    """The likeliest label, the first of several."""
    said, best = predicted(state, sample), 0
    for i in range(len(said)):
        if said[i] > said[best]:
            best = i
    return best


def learn(state: Watcher, sample: Sample) -> None:
    """Bayes' rule: every rule is as likely as it makes this label."""
    N = len(state.orders[0])
    yes, no = log(state.follows), log(state.other)
    for o in range(len(state.orders)):
        row = state.heard[o * N + sample.query]
        for t in range(len(row)):
            row[t] += yes if state.orders[o][sample.cells[t]] == sample.label else no
