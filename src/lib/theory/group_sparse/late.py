r"""Late times of the population's two scalars: how fast the value grows, the loss falls, and attention closes.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638, which states a time and a loss up to constants; these are the
leading terms, with constants, at standard deviation 1 and in time $\eta t$.

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
    "MARGIN_CONSTANT", "late_leak", "late_loss", "late_strength", "leak_constant", "loss_of_strength", "time_to_loss",
]  # fmt: skip

#: C, in nats: loss times D alpha when all attention is on the deciding group.
MARGIN_CONSTANT = portable.MARGIN_CONSTANT

late_loss = lift(portable.late_loss, positive=("time",))
late_leak = lift(portable.late_leak, positive=("time",))
leak_constant = lift(portable.leak_constant)
time_to_loss = lift(portable.time_to_loss, positive=("loss",))


def loss_of_strength(alpha: ArrayLike, D: ArrayLike) -> Array:
    r"""Loss $C/(D\alpha)$ in nats of a value of strength alpha, all attention on the deciding group.

    Args:
        alpha: strength, above 0.
        D: groups, whole numbers of at least 2.

    Raises:
        InputError: if an argument is out of range.

    Source: beyond the paper.
    """
    return MARGIN_CONSTANT / (floats(wholes("D", D, 2)) * positive(alpha, "alpha"))


def late_strength(time: ArrayLike, D: ArrayLike) -> Array:
    r"""Strength $\alpha = (3C\,\eta t/D)^{1/3}$: the solution of $d\alpha/d(\eta t) = C/(D\alpha^2)$.

    Args:
        time: learning rate times steps, above 0.
        D: groups, whole numbers of at least 2.

    Raises:
        InputError: if an argument is out of range.

    Source: beyond the paper.
    """
    return np.cbrt(3 * MARGIN_CONSTANT * positive(time, "time") / floats(wholes("D", D, 2)))
