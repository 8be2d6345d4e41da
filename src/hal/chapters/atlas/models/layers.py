"""The two layers of a run, read-out and attention: how they move, and how long a run is followed.

Chapter `atlas`. Source: our own. Tasks keep their parameters in arrays of their own; an optimiser sees one
array a layer.
"""

from dataclasses import dataclass
from typing import NamedTuple

from hal.chapters.atlas.models.update import Memory, knows_sizes, update
from lib.portable.primitives import Matrix, Vector, zeros


class Rates(NamedTuple):
    """How both layers learn."""

    rule: int  # the optimiser, see `update`
    readout: float  # times the task's own learning rate
    attention: float


@dataclass
class Now:
    """What every run tells of itself, whatever its task."""

    seen: float  # attention on the right place before the last step
    clock: float  # what attention has heard so far: the read-out times what the loss still asks for, summed over steps
    lost: bool  # whether a number of the run is no number any more


@dataclass
class Layer:
    """The parameters of a layer in one array, their gradient, and what the optimiser remembers."""

    x: Vector
    g: Vector
    state: Memory


def layer(rates: Rates, factor: float, count: int, rate: float, signed: float, scale: float) -> Layer:
    """A layer of so many parameters before its first step.

    Args:
        rates: gives the optimiser.
        factor: times the learning rate.
        count: parameters.
        rate: learning rate of an optimiser that knows sizes.
        signed: of Adam and of sign descent.
        scale: times the first of these, where the parameters are no entries of a weight matrix but stand for some.
    """
    own = rate * scale if knows_sizes(rates.rule) else signed
    state = Memory(rates.rule, factor * own, zeros(count), zeros(count), 1.0, 1.0)
    return Layer(zeros(count), zeros(count), state)


def learn(one: Layer, rows: Matrix, slopes: Matrix) -> None:
    """One step of a layer whose parameters stand in these rows, and its gradient in those."""
    at = 0
    for i in range(len(rows)):
        row, slope = rows[i], slopes[i]
        for j in range(len(row)):
            one.x[at] = row[j]
            one.g[at] = slope[j]
            at += 1
    update(one.x, one.g, one.state)
    at = 0
    for i in range(len(rows)):
        row = rows[i]
        for j in range(len(row)):
            row[j] = one.x[at]
            at += 1
