r"""Even circles: which parity of lags a random start turns to.

Chapter `random_walk`. Source: ours, from the model of arXiv 2511.23239, Section 2, with its random initialisation:
tokens of length 1, the log-loss, p = 1/2.

On an even circle the node changes its parity with every step. Two numbers grow together, $\dot a = rb$ and
$\dot b = ra$ a step: a, the scores of odd lags less those of even ones over $\rho\sqrt{N-1}$, and
$b = -\chi^\top V\chi/K$ with $\chi = (1, -1, 1, \dots)$.

Positions have the length M >= N, a circle an even number K >= 4 of nodes; deviations of a start are above 0. Other
values raise InputError.
"""

import math

import numpy as np

from lib.errors import require, whole
from lib.theory._arrays import Array, positive


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


def _signs(N: int) -> Array:
    """1 for odd lags, -1 for even ones, place by place, (N - 1,)."""
    return np.where(np.arange(N - 1, 0, -1) % 2, 1.0, -1.0)
