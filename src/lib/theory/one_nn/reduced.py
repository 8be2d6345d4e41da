"""The loss in the two numbers xi_1, xi_2, and its slopes, by quadrature: no sample, any number of examples.

Chapter `one_nn`. With labels averaged out, 2 L = 1 - 2 E q_* + E sum_j q_j^2. An attention weight is the chance to win
a race with Gumbel noise, and noise turns the softmax's sum S into independent factors: 1 / S = int e^(-l S) dl and
1 / S^2 = int l e^(-l S) dl. With l = e^-s each factor is a mean over one inner product, so that N examples cost as
much as two:

    E q_*          = N int ds K(s) int dz f(z) e^u e^(-e^u) G(z, s)^(N-1),      u = xi_1 z - s
    E sum_j q_j^2  = N int ds K(s) G(1, s)^(N-1) int dz f(z) e^(2u) e^(-e^u)

    G(z, s) = int_-1^z f(w) e^(-e^(xi_1 w - s)) dw,    K(s) = e^(-e^(xi_1 - xi_2 - s))  (the query's own score)

Source: our own; the loss is that of Li et al. (2024), arXiv 2411.10830. It errs by 1e-9 or less for |xi_1| up to 1000.
Refused with `InputError`: xi_1 or sigma that is not finite, d below 2, N below 1.
"""

from functools import lru_cache
from math import inf, isfinite, isnan, pi
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import require, whole
from lib.integrate import integrate
from lib.theory._arrays import Array
from lib.theory.one_nn.sphere import cdf, normaliser, quantile

# The integrand is analytic in s within |Im s| < pi / 2: the trapezoidal rule with this step errs by e^(-pi^2 / step).
_STEP = 0.36
# e^(-e^u) is 1 below the first and 0 above the second, to double precision.
_LOW, _HIGH = -37.0, 3.7
_PANELS, _GAUSS = 28, 8  # of the angle, for each s


class ReducedPath(NamedTuple):
    """Gradient flow of the two numbers; fields (T,)."""

    times: Array  #: learning rate times steps
    xi1: Array
    xi2: Array
    loss: Array  #: squared error, with the factor 1/2


def reduced_loss(xi1: float, xi2: float, d: int, N: int) -> float:
    """L(xi_1, xi_2); see `reduced_gradient`. Source: arXiv 2411.10830, the loss, with labels averaged out."""
    return reduced_gradient(xi1, xi2, d, N)[0]


def reduced_gradient(xi1: float, xi2: float, d: int, N: int) -> tuple[float, float, float]:
    """L, dL/dxi_1, dL/dxi_2 of W = diag(xi_1 I, 0, -xi_2) for labels that are uncorrelated.

    Squared error with the factor 1/2, and per unit of xi. Gradient descent on the whole matrix with rate eta moves xi_1
    by -eta / d dL/dxi_1, and xi_2 by -eta dL/dxi_2. Where xi_2 is infinite the query never attends to itself.
    """
    d, N, xi1, xi2 = whole("d", d, 2), whole("N", N, 1), float(xi1), float(xi2)
    require(isfinite(xi1), "xi1", "a finite number", xi1)
    require(not isnan(xi2) and xi2 > -inf, "xi2", "a number above minus infinity", xi2)
    own = xi1 - xi2
    s = _grid(xi1, own, d, N)
    node, low, high = _bands(s, xi1)
    x, w, cumulate = _gauss()
    width = (high - low) / _PANELS
    theta = node[..., None] + width[:, None, None] * x  # (S, P, m)
    z, sine = -np.cos(theta), np.sin(theta)
    u = xi1 * z - s[:, None, None]
    e = np.exp(u)
    f = normaliser(d) * sine ** (d - 2) * width[:, None, None]
    open_ = f * np.exp(-e)  # f(z) dz e^(-e^u)
    won = open_ * e
    # G and its derivative in xi_1, both from -1 to z; below the band e^(-e^u) is constant: 1, or 0 where xi_1 < 0
    below = cdf(np.clip(-np.cos(low), -1, 1), d) if xi1 >= 0 else np.zeros(len(s))
    above = 0.0 if xi1 >= 0 else 1 - cdf(np.clip(-np.cos(high), -1, 1), d)
    G, all_ = _cumulated(open_, below, w, cumulate)
    dG, dall = _cumulated(-z * won, np.zeros(len(s)), w, cumulate)
    all_ = all_ + above
    wins = won * G ** (N - 1)
    dwins = z * (1 - e) * wins + (won * (N - 1) * G ** (N - 2) * dG if N > 1 else 0.0)
    same = (won * e) @ w
    dsame = (z * (2 - e) * won * e) @ w
    rest = all_ ** (N - 1)
    drest = (N - 1) * all_ ** (N - 2) * dall if N > 1 else np.zeros(len(s))
    nearest, dnearest = (np.sum(part @ w, axis=1) for part in (wins, dwins))
    twice, dtwice = same.sum(axis=1), dsame.sum(axis=1)
    own_term = np.exp(np.minimum(own - s, 700.0)) if own > -inf else np.zeros(len(s))
    K = N * _STEP * np.exp(-own_term)
    by_s = -nearest + 0.5 * rest * twice
    slope_s = -dnearest + 0.5 * (drest * twice + rest * dtwice)
    by_own = -float((K * own_term) @ by_s)  # the derivative in the own score xi_1 - xi_2
    return 0.5 + float(K @ by_s), float(K @ slope_s) + by_own, -by_own


