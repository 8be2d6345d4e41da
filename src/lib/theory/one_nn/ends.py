"""The two ends of training in closed form: the first slope, and the law t^(-1/3) that every long run ends in.

Chapter `one_nn`. Late in training a prompt costs something if the gap g of its two nearest examples is small, E 1 / (1
+ e^(xi_1 g))^2 = kappa (ln 2 - 1/2) / xi_1 with kappa the density of gaps near 0, or if the query sees itself, that is
where 1 - z_* is above r = xi_2 / xi_1. These never cease to matter: r goes to 2, which is the ratio that the laws take
when they get none. They are written in `portable_times`; here they know their kappa. Source: our own; the paper, Li et
al. (2024), arXiv 2411.10830, bounds the loss by poly(N, d) / log t.
"""

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import whole
from lib.portable import lift
from lib.theory._arrays import Array, positive
from lib.theory.one_nn import portable_sphere, portable_times
from lib.theory.one_nn.sphere import gap_density, nearest_mean

GAP_INTEGRAL = portable_times.GAP_INTEGRAL


def start_loss(N: int, sigma: float = float("inf")) -> float:
    """L(0, sigma): all examples weigh 1 / (N + e^-sigma); (1 - 1/N) / 2 for a strong mask. Squared error.

    Raises:
        InputError: if N is below 1.

    Source: beyond the paper.
    """
    q = 1 / (whole("N", N, 1) + np.exp(-float(sigma)))
    return float(0.5 - q + 0.5 * N * q * q)


def start_slope(d: int, N: int) -> float:
    """d xi_1 / dt at the start with a strong mask: E z_* / (d N), per unit of time (rate times steps).

    Raises:
        InputError: if d is below 2 or N below 1.

    Source: beyond the paper.
    """
    return nearest_mean(d, N) / (d * N)


def late_loss(xi1: ArrayLike, d: int, N: int, ratio: ArrayLike = 2.0) -> Array:
    """L = kappa (ln 2 - 1/2) / xi_1 (1 + r / ((d + r^2) lambda)), (...), once xi_1 is large; see `portable_times`.

    With the ratio r = 2, or any above, no query attends to itself and only the first term is left.

    Raises:
        InputError: if xi_1 or the ratio is not positive, d is below 3 (kappa is infinite for d = 2) or N below 2.

    Source: beyond the paper.
    """
    ratio = np.minimum(2.0, positive(ratio, "ratio"))
    hazard = lift(portable_sphere.hazard)(portable_sphere.law_of(_d(d), whole("N", N, 2)), 1 - ratio)
    late = lift(portable_times.late_loss, positive=("xi1",))
    loss: Array = late(xi1, gap_density(d, N), d, ratio, hazard)
    return loss


def late_xi1(t: ArrayLike, d: int, N: int, ratio: ArrayLike = 2.0) -> Array:
    """xi_1 = (3 kappa (ln 2 - 1/2) t / (d + r^2))^(1/3), (...), at late times t, rate times steps, and r = xi_2 / xi_1.

    Raises:
        InputError: if t or the ratio is not positive, d is below 3 or N below 2.

    Source: beyond the paper.
    """
    late = lift(portable_times.late_xi1, positive=("t", "ratio"))
    xi1: Array = late(t, gap_density(_d(d), N), d, ratio)
    return xi1


def time_to_loss(loss: ArrayLike, d: int, N: int, ratio: ArrayLike = 2.0) -> Array:
    """The late laws solved for time, (...): (d + r^2) (kappa (ln 2 - 1/2))^2 (1 + r / ((d + r^2) lambda))^3 / (3 L^3).

    Raises:
        InputError: if the loss or the ratio is not positive, d is below 3 or N below 2.

    Source: beyond the paper.
    """
    xi1 = late_loss(1.0, d, N, ratio) / positive(loss, "loss")
    return (xi1 / late_xi1(1.0, d, N, ratio)) ** 3


def typical_distance(d: int, N: int) -> float:
    """a = (2 N sqrt d)^(-2 / (d - 3)): 1 - z_* is at least a with probability 1 / e or more.

    Raises:
        InputError: if d is below 4 or N below 1.

    Source: the public restatement of arXiv 2411.10830's proof (Athreya and Wang 2026).
    """
    return float((2 * whole("N", N, 1) * np.sqrt(whole("d", d, 4))) ** (-2 / (d - 3)))


def _d(d: int) -> int:
    return whole("d", d, 3)
