"""A perfect watcher of sequences with two next tokens: Bayes' rule over every way to deal the roles out.

Chapter `scan_snap`. Source: our own. The task is that of arXiv 2305.16380, Section 3.2, with two classes: six kinds of
token, two of them common, two distinct ones for each class; a contextual token is common with probability c, and at
least one of a sequence, at a position drawn uniformly, is distinct. All 90 ways to deal out the roles are equally
likely at first.
"""

from dataclasses import dataclass

from lib.errors import require
from lib.portable.guesses import Sample
from lib.portable.primitives import Table, Vector, Wholes, whole_table, whole_zeros, zeros
from lib.portable.vectors import scale, total

KINDS = 6  # of token, two of each role
WAYS = 90  # to deal out the roles: 6! / (2! 2! 2!)
COMMON = 2  # role of a common token; 0 and 1 are the roles of distinct ones, the class that has them


@dataclass
class Watcher:
    """What it knows."""

    roles: Table  # (WAYS, KINDS) role of every kind
    belief: Vector  # (WAYS,) probability of each
    odds: float  # of a distinct token against a common one, (1 - c) / c


def watcher(c: float) -> Watcher:
    """One that has seen nothing.

    Args:
        c: probability that a token is common, above 0 and below 1.

    Raises:
        InputError: if c is out of range. Source: our own.
    """
    require(c > 0.0 and c < 1.0, "c", "a probability above 0 and below 1", c)
    belief = zeros(WAYS)
    for way in range(WAYS):
        belief[way] = 1.0 / float(WAYS)
    return Watcher(all_roles(), belief, (1.0 - c) / c)


def all_roles() -> Table:
    """(WAYS, KINDS) every way to give each of three roles to two of six kinds. Source: our own."""
    roles, dealt, ways = whole_table(WAYS, KINDS), whole_zeros(KINDS), 0
    for code in range(729):  # 3 ** 6, the roles as digits
        held = whole_zeros(3)
        rest = code
        for kind in range(KINDS):
            dealt[kind] = rest - rest // 3 * 3
            rest = rest // 3
            held[dealt[kind]] += 1
        if held[0] == 2 and held[1] == 2:
            for kind in range(KINDS):
                roles[ways][kind] = dealt[kind]
            ways += 1
    return roles


def likelihood(state: Watcher, way: int, label: int, cells: Wholes) -> float:
    """How likely these roles make this sequence of a class, up to a factor that all roles and classes share.

    Of the n distinct tokens any may be the one that must be there, so n times odds^n is left. Source: our own.
    """
    distinct, product = 0.0, 1.0
    for t in range(len(cells)):
        role = state.roles[way][cells[t]]
        if role == label:
            distinct += 1.0
            product = product * state.odds
        elif role != COMMON:
            return 0.0
    return distinct * product


def answer(state: Watcher, sample: Sample) -> int:
    """The likelier class, 0 or 1, of a sequence whose cells are seen; 0 of two equal ones. Source: our own."""
    said = zeros(2)
    for way in range(WAYS):
        for label in range(2):
            said[label] += state.belief[way] * likelihood(state, way, label, sample.cells)
    return 1 if said[1] > said[0] else 0


def learn(state: Watcher, sample: Sample) -> None:
    """Bayes' rule on a sequence and its label. Source: our own."""
    for way in range(WAYS):
        state.belief[way] = state.belief[way] * likelihood(state, way, sample.label, sample.cells)
    scale(state.belief, 1.0 / total(state.belief))
