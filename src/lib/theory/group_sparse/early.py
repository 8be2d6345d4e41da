r"""The first two steps from zero, and the learning rate beyond which the value leaves its direction.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 2 (model); the results are ours. The squared length of a
position is $\rho = (D + 1)/2$.
"""

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import wholes
from lib.portable import lift
from lib.theory._arrays import Array, floats, positive
from lib.theory.group_sparse import portable

__all__ = ["first_gap", "first_strength", "largest_rate"]

largest_rate = lift(portable.largest_rate)


def first_strength(lr: ArrayLike, sigma_x: ArrayLike = 1.0) -> Array:
    r"""Strength of the value after one step, $\alpha(1) = \eta\sigma_x/\sqrt{2\pi} = \eta\sigma_x E|g|/2$, for any D.

    Args:
        lr: learning rate, above 0.
        sigma_x: standard deviation of a variable, above 0.

    Raises:
        InputError: if an argument is out of range.

    Source: beyond the paper.

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

    Source: beyond the paper.
    """
    groups = floats(wholes("D", D, 2))
    rho = (groups + 1) / 2
    return (positive(lr, "lr") * rho * positive(sigma_x, "sigma_x")) ** 2 / (2 * np.pi * groups)
