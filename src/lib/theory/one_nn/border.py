"""The two late equations: how the ratio r = xi_2 / xi_1 climbs to 2, at times that no run reaches.

Chapter `one_nn`. Once xi_1 is large, two kinds of prompts still move the matrix. Those whose two nearest examples are
nearly tied push xi_1 alone, by K_0 / (d xi_1^2). Border prompts, whose nearest example has 1 - z_* near r, let the
query attend to itself with the weight s = 1 / (1 + e^v), v = xi_2 - xi_1 (1 - z_*). Prompts of both kinds are left out:
with two examples in three dimensions they matter, and 2 - r is too small by a factor of three. Source: beyond the paper
(Li et al. 2024, arXiv 2411.10830); a later paper states xi_2 >= 15/7 xi_1.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc

from lib.errors import require, whole
from lib.integrate import integrate
from lib.theory._arrays import Array, positive
from lib.theory.one_nn.ends import GAP_INTEGRAL
from lib.theory.one_nn.reduced import flow
from lib.theory.one_nn.sphere import gap_density, normaliser

__all__ = ["approach_exponent", "late_ratio"]

BEGIN = 1e4  #: the time from which the late equations are followed; before, the exact flow
_WIDTH, _PANELS, _NODES = 45.0, 24, 24  # of the weight s in v, with what integrates it


def approach_exponent(d: int, N: int) -> float:
    """The power of t by which 2 - r falls in the end, -1 / (3 p) with p = N (d - 1) / 2 - 1.

    The nearest of N examples lies at h from the far pole with a density of order h^p: few prompts, so a slow approach.

    Raises:
        InputError: if d is below 3 or N below 2.

    Source: beyond the paper.
    """
    return -1 / (3 * (whole("N", N, 2) * (whole("d", d, 3) - 1) / 2 - 1))


def late_ratio(times: ArrayLike, d: int, N: int) -> Array:
    """r = xi_2 / xi_1, (T,), of a run from the mask 3, by the two late equations from t = 10^4 on.

    Args:
        times: increasing, rate times steps, (T,), all above 10^4.
        d: dimension, at least 3.
        N: examples, at least 2.

    Raises:
        InputError: if an argument is out of range.
        DivergedError: if the integration fails.

    Source: beyond the paper.
    """
    N, d = whole("N", N, 2), whole("d", d, 3)
    times = positive(times, "times")
    require(bool(times.min() > BEGIN), "times", f"times above {BEGIN:g}", times)
    kappa, begin = gap_density(d, N), flow([BEGIN], d, N)

    def slope(u: float, logs: Array) -> Array:  # of ln xi in u = ln(t / BEGIN)
        xi = np.exp(logs)
        return BEGIN * np.exp(u) * _slopes(xi[0], xi[1], d, N, kappa) / xi

    start = np.log([begin.xi1[0], begin.xi2[0]])
    at = np.log(times / BEGIN)
    path = integrate(slope, start, at, method="implicit", rtol=1e-9, atol=1e-11, what="late_ratio")
    ratio: Array = np.exp(path.states[:, 1] - path.states[:, 0])
    return ratio


@lru_cache(maxsize=1)
def _gauss() -> tuple[Array, Array]:
    x, w = np.polynomial.legendre.leggauss(_NODES)
    return x, w


def _slopes(xi1: float, xi2: float, d: int, N: int, kappa: float) -> Array:
    """d xi_1 / dt and d xi_2 / dt of the late equations, (2,)."""
    pole = xi2 - 2 * xi1  # v at z_* = -1
    x, w = _gauss()
    ends = np.linspace(max(pole, -_WIDTH), min(xi2, _WIDTH), _PANELS + 1)
    half = np.diff(ends)[:, None] / 2
    v = ends[:-1, None] + half * (1 + x)
    up = (v - pole) / (2 * xi1)  # (1 + z_*) / 2, exact near the pole
    below = betainc((d - 1) / 2, (d - 1) / 2, up)
    density = N * normaliser(d) * (4 * up * (1 - up)) ** ((d - 3) / 2) * below ** (N - 1) / xi1
    s = 1 / (1 + np.exp(v))
    mass = half * w * density * s * s * (1 - s)
    own = float(mass.sum())
    pulled = float((mass * (xi2 - v) / xi1).sum())  # times 1 - z_*
    return np.array([(kappa * GAP_INTEGRAL / xi1**2 - pulled) / d, own])
