r"""Late times of the population's two scalars: how fast the value grows, the loss falls, and attention closes.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638, which states a time and a loss up to constants; these are the
leading terms, with constants, at standard deviation 1 and in time $\eta t$.

With nearly all attention on the deciding group the margin is $D\alpha|g|$. Only examples with
$|g| \lesssim 1/(D\alpha)$ still have a loss, so $L = C/(D\alpha)$ with
$C = \sqrt{2/\pi}\int_0^\infty \log(1 + e^{-u})du = \sqrt{2/\pi}\,\pi^2/12$.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import wholes
from lib.theory._arrays import Array, floats, positive

__all__ = [
    "MARGIN_CONSTANT",
    "late_leak",
    "late_loss",
    "late_strength",
    "leak_constant",
    "loss_of_strength",
    "time_to_loss",
]

#: C, in nats: loss times D alpha when all attention is on the deciding group.
MARGIN_CONSTANT = math.sqrt(2 / math.pi) * math.pi**2 / 12


def loss_of_strength(alpha: ArrayLike, D: ArrayLike) -> Array:
    r"""Loss $C/(D\alpha)$ in nats of a value of strength alpha, all attention on the deciding group.

    Args:
        alpha: strength, above 0.
        D: groups, whole numbers of at least 2.

    Raises:
        InputError: if an argument is out of range.
    """
    return MARGIN_CONSTANT / (_groups(D) * positive(alpha, "alpha"))


def late_strength(time: ArrayLike, D: ArrayLike) -> Array:
    r"""Strength $\alpha = (3C\,\eta t/D)^{1/3}$: the solution of $d\alpha/d(\eta t) = C/(D\alpha^2)$.

    Args:
        time: learning rate times steps, above 0.
        D: groups, whole numbers of at least 2.

    Raises:
        InputError: if an argument is out of range.
    """
    return np.cbrt(3 * MARGIN_CONSTANT * positive(time, "time") / _groups(D))


def late_loss(time: ArrayLike, D: ArrayLike) -> Array:
    r"""Loss $C^{2/3}(3\eta t)^{-1/3}D^{-2/3}$ in nats.

    Args:
        time: learning rate times steps, above 0.
        D: groups, whole numbers of at least 2.

    Raises:
        InputError: if an argument is out of range.
    """
    return loss_of_strength(late_strength(time, D), D)


def time_to_loss(loss: ArrayLike, D: ArrayLike) -> Array:
    r"""Learning rate times steps until the late loss is `loss`: $C^2/(3D^2\epsilon^3)$.

    Args:
        loss: in nats, above 0.
        D: groups, whole numbers of at least 2.

    Raises:
        InputError: if an argument is out of range.
    """
    return MARGIN_CONSTANT**2 / (3 * _groups(D) ** 2 * positive(loss, "loss") ** 3)


def leak_constant(D: ArrayLike) -> Array:
    r"""A in $1 - s = A(\eta t)^{-2/3}$, the attention that is not on the deciding group.

    From $\dot b = \rho^2\frac{D}{D-1}\alpha\,E[((1-s)|g| - \tau\xi)/(1 + e^m)]$, with $1 - s = (D-1)e^{-b}$ and
    $m = D\alpha(|g| + \tau\xi)$: the first term is $(1-s)C/(D\alpha)^2$, the second, by Stein's identity,
    $D\alpha\tau^2/(\sqrt{2\pi}\,D\alpha)$. A solves
    $\frac23 = \frac{D\rho^2}{D-1}\big[\frac{CA}{cD^2} + \frac{cA^2}{\sqrt{2\pi}(D-1)}\big]$, $c = (3C/D)^{1/3}$.

    Args:
        D: groups, whole numbers of at least 2.

    Raises:
        InputError: unless they are.

    Example:
        >>> [round(float(A), 3) for A in leak_constant([4, 6, 8])]
        [0.66, 0.699, 0.698]
    """
    D = _groups(D)
    c = np.cbrt(3 * MARGIN_CONSTANT / D)
    front = D * ((D + 1) / 2) ** 2 / (D - 1)
    square = front * c / (math.sqrt(2 * math.pi) * (D - 1))
    linear = front * MARGIN_CONSTANT / (c * D**2)
    return (np.sqrt(linear**2 + 8 * square / 3) - linear) / (2 * square)


def late_leak(time: ArrayLike, D: ArrayLike) -> Array:
    r"""Attention outside the deciding group, $A(\eta t)^{-2/3}$.

    Args:
        time: learning rate times steps, above 0.
        D: groups, whole numbers of at least 2.

    Raises:
        InputError: if an argument is out of range.
    """
    return leak_constant(D) * positive(time, "time") ** (-2 / 3)


def _groups(D: ArrayLike) -> Array:
    return floats(wholes("D", D, 2))
