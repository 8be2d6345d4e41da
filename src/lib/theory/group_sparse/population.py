r"""The population of two scalars: its first two steps, its late times, the limit of the learning rate.

Chapter `group_sparse`. Source: ours, from the model of arXiv 2504.08638, Section 2, which states a time and a loss up
to constants; the late laws are the leading terms, with constants, at standard deviation 1 and in time $\eta t$. The
squared length of a position is $\rho = (D + 1)/2$.

With nearly all attention on the deciding group the margin is $D\alpha|g|$. Only examples with
$|g| \lesssim 1/(D\alpha)$ still have a loss, so $L = C/(D\alpha)$ with
$C = \sqrt{2/\pi}\int_0^\infty \log(1 + e^{-u})du = \sqrt{2/\pi}\,\pi^2/12$.
"""

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import wholes
from lib.portable import lift
from lib.theory._arrays import Array, floats, positive
from lib.theory.group_sparse import portable

__all__ = [
    "MARGIN_CONSTANT", "first_gap", "first_strength", "largest_rate", "late_leak", "late_loss", "late_strength",
    "loss_of_strength",
]  # fmt: skip

#: C, in nats: loss times D alpha when all attention is on the deciding group.
MARGIN_CONSTANT = portable.MARGIN_CONSTANT

largest_rate = lift(portable.largest_rate)
late_loss = lift(portable.late_loss, positive=("time",))
late_leak = lift(portable.late_leak, positive=("time",))


def first_strength(lr: ArrayLike, sigma_x: ArrayLike = 1.0) -> Array:
    r"""Strength of the value after one step, $\alpha(1) = \eta\sigma_x/\sqrt{2\pi} = \eta\sigma_x E|g|/2$, for any D.

    Raises:
        InputError: if an argument is not above 0.

    Source: beyond the paper.

    Example:
        >>> round(float(first_strength(0.02)), 6)
        0.007979
    """
    return positive(lr, "lr") * positive(sigma_x, "sigma_x") / np.sqrt(2 * np.pi)


def first_gap(lr: ArrayLike, D: ArrayLike, sigma_x: ArrayLike = 1.0) -> Array:
    r"""Logit gap after two small steps, $b(2) = \eta^2\rho^2\sigma_x^2/(2\pi D)$ nats, to leading order in $\eta$.

    Raises:
        InputError: if an argument is not above 0, or a D below 2.

    Source: beyond the paper.
    """
    groups = floats(wholes("D", D, 2))
    rho = (groups + 1) / 2
    return (positive(lr, "lr") * rho * positive(sigma_x, "sigma_x")) ** 2 / (2 * np.pi * groups)


def loss_of_strength(alpha: ArrayLike, D: ArrayLike) -> Array:
    r"""Loss $C/(D\alpha)$ in nats of a value of strength alpha, all attention on the deciding group.

    Raises:
        InputError: if an alpha is not above 0, or a D below 2.

    Source: beyond the paper.
    """
    return MARGIN_CONSTANT / (floats(wholes("D", D, 2)) * positive(alpha, "alpha"))


def late_strength(time: ArrayLike, D: ArrayLike) -> Array:
    r"""Strength $\alpha = (3C\,\eta t/D)^{1/3}$: it solves $d\alpha/d(\eta t) = C/(D\alpha^2)$; `time` is $\eta t$.

    Raises:
        InputError: if a time is not above 0, or a D below 2.

    Source: beyond the paper.
    """
    return np.cbrt(3 * MARGIN_CONSTANT * positive(time, "time") / floats(wholes("D", D, 2)))
