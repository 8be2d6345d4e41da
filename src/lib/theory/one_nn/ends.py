"""The two ends of training in closed form, and the paper's bound on a prompt.

Chapter `one_nn`. Late in training a prompt costs something if the gap g of its two nearest examples is small, E 1 / (1
+ e^(xi_1 g))^2 = kappa (ln 2 - 1/2) / xi_1 with kappa the density of gaps near 0, or if the query sees itself, that is
where 1 - z_* is above r = xi_2 / xi_1. These never cease to matter: r goes to 2, which is the ratio that the laws take
when they get none. They are written in `portable`; here they know their kappa. Losses are squared errors with the
factor 1/2, times the learning rate times steps. What is out of range raises `InputError`. Source: our own where nothing
else is said; the paper, Li et al. (2024), arXiv 2411.10830, bounds the loss by poly(N, d) / log t.
"""

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import require, whole
from lib.portable import lift
from lib.theory._arrays import Array, floats, positive
from lib.theory.one_nn import portable
from lib.theory.one_nn.sphere import gap_density, nearest_mean

GAP_INTEGRAL = portable.GAP_INTEGRAL


def start_loss(N: int, sigma: float = float("inf")) -> float:
    """L(0, sigma): all examples weigh 1 / (N + e^-sigma); (1 - 1/N) / 2 for a strong self-penalty."""
    q = 1 / (whole("N", N, 1) + np.exp(-float(sigma)))
    return float(0.5 - q + 0.5 * N * q * q)


def start_slope(d: int, N: int) -> float:
    """d xi_1 / dt at the start with a strong self-penalty: E z_* / (d N)."""
    return nearest_mean(d, N) / (d * N)


def late_loss(xi1: ArrayLike, d: int, N: int, ratio: ArrayLike = 2.0) -> Array:
    """L = kappa (ln 2 - 1/2) / xi_1 (1 + r / ((d + r^2) lambda)), (...), once xi_1 is large.

    Of d at least 3 and N at least 2. With the ratio r = 2, or any above, no query attends to itself and only the first
    term is left.
    """
    ratio = np.minimum(2.0, positive(ratio, "ratio"))
    hazard = lift(portable.hazard)(portable.law_of(_d(d), whole("N", N, 2)), 1 - ratio)
    late = lift(portable.late_loss, positive=("xi1",))
    loss: Array = late(xi1, gap_density(d, N), d, ratio, hazard)
    return loss


def late_xi1(t: ArrayLike, d: int, N: int, ratio: ArrayLike = 2.0) -> Array:
    """xi_1 = (3 kappa (ln 2 - 1/2) t / (d + r^2))^(1/3), (...), at late times t and r = xi_2 / xi_1; sizes as above."""
    late = lift(portable.late_xi1, positive=("t", "ratio"))
    xi1: Array = late(t, gap_density(_d(d), N), d, ratio)
    return xi1


def time_to_loss(loss: ArrayLike, d: int, N: int, ratio: ArrayLike = 2.0) -> Array:
    """The late laws solved for t, (...): (d + r^2) (kappa (ln 2 - 1/2))^2 (1 + r / ((d + r^2) lambda))^3 / (3 L^3)."""
    xi1 = late_loss(1.0, d, N, ratio) / positive(loss, "loss")
    return (xi1 / late_xi1(1.0, d, N, ratio)) ** 3


def typical_distance(d: int, N: int) -> float:
    """a = (2 N sqrt d)^(-2 / (d - 3)), d at least 4: 1 - z_* is at least a with probability 1 / e or more.

    Source: the public restatement of the paper's proof (Athreya and Wang 2026).
    """
    return float((2 * whole("N", N, 1) * np.sqrt(whole("d", d, 4))) ** (-2 / (d - 3)))


def prediction_bound(
    xi1: ArrayLike, xi2: ArrayLike, nearest: ArrayLike, N: int, delta: ArrayLike, R: float = 1.0
) -> Array:
    """Largest |f - y_*| on a prompt separated by delta: 2 R N e^(-xi_1 delta / 2) + R e^(xi_1 (1 - z_*) - xi_2), (...).

    It is in units of the labels, whose largest size is R; `nearest` is z_* of the prompt, xi_1 at least 0, delta from 0
    to 4, in squared distance. Source: the paper's theorem on distribution shift.
    """
    require(bool(np.all(floats(xi1) >= 0)), "xi1", "numbers of at least 0", xi1)
    delta = floats(delta)
    require(bool(np.all((delta >= 0) & (delta <= 4))), "delta", "squared distances between 0 and 4", delta)
    others = lift(portable.pull_of_others)(xi1, whole("N", N, 1), delta)
    bound: Array = R * (others + lift(portable.own_weight)(xi1, xi2, nearest))
    return bound


def _d(d: int) -> int:
    return whole("d", d, 3)
