"""A perfect watcher of sequences with two next tokens: Bayes' rule over every way to deal the roles out.

Chapter `scan_snap`. Source: our own. The task is that of arXiv 2305.16380, Section 3.2, with two classes: each of six
kinds of token has a place, and each place its probability in either class. Places with the same two probabilities have
one role; a role with two equal ones is common. At least one token of a sequence, at a position drawn uniformly, is not
common. All ways to deal out the roles are equally likely at first.
"""

from dataclasses import dataclass

from hal.figure.guesses import Sample
from lib.portable.primitives import Matrix, Table, Vector, Wholes, copy, whole_table, whole_zeros, zeros
from lib.portable.vectors import scale, total


@dataclass
class Watcher:
    """What it knows."""

    roles: Table  # (ways, kinds) role of every kind, the first place that has its probabilities
    belief: Vector  # (ways,) probability of each way
    law: Matrix  # (2, kinds) probability of a place in each class


def watcher(first: Vector, second: Vector) -> Watcher:
    """One that has seen nothing: probability, below 1, of the kind at each place in a sequence of either class."""
    roles = all_roles([copy(first), copy(second)])
    belief = zeros(len(roles))
    for way in range(len(roles)):
        belief[way] = 1.0 / float(len(roles))
    return Watcher(roles, belief, [copy(first), copy(second)])


def all_roles(law: Matrix) -> Table:
    """(ways, kinds) every way to give the roles of the places to as many kinds."""
    n, ways = len(law[0]), 1
    many, dealt = whole_zeros(n), whole_zeros(n)
    for i in range(n):
        role = i
        for j in range(i - 1, -1, -1):
            if law[0][j] == law[0][i] and law[1][j] == law[1][i]:
                role = j
        many[role] += 1
        ways = ways * (i + 1) // many[role]
    place = 0
    for i in range(n):
        for _ in range(many[i]):
            dealt[place] = i
            place += 1
    roles = whole_table(ways, n)
    for way in range(ways):
        for i in range(n):
            roles[way][i] = dealt[i]
        deal_on(dealt)
    return roles


def deal_on(dealt: Wholes) -> None:
    """The next order of these numbers in the dictionary; the last one stays."""
    i = len(dealt) - 2
    while i >= 0 and dealt[i] >= dealt[i + 1]:
        i -= 1
    if i < 0:
        return
    low, high = i + 1, len(dealt) - 1
    j = high
    while dealt[j] <= dealt[i]:
        j -= 1
    kept = dealt[i]
    dealt[i] = dealt[j]
    dealt[j] = kept
    while low < high:
        kept = dealt[low]
        dealt[low] = dealt[high]
        dealt[high] = kept
        low += 1
        high -= 1


def likelihood(state: Watcher, way: int, label: int, cells: Wholes) -> float:
    """How likely these roles make this sequence of a class, up to a factor that all roles and classes share.

    Of the n tokens that are not common any may be the one that must be there: n times all probabilities is left.
    """
    telling, product = 0.0, 1.0
    for t in range(len(cells)):
        role = state.roles[way][cells[t]]
        telling += 1.0 if state.law[0][role] != state.law[1][role] else 0.0
        product = product * state.law[label][role]
    return telling * product


def answer(state: Watcher, sample: Sample) -> int:
    """The likelier class, 0 or 1, of a sequence whose cells are seen; 0 of two equal ones."""
    said = zeros(2)
    for way in range(len(state.roles)):
        for label in range(2):
            said[label] += state.belief[way] * likelihood(state, way, label, sample.cells)
    return 1 if said[1] > said[0] else 0


def learn(state: Watcher, sample: Sample) -> None:
    """Bayes' rule on a sequence and its label."""
    for way in range(len(state.roles)):
        state.belief[way] = state.belief[way] * likelihood(state, way, sample.label, sample.cells)
    scale(state.belief, 1.0 / total(state.belief))
