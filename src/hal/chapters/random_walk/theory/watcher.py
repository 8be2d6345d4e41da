"""A perfect watcher of walks on a circle: it knows that the last node decides, and counts moves to learn the direction.

Chapter `random_walk`. Source: our own. One of the two directions has the same probability above one half in every walk
of a task, and both are equally likely at first: Bayes' rule then asks only which direction has had more moves so far.
"""

from dataclasses import dataclass

from hal.figure.guesses import Sample
from lib.portable.primitives import remainder

__all__ = ["Watcher", "counted", "guessed", "watcher"]


@dataclass
class Watcher:
    """What it knows: nodes of the circle, and clockwise moves less the others in the walks that are over."""

    K: int
    lead: int


def watcher(K: int) -> Watcher:
    """One that has seen nothing of a circle of K nodes."""
    return Watcher(K, 0)


def lead_of(state: Watcher, sample: Sample) -> int:
    """Clockwise moves of a walk less the others, its last one aside."""
    lead = 0
    for t in range(1, len(sample.cells)):
        lead += 1 if remainder(sample.cells[t] - sample.cells[t - 1] + state.K, state.K) == 1 else -1
    return lead


def guessed(state: Watcher, sample: Sample) -> int:
    """The neighbour of the last node in the direction that has had more moves; clockwise where both have as many."""
    last, forward = sample.cells[len(sample.cells) - 1], state.lead + lead_of(state, sample) >= 0
    return remainder(last + (1 if forward else state.K - 1), state.K)


def counted(state: Watcher, sample: Sample) -> None:
    """Count the moves of a walk, that to its label among them."""
    last = sample.cells[len(sample.cells) - 1]
    state.lead += lead_of(state, sample)
    state.lead += 1 if remainder(sample.label - last + state.K, state.K) == 1 else -1
