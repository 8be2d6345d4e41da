"""The edge of the first step, at which it leaves the loss of the population as it was, by adaptive integration.

Chapter `group_sparse`. Source: ours, beyond arXiv 2504.08638.
"""

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import ndtr

from lib.errors import whole

__all__ = ["first_edge"]


def first_edge(D: int) -> float:
    r"""$\eta D$ at which the first step from zero leaves the population's loss as it was, at standard deviation 1.

    The margin after a step of length $\alpha$ is normal in size with variance $\alpha^2D$; integrated here as it
    stands, $E\log(1 + e^{-m})$ over $|g|$ and the noise together.

    Raises:
        InputError: if D is below 2.

    Source: beyond the paper.
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
