r"""The losses of the output f at the right node, with their slopes.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 2 (the log-loss), Theorem on deterministic walks (any loss).
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from lib.errors import require

__all__ = ["LOSSES", "loss_of"]

Array = NDArray[np.float64]
Pair = tuple[Callable[[Array], Array], Callable[[Array], Array]]

#: Their names: -log(f + epsilon), (1 - f)^2/2, log(1 + e^-f), max(0, 1 - f).
LOSSES = ("log", "square", "logistic", "hinge")


def loss_of(name: str, epsilon: float = 0.1) -> Pair:
    r"""The loss and its slope, two functions of arrays f (...).

    The log-loss is not a number where $f + \epsilon$ is negative: a run that gets there is marked as diverged.

    Args:
        name: one of `LOSSES`.
        epsilon: offset of the log-loss, above 0; the others do without it.

    Raises:
        InputError: if the name is unknown or epsilon is not above 0.

    Example:
        >>> value, slope = loss_of("hinge")
        >>> value(np.array([0.25])), slope(np.array([0.25]))
        (array([0.75]), array([-1.]))
    """
    require(name in LOSSES, "loss", f"one of {', '.join(LOSSES)}", repr(name))
    require(np.isfinite(epsilon) and epsilon > 0, "epsilon", "a finite number above 0", epsilon)
    if name == "square":
        return lambda f: (1 - f) ** 2 / 2, lambda f: f - 1
    if name == "logistic":
        return lambda f: np.logaddexp(0, -f), lambda f: -expit(-f)
    if name == "hinge":
        return lambda f: np.maximum(0, 1 - f), lambda f: np.where(f < 1, -1.0, 0.0)
    return lambda f: -np.log(f + epsilon), lambda f: -1 / (f + epsilon)
