"""How often the answer has the wrong sign, at every pull: exact, by the characteristic function of the answer.

Chapter `one_nn`. With the nearest example's label as the unit the answer has the sign of T = 1 + sum_near e_j + sum_far
+-e_j, e_j = exp(-xi_1 (z_* - z_j)): near examples have its label, the signs of far ones are fair coins, and the query's
attention on itself changes no sign. Given z_* the examples are independent, so E e^(i u T) is a power, and the share of
T < 0 follows from it by the Fourier series of a square wave. Source: our own; Gil-Pelaez (1951), "Note on the inversion
theorem", Biometrika 38. What is out of range raises `InputError`.
"""

from functools import lru_cache
from itertools import pairwise

import numpy as np

from lib.errors import require, whole
from lib.theory._arrays import Array
from lib.theory.one_nn.sphere import cdf, normaliser, quantile

_SMOOTH = 0.01  # standard deviation of the noise that T is given, so that the series ends
_NODES = 48
_SEEN = 20.0  # scores this far below the nearest one's move nothing


@lru_cache(maxsize=64)
def wrong_sign(xi1: float, d: int, N: int, delta: float = 0.0) -> float:
    """Share of prompts separated by delta whose answer has the wrong sign at the pull xi_1 > 0; errs by 2e-4.

    With delta = 0 prompts are uniform. Noise of the scale h moves the share by a multiple of h, which is taken off.
    """
    d, N = whole("d", d, 3), whole("N", N, 2)
    require(0 < xi1 < np.inf, "xi1", "a finite number > 0", xi1)
    require(0 <= delta <= 4, "delta", "a squared distance between 0 and 4", delta)
    step = 2 * np.pi / (N + 1)  # |T| is at most N
    u = np.arange(0.5, 4 / _SMOOTH / step) * step
    little, much = (np.exp(-0.5 * (scale * _SMOOTH * u) ** 2) for scale in (1, 2))
    wave = step / np.pi * (2 * little - much) / u
    node, weight = np.polynomial.legendre.leggauss(_NODES)
    node, weight = (node + 1) / 2, weight / 2
    share = 0.0
    for rank, part in zip(node, weight, strict=True):  # z_* by its rank
        z = float(quantile(rank ** (1 / N), d))
        cut, end = min(delta / 2, z + 1), min(max(delta / 2, _SEEN / xi1), z + 1)
        moved = _moved(u, z, 0.0, cut, xi1, d, near=True) + _moved(u, z, cut, end, xi1, d, near=False)
        mean = (1 + moved / float(cdf(z, d))) ** (N - 1) * np.exp(1j * u)
        share += part * (0.5 - float(wave @ mean.imag))
    return share


def _moved(u: Array, z: float, low: float, high: float, xi1: float, d: int, near: bool) -> Array:
    """Integral of f (E e^(i u e) - 1) over gaps from low to high behind z, (U,); a sign is kept if near, else fair."""
    node, weight = np.polynomial.legendre.leggauss(_NODES)
    total = np.zeros(len(u), complex)
    borders = np.linspace(low, high, 5)
    for start, end in pairwise(borders):
        gap = start + (end - start) * (node + 1) / 2
        dense = normaliser(d) * (1 - (z - gap) ** 2) ** ((d - 3) / 2) * weight * (end - start) / 2
        turn = np.exp(-xi1 * gap)[:, None] * u
        total += dense @ ((np.exp(1j * turn) if near else np.cos(turn)) - 1)
    return total
