r"""The edge of the first step, plain Python: the learning rate beyond which it raises the population's loss.

Chapter `group_sparse`. Source: ours; arXiv 2504.08638, Theorem 3.1, asks for a learning rate of order one. The first
step from zero moves the value vector alone, to $\alpha = \eta\sigma_x/\sqrt{2\pi}$, and attention stays even. With
even attention $y\sum_ja_j$ is $|g| + \sqrt{D-1}\,\xi$ times $\sigma_x$, whose absolute value is that of a normal number
of variance D. As $\log(1 + e^{-m}) = \log(2\cosh(m/2)) - m/2$, the step changes the loss by
$E\log\cosh(x\zeta/2) - x/\sqrt{2\pi D}$ with $x = \alpha\sigma_x\sqrt D$ and $\zeta$ standard normal.
"""

from lib.errors import require
from lib.portable.numbers import exp, log
from lib.portable.primitives import sqrt
from lib.theory.group_sparse.portable import PI

FINE = 0.125  # between two places of the noise, from -8 to 8
PLACES = 129
HALVINGS = 60


def log_cosh_mean(x: float) -> float:
    """E log cosh(x zeta / 2) of a standard normal zeta, for x of at least 0. Source: beyond the paper."""
    mean, whole = 0.0, 0.0
    for k in range(PLACES):
        zeta = FINE * (float(k) - 0.5 * float(PLACES - 1))
        weight, u = exp(-0.5 * zeta * zeta), abs(0.5 * x * zeta)
        mean += weight * (u + log(0.5 * (1.0 + exp(-2.0 * u))))
        whole += weight
    return mean / whole


def first_edge(D: int) -> float:
    r"""$\eta D$ at which the first step from zero leaves the loss as it was, at standard deviation 1.

    It lies above 8, twice the inverse curvature at zero, and is $8(1 + 4/(\pi D))$ up to terms of order $D^{-2}$. It
    depends on D alone: neither on d nor on the positions.

    Raises:
        InputError: if D is below 2; with one group every step lowers the loss.

    Source: beyond the paper.

    Example:
        >>> [round(first_edge(D), 1) for D in (2, 8, 64)]
        [17.1, 9.4, 8.2]
    """
    require(D >= 2, "D", "at least 2 groups", D)
    low, high = 0.0, 16.0  # of x
    for _ in range(HALVINGS):
        x = 0.5 * (low + high)
        if log_cosh_mean(x) * sqrt(2.0 * PI * float(D)) < x:
            low = x
        else:
            high = x
    return sqrt(2.0 * PI * float(D)) * low
