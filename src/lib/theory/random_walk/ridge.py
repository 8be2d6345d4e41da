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
"""

from __future__ import annotations

import math

import numpy as np

from lib.errors import require, whole
from lib.theory._arrays import Array, floats, positive

__all__ = ["check_ridge", "escape_exponent", "escape_steps", "even_output", "growth", "parity_projection"]


def check_ridge(K: int, N: int) -> int:
    """r in N = rK + 1.

    Args:
        K: nodes, at least 3.
        N: nodes of a walk.

    Raises:
        InputError: unless N - 1 is a multiple of K.
    """
    K, N = whole("K", K, 3), whole("N", N, 2)
    require((N - 1) % K == 0, "N", f"a multiple of K = {K}, plus 1", N)
    return (N - 1) // K


def even_output(K: int, steps: int, lr: float, epsilon: float = 0.1, start: float = 0.0) -> Array:
    r"""Output f at the target before each step, (steps + 1,): $f \leftarrow f + \frac{\eta}{K^2(f + \epsilon)}$.

    Args:
        K: nodes, at least 3.
        steps: at least 0.
        lr: learning rate, above 0.
        epsilon: offset of the log-loss, above 0.
        start: output at the start, above -epsilon.

    Raises:
        InputError: if an argument is out of range.
    """
    push = float(positive(lr, "lr")) / whole("K", K, 3) ** 2
    f, offset = float(positive(start + epsilon, "start + epsilon")), float(positive(epsilon, "epsilon"))
    path = [f]
    for _ in range(whole("steps", steps)):
        f += push / f
        path.append(f)
    return np.array(path) - offset


def growth(K: int, N: int, M: int, lr: float, f: Array, epsilon: float = 0.1, unit_length: bool = False) -> Array:
    r"""Factor by which a small difference grows in a step, at outputs f (...).

    Args:
        K: nodes, at least 3.
        N: nodes of a walk, a multiple of K, plus 1.
        M: length of the positional vectors, at least N.
        lr: learning rate, above 0.
        f: outputs at the target, above -epsilon.
        epsilon: offset of the log-loss, above 0.
        unit_length: whether tokens are divided by their length.

    Raises:
        InputError: if an argument is out of range.

    Example:
        >>> round(float(growth(6, 97, 1000, 1.0, 0.6)), 1)
        13.2
    """
    check_ridge(K, N)
    rho = (whole("M", M, N) + 1) / 2
    factor = 1 / math.sqrt(rho * (1 + rho)) if unit_length else 1.0
    slope = 1 / positive(floats(f) + epsilon, "f + epsilon")
    return 1 + positive(lr, "lr") * rho * factor * slope / (K * math.sqrt(N - 1))


def escape_exponent(K: int, N: int, M: int, lr: float, steps: int, epsilon: float = 0.1) -> Array:
    r"""What must reach $\frac12\log\frac1\sigma$, up to a constant, for the first right answers; (steps + 1,).

    A random start of size $\sigma$ makes outputs of different nodes differ by some $\sigma/f$, and that hides the
    target until the product of two differences, of values and of attention, is larger: both must grow from $\sigma$
    to $\sqrt{\sigma/f}$ only:
    $\sum_t\log(\text{growth}) + \frac12\log f(t) = \frac12\log\frac1\sigma + \text{const}$.
    Since $f \sim \sqrt t$, it is the root of the escape time that is linear in $\log\frac1\sigma$.

    Args:
        K, N, M, lr, epsilon: see `growth`; tokens have length 1.
        steps: at least 1.
    """
    f = even_output(K, steps, lr, epsilon)
    logs = np.log(growth(K, N, M, lr, f, epsilon, unit_length=True))
    return np.concatenate([[0.0], np.cumsum(logs[:-1])]) + np.log(f + epsilon) / 2


def escape_steps(sigma: float, known: tuple[float, int], K: int, N: int, M: int, lr: float) -> float:
    """Steps that a random start of size `sigma` needs, from one known run.

    Args:
        sigma: standard deviation of the entries of V and W at the start, above 0.
        known: sigma and steps of a run that was seen.
        K, N, M, lr: see `growth`.

    Raises:
        InputError: if an argument is out of range, or the answer is beyond a hundred thousand steps.
    """
    size, seen = float(positive(known[0], "known")), whole("known", known[1], 1)
    exponent = escape_exponent(K, N, M, lr, 100_000)
    wanted = exponent[seen] + math.log(size / float(positive(sigma, "sigma"))) / 2
    require(wanted <= exponent[-1], "sigma", "one that escapes within 100,000 steps", sigma)
    return float(np.interp(wanted, exponent, np.arange(len(exponent))))


def parity_projection(V: Array, g: Array, M: int, sigma: float) -> Array:
    r"""Which parity of lags a random start turns to, (R,): odd (right) where positive, even where negative.

    $\frac{1}{\sigma\rho\sqrt{N-1}}\sum_j\pm g_j - \frac{\chi^\top V\chi}{K\sigma}$, with + for odd lags and
    $\chi = (1, -1, 1, \dots)$: the part of the start along the direction that grows. Both terms are standard normal.

    Args:
        V: (R, K, K) values at the start, K even.
        g: (R, N) scores by place at the start.
        M: length of the positional vectors, at least N.
        sigma: standard deviation of the entries of V and W, above 0.

    Raises:
        InputError: if an argument is out of range.
    """
    K, N = V.shape[-1], g.shape[-1]
    require(K % 2 == 0, "K", "an even number: an odd circle has no parity", K)
    rho = (whole("M", M, N) + 1) / 2
    size = float(positive(sigma, "sigma"))
    lags = np.where(np.arange(N - 1, 0, -1) % 2, 1, -1)
    chi = np.where(np.arange(K) % 2, -1, 1)
    places = (g[:, :-1] @ lags) / (rho * math.sqrt(N - 1))
    return (places - np.einsum("i,rij,j->r", chi, V, chi) / K) / size
