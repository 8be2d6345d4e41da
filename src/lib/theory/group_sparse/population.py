r"""The population loss of the two scalars as a one-dimensional integral.

Chapter `group_sparse`. Source: ours, from the model of arXiv 2504.08638, Section 2: given |g|, the margin is
normal with mean $D\alpha s|g|$ and deviation $D\alpha\tau$.
"""

import numpy as np
from scipy.integrate import quad
from scipy.stats import norm

from lib.errors import require, whole

__all__ = ["population_loss"]


def population_loss(alpha: float, s: float, D: int) -> float:
    """Loss in nats: adaptive integration over |g|, a fine trapezoid rule over the noise.

    Args:
        alpha: strength of the value.
        s: attention on the deciding group, in [0, 1], the rest shared evenly.
        D: groups, at least 2.

    Raises:
        InputError: if an argument is out of range.

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
