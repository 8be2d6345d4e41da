"""Optimisers of portable code: each moves one array of parameters, in place, by one step.

They are the rules of `lib.optim`, one array at a time, and are held to them.
"""

from dataclasses import dataclass

from lib.portable.primitives import Vector, sqrt, zeros
from lib.portable.vectors import add, total


def sgd(x: Vector, gradient: Vector, rate: float) -> None:
    """Gradient descent, x - rate g; stochastic if the gradient is. See `lib.optim.sgd`."""
    add(x, -rate, gradient)


def momentum(x: Vector, trace: Vector, gradient: Vector, rate: float, decay: float) -> None:
    """Heavy ball: trace = decay trace + g, x - rate trace; the trace begins with zeros. See `lib.optim.momentum`."""
    for i in range(len(x)):
        trace[i] = decay * trace[i] + gradient[i]
        x[i] -= rate * trace[i]


@dataclass
class AdamMemory:
    """What Adam remembers of one array."""

    mean: Vector  # running mean of the gradient
    square: Vector  # running mean of its square
    left_1: float  # b1 to the number of steps
    left_2: float  # b2 to the number of steps


def adam_memory(count: int) -> AdamMemory:
    """The memory of an array of `count` parameters before the first step."""
    return AdamMemory(zeros(count), zeros(count), 1.0, 1.0)


def adam(x: Vector, memory: AdamMemory, gradient: Vector, rate: float, b1: float, b2: float, eps: float) -> None:
    """Adam (Kingma, Ba 2015, Algorithm 1) with what it remembers, of `adam_memory`; see `lib.optim.adam`.

    As a rule `b1`, the decay of the mean, is 0.9, `b2`, that of the square, 0.999, and `eps`, beside the root, 1e-8.
    """
    memory.left_1 *= b1
    memory.left_2 *= b2
    mean = memory.mean
    square = memory.square
    for i in range(len(x)):
        g = gradient[i]
        mean[i] = b1 * mean[i] + (1.0 - b1) * g
        square[i] = b2 * square[i] + (1.0 - b2) * (g * g)
        root = sqrt(square[i] / (1.0 - memory.left_2)) + eps
        if root != 0.0:
            x[i] -= rate * (mean[i] / ((1.0 - memory.left_1) * root))


def soft_threshold(x: Vector, level: float) -> None:
    """Move every entry towards 0 by the level, and no further than 0. See `lib.optim.prox_l1`."""
    for i in range(len(x)):
        x[i] -= min(max(x[i], -level), level)


def keep_sum(direction: Vector) -> None:
    """Take the mean from a direction: a step along it leaves the sum as it is. See `lib.optim.project_affine`."""
    mean = total(direction) / float(len(direction))
    for i in range(len(direction)):
        direction[i] -= mean


def restore_sum(x: Vector, wanted: float) -> None:
    """Share out equally what the sum lacks. See `lib.optim.restore_affine`."""
    share = (wanted - total(x)) / float(len(x))
    for i in range(len(x)):
        x[i] += share
