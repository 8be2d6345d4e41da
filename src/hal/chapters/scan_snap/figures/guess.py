"""Figure `scan_snap-guess`: a sequence that the reader can poke, to find the token that tells what comes next.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 3.2 (distinct and common tokens of the next one). Sequences of
one task share these tokens, so that the reader learns, as attention must, which of them to look at.
"""

from hal.explorer import Poke
from lib.portable.primitives import Readings, Wholes, whole_zeros, zeros
from lib.portable.random_numbers import below, generator, uniform

T = 16  # contextual tokens of a sequence
KINDS = 6  # of contextual tokens: two common ones, two distinct ones of each class
COMMON = 0.8  # chance that a token is a common one
LETTERS = "XYabcdef."  # what comes next, one kind a class; contextual tokens; the query token


def roles(task: int) -> Wholes:
    """The kinds of a task's tokens (6,): two common ones, two distinct of class X, two of class Y."""
    random = generator(task, 0)
    order = whole_zeros(KINDS)
    for i in range(KINDS):
        order[i] = 2 + i
    for i in range(KINDS - 1, 0, -1):
        j = below(random, i + 1)
        kept = order[i]
        order[i] = order[j]
        order[j] = kept
    return order


def sample(task: int, number: int) -> Readings:
    """One sequence, with a distinct token at least: its tokens, where the distinct ones stand, and what comes next.

    Args:
        task: which task; it says which tokens are common and which are distinct.
        number: which sequence of it.
    """
    order = roles(task)
    random = generator(number, 1)
    side = below(random, 2)
    sure = below(random, T)
    cells, right, law = zeros(T), zeros(T), zeros(2)
    found = 0.0
    for t in range(T):
        place = below(random, 2)
        if uniform(random) >= COMMON or t == sure:
            place += 2 + 2 * side
            right[t] = 1.0
            found += 1.0
        cells[t] = float(order[place])
    for t in range(T):
        right[t] = right[t] / found
    law[side] = 1.0
    return {"cells": cells, "query": [float(2 + KINDS)], "right": right, "law": law}


def figure() -> Poke:
    """The figure `scan_snap-guess`, as the chapter shows it."""
    return Poke(
        sample,
        name="scan_snap-guess",
        title="Guess which token tells what comes next",
        letters=LETTERS,
        question="The sequence ends with a full stop, and X or Y comes next. Which token tells?",
        reveal="{next} comes next. The token {found} at position {place} tells: it stands only before {next}. "
        "What stands before both X and Y tells nothing.",
        asks="last token",
        follows="next token",
    )
