"""A walk to poke for the tests: which place of it decides the next step?

A walk on a circle of six letters; one task has one drift.
"""

from hal.figure import Poke
from lib.portable.primitives import Readings, remainder, zeros
from lib.portable.random_numbers import below, generator, uniform

K = 6
T = 14  # places before the target
LETTERS = "ABCDEF?"  # nodes clockwise; the empty token


def drift(task: int) -> float:
    """The chance of a clockwise step in a task: 0.6 to 0.9."""
    return 0.6 + 0.1 * float(below(generator(task, 0), 4))


def sample(task: int, number: int) -> Readings:
    """One walk: its nodes, the place that decides the next one, and the odds of the next one.

    Args:
        task: which drift.
        number: which walk.
    """
    random, p = generator(number, 1), drift(task)
    cells, right, law = zeros(T), zeros(T), zeros(K)
    node = below(random, K)
    for t in range(T):
        cells[t] = float(node)
        step = 1 if uniform(random) < p else K - 1
        if t < T - 1:
            node = remainder(node + step, K)
    right[T - 1] = 1.0
    after, before = remainder(node + 1, K), remainder(node + K - 1, K)
    law[after] = p
    law[before] = 1.0 - p
    return {"cells": cells, "query": [float(K)], "right": right, "law": law}


def figure() -> Poke:
    """The figure `toy-walk`."""
    return Poke(
        sample,
        name="toy-walk",
        title="Where does it go next, and which place says so?",
        letters=LETTERS,
        question="Somebody walks round a circle of six letters, A next to B, F next to A, and makes one more step. "
        "Which place of the walk should one look at to guess where to?",
        reveal="The last place, {found}, and no other: the next letter is {next} in {chance}% of cases. How the walk "
        "came there says nothing more.",
        asks="next letter",
        follows="next letter",
    )
