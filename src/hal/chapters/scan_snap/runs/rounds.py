"""The rounds of the game `scan_snap-guess` on its three levels: how often a kind of token occurs; portable Python.

Chapter `scan_snap`. Source: our own, after arXiv 2305.16380, Section 3.2. A task's level is the rest of its number
divided by three. Six kinds of token stand at six places: 0 and 1 are common; 2 and 3 lean to the first class, 4 and 5
to the second. On the first two levels these four are distinct. On the third 3 and 5 are partly common: three times as
frequent in one class as in the other.
"""

from lib.portable.primitives import Vector, Wholes, remainder, whole_zeros, zeros
from lib.portable.random_numbers import below, generator

LEVELS = 3  # rare distinct tokens; as frequent ones; rare ones and hints
KINDS = 6  # of contextual tokens
COMMON = [0.8, 0.5, 0.8]  # probability that a token is a common one, by level
CERTAIN = 0.02  # probability of the distinct token of a class on the third level
RATIO = 3.0  # how much more frequent a hint is in its own class


def level_of(task: int) -> int:
    """The level of a task, from 0."""
    return remainder(task, LEVELS)


def law(level: int, side: int) -> Vector:
    """(6,) probability of the kind at each place in a sequence of class 0 or 1."""
    chances, common, own = zeros(KINDS), COMMON[level], 2 + 2 * side
    for i in range(2):
        chances[i] = 0.5 * common
        chances[own + i] = 0.5 * (1.0 - common)
    if level == 2:
        hints = 1.0 - common - CERTAIN
        chances[own] = CERTAIN
        chances[own + 1] = hints * RATIO / (1.0 + RATIO)
        chances[5 - 2 * side] = hints / (1.0 + RATIO)
    return chances


def roles(task: int) -> Wholes:
    """(6,) the kind at each place, dealt out anew in every task."""
    random, order = generator(task, 0), whole_zeros(KINDS)
    for i in range(KINDS):
        order[i] = i
    for i in range(KINDS - 1, 0, -1):
        j = below(random, i + 1)
        kept = order[i]
        order[i] = order[j]
        order[j] = kept
    return order


def evidence(level: int, places: Wholes) -> Vector:
    """The weight of every cell in the answer (T,), of sum 1: 0 of common ones, and most of those that decide.

    These are the distinct ones, and where there is none the hints that are in the majority.
    """
    right, first, certain, count, whole = zeros(len(places)), 0, 0, 0, 0.0
    for t in range(len(places)):
        certain += 1 if places[t] == 2 or places[t] == 4 or (level < 2 and places[t] > 1) else 0
        first += 1 if places[t] == 3 else 0
        count += 1 if places[t] == 3 or places[t] == 5 else 0
    for t in range(len(places)):
        sure = places[t] == 2 or places[t] == 4 or level < 2
        more = (places[t] == 3 and 2 * first >= count) or (places[t] == 5 and 2 * first < count)
        if places[t] > 1:
            right[t] = 2.0 if sure or (certain == 0 and more) else 1.0
            whole += right[t]
    for t in range(len(places)):
        right[t] = right[t] / whole
    return right
