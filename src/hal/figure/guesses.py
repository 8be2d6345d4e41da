"""A round of a guessing game, as every player of it gets it.

A player is three portable functions: `start(task)`, which returns its state, `answer(state, sample)`, the number of the
answer it gives, and `learn(state, sample)`, which changes the state. An answer comes before the label is seen; it reads
the cells and what asks, and nothing else.
"""

from dataclasses import dataclass

from lib.portable.primitives import Vector, Wholes


@dataclass
class Sample:
    """One round: what is shown, what comes next, and what decided it."""

    cells: Wholes  # (T,) the kind of every cell
    query: int  # the kind that asks; -1 where nothing does
    label: int  # the number of the right answer
    right: Vector  # (T,) the weight of every cell in the answer, 0 where it has none
