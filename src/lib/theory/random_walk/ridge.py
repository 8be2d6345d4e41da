r"""Where nothing tells ancestors apart: how fast a small difference grows, where it leads, and how long that takes.

Chapter `random_walk`. Source: ours, from the model of arXiv 2511.23239, Section 2; the paper's theorem on deterministic
walks says that without a difference nothing happens.

For p = 0 or 1 and N = rK + 1 a walk visits every node r times. With even attention and all values equal to v the
output is v, and V, g move only together with a difference between places. Let $\hat g_d$ be the mean score of the
places whose token lies d steps before the target, $\nu_d$ the mean value at that turn. To first order
$\delta\nu_d = \frac{\eta|l'|c}{K^2}\hat g_d$ and $\delta\hat g_d = \frac{\eta\rho^2c|l'|}{N-1}\nu_d$ a step: both grow
by the factor $1 + \frac{\eta\rho c|l'|}{K\sqrt{N-1}}$, with $|l'| = 1/(f + \epsilon)$ for the log-loss and c the factor
of the scores (1, or about $1/\rho$ for tokens of length 1). The last place soon has no attention, as its score falls.

For p = 1/2, even K and odd N the same holds for the difference between even and odd lags.

Positions have the length M >= N; deviations of a start, learning rate and the offset `epsilon` of the loss are above 0.
Other values raise InputError.
"""

import math

import numpy as np

from lib.errors import InputError, require, whole
from lib.portable import lift
from lib.theory._arrays import Array, positive
from lib.theory.random_walk import portable

even_output = lift(portable.even_output, positive=("lr", "epsilon"), epsilon=0.1, start=0.0)
growth = lift(portable.growth, positive=("lr", "epsilon"), epsilon=0.1, unit_length=False)
escape_exponent = lift(portable.escape_exponent, positive=("lr", "epsilon"), epsilon=0.1)


def escape_steps(sigma: float, known: tuple[float, int], K: int, N: int, M: int, lr: float) -> float:
    """Steps that a random start of deviation `sigma` needs, from one `known` run: its sigma, and its steps.

    Refused beyond a hundred thousand steps.

    Source: beyond the paper.
    """
    size, seen = float(positive(known[0], "known")), whole("known", known[1], 1)
    missing = math.log(size / float(positive(sigma, "sigma"))) / 2
    for steps in (1000, 10_000, 100_000):
        if seen <= steps:
            exponent = escape_exponent(K, N, M, lr, steps)
            if exponent[seen] + missing <= exponent[-1]:
                return float(np.interp(exponent[seen] + missing, exponent, np.arange(len(exponent))))
    raise InputError(f"sigma: expected one that escapes within 100,000 steps, got {sigma}")


def parity_projection(V: Array, g: Array, M: int, sigma: float) -> Array:
    r"""Which parity of lags starts of deviation `sigma` turn to, (R,): odd (right) where positive, else even.

    $\frac{1}{\sigma\rho\sqrt{N-1}}\sum_j\pm g_j - \frac{\chi^\top V\chi}{K\sigma}$, with + for odd lags and
    $\chi = (1, -1, 1, \dots)$: the part of the start along the direction that grows. Both terms are standard normal.
    Values (R, K, K), K even, and scores by place (R, N) are those at the start.

    Source: beyond the paper.
    """
    K, N = V.shape[-1], g.shape[-1]
    require(K % 2 == 0, "K", "an even number: an odd circle has no parity", K)
    rho = (whole("M", M, N) + 1) / 2
    size = float(positive(sigma, "sigma"))
    lags = np.where(np.arange(N - 1, 0, -1) % 2, 1, -1)
    chi = np.where(np.arange(K) % 2, -1, 1)
    places = (g[:, :-1] @ lags) / (rho * math.sqrt(N - 1))
    return (places - np.einsum("i,rij,j->r", chi, V, chi) / K) / size
