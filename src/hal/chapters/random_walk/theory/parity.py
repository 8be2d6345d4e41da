r"""Even circles: which parity of lags a random start turns to, and what pushes it to odd ones on large circles.

Chapter `random_walk`. Source: ours, from the model of arXiv 2511.23239, Section 2, with its random initialisation:
tokens of length 1, the log-loss, p = 1/2 where no other chance is given.

On an even circle the node changes its parity with every step. Two numbers grow together, $\dot a = rb$ and
$\dot b = ra$ a step: a, the scores of odd lags less those of even ones over $\rho\sqrt{N-1}$, and
$b = -\chi^\top V\chi/K$ with $\chi = (1, -1, 1, \dots)$, at the rate
$r = \frac{\eta\rho c}{K\sqrt{N-1}(f + \epsilon)}$. Beside the start even attention pushes: it gives V the part
$\frac{F}{KN}\sum_m(\Pi^\top)^m$ with $F = K^2f$, through which odd lags gain $rF\mathcal D_K/N^2$ on even ones a step.

Positions have the length M >= N, a circle an even number K >= 4 of nodes; deviations of a start, learning rate and the
offset `epsilon` of the loss are above 0. Other values raise InputError.
"""

import math

import numpy as np

from lib.errors import require, whole
from lib.theory._arrays import Array, positive
from lib.theory.random_walk import ring, step_matrix


def even_circle(K: int) -> int:
    """An even number of nodes, at least 4, checked."""
    K = whole("K", K, 3)
    require(K % 2 == 0, "K", "an even number: an odd circle has no parity", K)
    return K


def parity_projection(V: Array, g: Array, M: int, sigma: float) -> Array:
    r"""What starts of deviation `sigma` lean to, (R,): odd lags (right) where positive, else even ones.

    $\frac{1}{\sigma\rho\sqrt{N-1}}\sum_j\pm g_j - \frac{\chi^\top V\chi}{K\sigma}$, with + for odd lags and
    $\chi = (1, -1, 1, \dots)$: the part of the start along the direction that grows. Both terms are standard normal.
    Values (R, K, K), K even, and scores by place (R, N) are those at the start. It decides where nothing else pushes,
    on circles of 4 and 6 nodes.
    """
    K, N = even_circle(V.shape[-1]), g.shape[-1]
    rho = (whole("M", M, N) + 1) / 2
    size = float(positive(sigma, "sigma"))
    chi = np.where(np.arange(K) % 2, -1, 1)
    places = (g[:, :-1] @ _signs(N)) / (rho * math.sqrt(N - 1))
    return (places - np.einsum("i,rij,j->r", chi, V, chi) / K) / size


def parity_drift(K: int) -> float:
    r"""How much more the signals of odd lags add up to than those of even ones, at p = 1/2; in visits.

    $\mathcal D_K = \sum_l(-1)^{l+1}E_l = \frac1K\sum_{k\ne0,K/2}\cot^2\frac{2\pi k}K = \frac{(K-2)(K-4)}{6K}$, with the
    signal of `lag_signal`: 0 on four nodes. This is the limit of long walks of an odd number of nodes.

    Example:
        >>> [round(parity_drift(K), 3) for K in (4, 6, 8, 16)]
        [0.0, 0.222, 0.5, 1.75]
    """
    return (even_circle(K) - 2) * (K - 4) / (6 * K)


def lag_closure(V: Array, g: Array, M: int, lr: float, steps: int, p: float = 0.5, epsilon: float = 0.1) -> Array:
    r"""Attention on odd lags less that on even ones after so many steps, (R,), told from the start without a walk.

    The start is projected on its turns, $\nu_d = \frac1K\sum_iV_{i+d,i}$, and the slope of the loss is that of the mean
    output, which is all that is neglected. Then $K + N$ numbers train: with $P_l(d) = [\Pi^l]_{0d}$, S the softmax of
    the scores and $\bar f = \sum_lS_l\sum_d\nu_dP_l(d)$,
    $\nu_d \mathrel{+}= \frac{\eta}{K(\bar f+\epsilon)}\sum_lS_lP_l(d)$ and
    $g_l \mathrel{+}= \frac{\eta\rho^2c}{\bar f+\epsilon}S_l(\sum_d\nu_dP_l(d) - \bar f)$; the empty token's values
    are 0.

    Args:
        V: values at the start, (R, K, K), K of at least 3.
        g: scores by place at the start, (R, N).
        M: length of positions.
        lr: learning rate of V and W.
        steps: of gradient descent.
        p: chance of a clockwise step.
        epsilon: offset of the loss; the mean output stays above its negative, as small starts do.
    """
    (K, N), rho = (V.shape[-1], g.shape[-1]), (whole("M", M, g.shape[-1]) + 1) / 2
    rate, offset, factor = float(positive(lr, "lr")), float(positive(epsilon, "epsilon")), np.empty(N)
    factor[:-1], factor[-1] = _factors(rho)
    Pi, law = step_matrix(*ring(K, p)), np.zeros((N, K))  # law[j]: from the token at place j to the target
    law[-2] = Pi[0]
    for j in range(N - 3, -1, -1):
        law[j] = law[j + 1] @ Pi
    k = np.arange(K)
    nu, g = np.stack([V[:, (k + d) % K, k].mean(axis=1) for d in k], axis=1), g.astype(float)
    for step in range(whole("steps", steps) + 1):
        S = np.exp(factor * g - (factor * g).max(axis=1, keepdims=True))
        S /= S.sum(axis=1, keepdims=True)
        if step < steps:
            value = nu @ law.T  # of a token, for the target; 0 of the empty one
            f = (S * value).sum(axis=1, keepdims=True)
            push = rate / positive(f + offset, "f + epsilon")
            nu += push / K * (S @ law)
            g += push * rho**2 * factor * S * (value - f)
    return S[:, :-1] @ _signs(N)


def _signs(N: int) -> Array:
    """1 for odd lags, -1 for even ones, place by place, (N - 1,)."""
    return np.where(np.arange(N - 1, 0, -1) % 2, 1.0, -1.0)


def _factors(rho: float) -> tuple[float, float]:
    """Scores of tokens of length 1 are so many times u + g: of a token with content, of the empty one."""
    return 1 / math.sqrt(rho * (1 + rho)), 1 / rho