def flow(times: ArrayLike, d: int, N: int, sigma: float = 3.0, *, tolerance: float = 1e-6) -> ReducedPath:
    """Gradient flow from xi = (0, sigma), the limit of small rates, at increasing times (T,), rate times steps, >= 0.

    Here xi_1 moves by -1/d dL/dxi_1, xi_2 by -dL/dxi_2; `tolerance` is the relative error of a step.

    Source: arXiv 2411.10830, gradient descent from W_33 = -sigma, in the limit of small rates.
    """
    require(isfinite(sigma), "sigma", "a finite number", sigma)

    def slope(t: float, y: Array) -> Array:
        _, first, second = reduced_gradient(y[0], y[1], d, N)
        return np.array([-first / d, -second])

    path = integrate(slope, [0.0, sigma], times, rtol=tolerance, atol=1e-3 * tolerance, what="theory of one_nn")
    loss = np.array([reduced_loss(a, b, d, N) for a, b in path.states])
    return ReducedPath(path.times, path.states[:, 0], path.states[:, 1], loss)


def _grid(xi1: float, own: float, d: int, N: int) -> Array:
    """The values of s where something is left of the integrands, (S,)."""
    ends = [xi1 * float(z) for z in (quantile(1e-18 ** (1 / N), d), 1.0, -1.0)]
    low = (ends[0] if xi1 >= 0 else min(ends)) - _HIGH - 0.5
    high = max(ends)
    if own > -inf:
        low, high = max(low, own - _HIGH - 0.5), max(high, own)
    return np.arange(low, high - _LOW, _STEP)


def _bands(s: Array, xi1: float) -> tuple[Array, Array, Array]:
    """For each s the angles where e^(-e^u) is neither 0 nor 1: starts of the panels (S, P), first and last angle."""
    if xi1 == 0:
        low, high = np.zeros(len(s)), np.full(len(s), pi)
    else:
        ends = np.sort(np.stack([(s + _LOW) / xi1, (s + _HIGH) / xi1]), axis=0)
        low, high = (np.arccos(-np.clip(end, -1, 1)) for end in ends)
    return low[:, None] + (high - low)[:, None] * (np.arange(_PANELS) / _PANELS), low, high


@lru_cache(maxsize=1)
def _gauss() -> tuple[Array, Array, Array]:
    """Gauss-Legendre nodes and weights (m,) on 0 to 1, and the matrix (m, m) of integrals from 0 to each node."""
    x, w = np.polynomial.legendre.leggauss(_GAUSS)
    powers = np.arange(_GAUSS)
    nodes = (x + 1) / 2
    cumulate = (nodes[:, None] ** (powers + 1) / (powers + 1)) @ np.linalg.inv(nodes[:, None] ** powers)
    return nodes, w / 2, cumulate


def _cumulated(values: Array, start: Array, w: Array, cumulate: Array) -> tuple[Array, Array]:
    """Integrals up to every node, (S, P, m), and over the whole band, (S,), from `start` (S,) on."""
    panels = np.cumsum(values @ w, axis=1)  # (S, P)
    before = np.concatenate([np.zeros((len(values), 1)), panels[:, :-1]], axis=1) + start[:, None]
    return before[..., None] + values @ cumulate.T, panels[:, -1] + start
