"""Prompts of another law: what separation of the labels buys, prompt by prompt and on average.

Chapter `one_nn`. A prompt is separated by delta if |x_j - x_q|^2 >= |x_* - x_q|^2 + delta for every example whose label
differs from the nearest one's; then z_j <= z_* - delta / 2. The loss is written in `portable_shift`. Source: Li
et al. (2024), arXiv 2411.10830, the theorem on distribution shift; the slope is our own. It is refused with
`InputError` where xi_1 is out of range or delta outside [0, 4].
"""

import numpy as np
from numpy.typing import ArrayLike

from hal.chapters.one_nn.theory import portable_shift
from lib.errors import require, whole
from lib.portable import lift
from lib.theory._arrays import Array, floats, positive
from lib.theory.one_nn.portable import law_of


def separated_slope(xi1: ArrayLike, delta: ArrayLike) -> Array:
    """d log(loss on separated prompts) / d xi_1 = -delta - 1 / xi_1 (...), late and where no query attends to itself.

    So not along training: there queries that see themselves put a floor under the loss, see `separated_loss`. The
    nearest other label lies delta / 2 or more behind; its gap has a density there, and the loss of a gap g is
    2 e^(-2 xi_1 g): the integral from delta / 2 on is e^(-xi_1 delta) / xi_1 up to a constant.
    """
    return -_separation(delta) - 1 / positive(xi1, "xi1")


def separated_loss(xi1: ArrayLike, xi2: ArrayLike, d: int, N: int, delta: ArrayLike) -> tuple[Array, Array]:
    """Loss at (xi_1, xi_2) on prompts separated by delta, and its floor, (...) each; see `portable_shift`.

    The floor is the same for every delta: what queries cost that attend to themselves. Where xi_2 is infinite none do.
    """
    require(bool(np.all(floats(xi1) >= -4)), "xi1", "numbers of at least -4", xi1)
    law = law_of(whole("d", d, 2), whole("N", N, 1))
    loss: tuple[Array, Array] = lift(portable_shift.separated_loss)(law, xi1, xi2, _separation(delta))
    return loss


def _separation(delta: ArrayLike) -> Array:
    delta = floats(delta)
    require(bool(np.all((delta >= 0) & (delta <= 4))), "delta", "squared distances between 0 and 4", delta)
    return delta
