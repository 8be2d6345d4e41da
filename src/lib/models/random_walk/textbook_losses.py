"""The losses of a textbook run: log, square, logistic, hinge, by number, and their slopes.

Chapter `random_walk`. They are those of `lib.models.random_walk.losses`, in the order of its `LOSSES`.
"""

from lib.portable.numbers import exp, log

LOG = 0
SQUARE = 1
LOGISTIC = 2
HINGE = 3


def loss_value(kind: int, f: float, epsilon: float) -> float:
    """The loss of the output f at the right node, in nats or squared units; no number where f + epsilon < 0."""
    if kind == SQUARE:
        return 0.5 * (1.0 - f) * (1.0 - f)
    if kind == LOGISTIC:
        return log(1.0 + exp(-f)) if f > 0.0 else log(1.0 + exp(f)) - f
    if kind == HINGE:
        return max(0.0, 1.0 - f)
    return -log(f + epsilon)


def loss_slope(kind: int, f: float, epsilon: float) -> float:
    """Its derivative."""
    if kind == SQUARE:
        return f - 1.0
    if kind == LOGISTIC:
        return -1.0 / (1.0 + exp(f))
    if kind == HINGE:
        return -1.0 if f < 1.0 else 0.0
    return -1.0 / (f + epsilon)
