r"""The first two steps from zero, and the learning rate beyond which the value leaves its direction.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 2 (model); the results are ours. The squared length of a
position is $\rho = (D + 1)/2$.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import wholes
from lib.theory._arrays import Array, floats, positive

__all__ = ["first_gap", "first_strength", "largest_rate"]


def first_strength(lr: ArrayLike, sigma_x: ArrayLike = 1.0) -> Array:
    r"""Strength of the value after one step, $\alpha(1) = \eta\sigma_x/\sqrt{2\pi} = \eta\sigma_x E|g|/2$, for any D.

    Args:
        lr: learning rate, above 0.
        sigma_x: standard deviation of a variable, above 0.

    Raises:
        InputError: if an argument is out of range.

    Example:
        >>> round(float(first_strength(0.02)), 6)
        0.007979
    """
    return positive(lr, "lr") * positive(sigma_x, "sigma_x") / np.sqrt(2 * np.pi)


def first_gap(lr: ArrayLike, D: ArrayLike, sigma_x: ArrayLike = 1.0) -> Array:
    r"""Logit gap after two small steps, $b(2) = \eta^2\rho^2\sigma_x^2/(2\pi D)$ nats, to leading order in $\eta$.

    Args:
        lr: learning rate, above 0.
        D: groups, whole numbers of at least 2.
        sigma_x: standard deviation of a variable, above 0.

    Raises:
        InputError: if an argument is out of range.
    """
    groups = floats(wholes("D", D, 2))
    rho = (groups + 1) / 2
    return (positive(lr, "lr") * rho * positive(sigma_x, "sigma_x")) ** 2 / (2 * np.pi * groups)


def largest_rate(D: ArrayLike) -> Array:
    r"""Learning rate up to which the positions' part of the value is stable under even attention, 16/(D (D + 1)).

    With even attention $HS1 = [\sum_j x_j; \sum_j p_j]$: along $\sum_j p_j$, of squared length $D\rho$, the logistic
    loss has curvature $D\rho/4$, and steps grow from $\eta = 8/(D\rho)$ on.

    Args:
        D: groups, whole numbers of at least 1.

    Raises:
        InputError: unless they are.

    Example:
        >>> [round(float(rate), 2) for rate in largest_rate([4, 6])]
        [0.8, 0.38]
    """
    groups = floats(wholes("D", D, 1))
    return 16 / (groups * (groups + 1))
