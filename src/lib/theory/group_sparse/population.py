r"""The population of two scalars: its first two steps, its late times, the limits of the learning rate.

Chapter `group_sparse`. Source: ours, from the model of arXiv 2504.08638, Section 2, which states a time and a loss up
to constants; the late laws are the leading terms, with constants, at standard deviation 1 and in time $\eta t$. The
squared length of a position is $\rho = (D + 1)/2$.

With nearly all attention on the deciding group the margin is $D\alpha|g|$. Only examples with $|g| \lesssim
1/(D\alpha)$ still have a loss, so $L = C/(D\alpha)$ with $C = \sqrt{2/\pi}\int_0^\infty \log(1 + e^{-u})du =
\sqrt{2/\pi}\,\pi^2/12$. Groups D are at least 2; what is not above 0 raises `InputError`.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import ndtr

from lib.errors import whole, wholes
from lib.portable import lift
from lib.theory._arrays import Array, floats, positive
from lib.theory.group_sparse import portable

__all__ = [
    "MARGIN_CONSTANT", "first_edge", "first_gap", "first_strength", "largest_rate", "late_leak", "late_loss",
]  # fmt: skip

#: C, in nats: loss times D alpha when all attention is on the deciding group.
MARGIN_CONSTANT = portable.MARGIN_CONSTANT

largest_rate = lift(portable.largest_rate)
late_loss = lift(portable.late_loss, positive=("time",))
late_leak = lift(portable.late_leak, positive=("time",))


def first_strength(lr: ArrayLike, sigma_x: ArrayLike = 1.0) -> Array:
    r"""Strength of the value after one step, $\alpha(1) = \eta\sigma_x/\sqrt{2\pi} = \eta\sigma_x E|g|/2$, for any D.

    Example:
        >>> round(float(first_strength(0.02)), 6)
        0.007979
    """
    return positive(lr, "lr") * positive(sigma_x, "sigma_x") / np.sqrt(2 * np.pi)


def first_gap(lr: ArrayLike, D: ArrayLike, sigma_x: ArrayLike = 1.0) -> Array:
    r"""Logit gap after two small steps, $b(2) = \eta^2\rho^2\sigma_x^2/(2\pi D)$ nats, to leading order in $\eta$."""
    groups = floats(wholes("D", D, 2))
    rho = (groups + 1) / 2
    return (positive(lr, "lr") * rho * positive(sigma_x, "sigma_x")) ** 2 / (2 * np.pi * groups)


def first_edge(D: int) -> float:
    r"""$\eta D$ at which the first step from zero leaves the population's loss as it was, at standard deviation 1.

    The margin after a step of length $\alpha$ is normal in size with variance $\alpha^2D$; integrated here as it
    stands, $E\log(1 + e^{-m})$ over $|g|$ and the noise together.
    """
    whole("D", D, 2)

    def change(x: float) -> float:
        def density(z: float) -> float:
            # of y sum_j a_j / sqrt(D) at z: twice a normal density times the chance that the group agrees
            return float(2 * np.exp(-z * z / 2) / np.sqrt(2 * np.pi) * _agrees(z, D) * np.logaddexp(0, -x * z))

        return float(quad(density, -10, 10, limit=400, epsabs=1e-12, points=[0.0])[0] - np.log(2))

    return float(np.sqrt(2 * np.pi * D) * brentq(change, 4 / np.sqrt(2 * np.pi * D), 16.0, xtol=1e-10))


def _agrees(z: float, D: int) -> float:
    """The chance that the relevant group has the sign +, where all groups together have the component z sqrt(D)."""
    return float(ndtr(z / np.sqrt(D - 1)))
