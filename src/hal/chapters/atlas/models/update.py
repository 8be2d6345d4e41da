"""The optimiser of all six tasks: one function, which moves the parameters of a layer by one step.

Chapter `atlas`. Source: our own; the rules are those of `lib.optim`. This is the file to change: whatever `update`
does, six models train with it.
"""

from dataclasses import dataclass

from lib.portable.primitives import Vector, sqrt

GRADIENT = 0
MOMENTUM = 1
ADAM = 2
SIGN = 3
DECAY = 0.9  # of momentum, and of Adam's mean
KEPT = 0.999  # of Adam's square


@dataclass
class Memory:
    """What is known of a layer besides its parameters and gradient; an optimiser may write into all of it."""

    rule: int  # GRADIENT, MOMENTUM, ADAM or SIGN
    rate: float  # learning rate
    mean: Vector  # a number for each parameter: the mean of its gradients, the last ones count most
    square: Vector  # the same of their squares
    left_1: float  # DECAY to the number of steps
    left_2: float  # KEPT to it


def update(parameters: Vector, gradient: Vector, state: Memory) -> None:
    """One step of all parameters of a layer, in place."""
    state.left_1 *= DECAY
    state.left_2 *= KEPT
    for i in range(len(parameters)):
        g = gradient[i]
        state.mean[i] = DECAY * state.mean[i] + (1.0 - DECAY) * g
        state.square[i] = KEPT * state.square[i] + (1.0 - KEPT) * (g * g)
        direction = g
        if state.rule == MOMENTUM:
            direction = state.mean[i]
        elif state.rule == ADAM:
            root = sqrt(state.square[i] / (1.0 - state.left_2)) + 1e-8
            direction = state.mean[i] / ((1.0 - state.left_1) * root)
        elif state.rule == SIGN:
            direction = 1.0 if g > 0.0 else -1.0 if g < 0.0 else 0.0
        parameters[i] -= state.rate * direction


def knows_sizes(rule: int) -> bool:
    """Whether a larger gradient makes a larger step; Adam and sign descent have learning rates of their own."""
    return rule != ADAM and rule != SIGN
