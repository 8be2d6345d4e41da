"""Inner products of points of a sphere: their law, the nearest of N, and how close the runners-up come.

Chapter `one_nn`. With x_q fixed and x_j uniform on the unit sphere of R^d, z = <x_j, x_q> has density f(z) = c (1 -
z^2)^((d - 3) / 2). On the sphere the nearest example is the one with the largest z, since |x_j - x_q|^2 = 2 - 2 z_j.
Source: Li et al. (2024), arXiv 2411.10830, the setting; the gap densities are our own. Dimensions d are at least 2,
examples N at least 1, of a gap 2; what is out of range raises `InputError`.
"""

from functools import lru_cache
from math import exp, lgamma, pi, sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaincinv

from lib.errors import require, whole
from lib.theory._arrays import Array, floats

_NODES = 400  # Gauss-Legendre nodes in the angle, for smooth integrals over the whole sphere


def normaliser(d: int) -> float:
    """The constant c of the density, Gamma(d/2) / (sqrt(pi) Gamma((d-1)/2)); no unit."""
    d = whole("d", d, 2)
    return exp(lgamma(d / 2) - lgamma((d - 1) / 2)) / sqrt(pi)


def cdf(z: ArrayLike, d: int) -> Array:
    """F(z) = P(<x_j, x_q> <= z), (...), of the inner product of two independent uniform points of the sphere in R^d."""
    half = (whole("d", d, 2) - 1) / 2
    return betainc(half, half, (1 + _products(z)) / 2)


def quantile(u: ArrayLike, d: int) -> Array:
    """The inner product z (...) with F(z) = u."""
    u = floats(u)
    require(bool(np.all((u >= 0) & (u <= 1))), "u", "probabilities within [0, 1]", u)
    half = (whole("d", d, 2) - 1) / 2
    return 2 * betaincinv(half, half, u) - 1


def nearest_mean(d: int, N: int) -> float:
    """E z_*, the mean inner product of the query with the nearest of N examples: 1 - integral of F^N."""
    theta, weight = _angles()
    return 1 - float(weight @ (np.sin(theta) * cdf(-np.cos(theta), d) ** whole("N", N, 1)))


def gap_density(d: int, N: int) -> float:
    """kappa: the density at 0 of the gap between the two largest of N inner products, N (N-1) int f^2 F^(N-2).

    Infinite for d = 2, where the density has poles; N / 2 for d = 3.
    """
    N = whole("N", N, 2)
    if whole("d", d, 2) == 2:
        return float("inf")
    theta, weight = _angles()
    tied = normaliser(d) ** 2 * np.sin(theta) ** (2 * (d - 3) + 1)
    return N * (N - 1) * float(weight @ (tied * cdf(-np.cos(theta), d) ** (N - 2)))


@lru_cache(maxsize=1)
def _angles() -> tuple[Array, Array]:
    """Nodes and weights on the angles 0 to pi; z = -cos(angle)."""
    x, w = np.polynomial.legendre.leggauss(_NODES)
    return pi / 2 * (x + 1), pi / 2 * w


def _products(z: ArrayLike) -> Array:
    z = floats(z)
    require(bool(np.all(np.abs(z) <= 1)), "z", "inner products within [-1, 1]", z)
    return z
