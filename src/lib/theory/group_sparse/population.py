r"""The population of two scalars: its first two steps, its late times, its loss, the limit of the learning rate.

Chapter `group_sparse`. Source: ours, from the model of arXiv 2504.08638, Section 2, which states a time and a loss up
to constants; the late laws are the leading terms, with constants, at standard deviation 1 and in time $\eta t$. The
squared length of a position is $\rho = (D + 1)/2$.

With nearly all attention on the deciding group the margin is $D\alpha|g|$. Only examples with
$|g| \lesssim 1/(D\alpha)$ still have a loss, so $L = C/(D\alpha)$ with
$C = \sqrt{2/\pi}\int_0^\infty \log(1 + e^{-u})du = \sqrt{2/\pi}\,\pi^2/12$.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import quad
from scipy.stats import norm

from lib.errors import require, whole, wholes
from lib.portable import lift
from lib.theory._arrays import Array, floats, positive
from lib.theory.group_sparse import portable

__all__ = [
    "MARGIN_CONSTANT", "first_gap", "first_strength", "largest_rate", "late_leak", "late_loss", "late_strength",
    "leak_constant", "loss_of_strength", "population_loss", "time_to_loss",
]  # fmt: skip

#: C, in nats: loss times D alpha when all attention is on the deciding group.
MARGIN_CONSTANT = portable.MARGIN_CONSTANT

largest_rate = lift(portable.largest_rate)
late_loss = lift(portable.late_loss, positive=("time",))
late_leak = lift(portable.late_leak, positive=("time",))
leak_constant = lift(portable.leak_constant)
time_to_loss = lift(portable.time_to_loss, positive=("loss",))


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


def population_loss(alpha: float, s: float, D: int) -> float:
    r"""Loss in nats of a value of strength alpha with attention s on the deciding group, the rest shared evenly.

    Given |g|, the margin is normal with mean $D\alpha s|g|$ and deviation $D\alpha\tau$, $\tau = (1-s)/\sqrt{D-1}$:
    adaptive integration over |g|, a fine trapezoid rule over the noise.

    Raises:
        InputError: if alpha is not finite, s outside [0, 1], or D below 2.

    Source: beyond the paper; the reference for the quadratures of `portable` and of the model.

    Example:
        >>> round(population_loss(0.0, 0.25, 4), 6)
        0.693147
    """
    D = whole("D", D, 2)
    require(np.isfinite(alpha), "alpha", "a finite number", alpha)
    require(0 <= s <= 1, "s", "a share in [0, 1]", s)
    tau = (1 - s) / np.sqrt(D - 1)
    xi = np.linspace(-9, 9, 721)
    weight = norm.pdf(xi) * (xi[1] - xi[0])

    def given(g: float) -> float:
        return 2 * norm.pdf(g) * float(weight @ np.logaddexp(0, -alpha * D * (s * g + tau * xi)))

    return float(quad(given, 0, 9, epsabs=1e-11, epsrel=1e-10, limit=200, points=[0.1, 1.0])[0])
