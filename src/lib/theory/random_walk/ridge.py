r"""Where nothing tells ancestors apart: how fast a small difference grows, where it leads, and how long that takes.

Chapter `random_walk`. Source: ours, from the model of arXiv 2511.23239, Section 2; the paper's theorem on deterministic
walks says that without a difference nothing happens.

For p = 0 or 1 and N = rK + 1 a walk visits every node r times. With even attention and all values equal to v the
output is v, and V, g move only together with a difference between places. Let $\hat g_d$ be the mean score of the
places whose token lies d steps before the target, $\nu_d$ the mean value at that turn. To first order
$\delta\nu_d = \frac{\eta|l'|c}{K^2}\hat g_d$ and $\delta\hat g_d = \frac{\eta\rho^2c|l'|}{N-1}\nu_d$ a step: both grow
by the factor $1 + \frac{\eta\rho c|l'|}{K\sqrt{N-1}}$, with $|l'| = 1/(f + \epsilon)$ for the log-loss and c the factor
of the scores (1, or about $1/\rho$ for tokens of length 1). The last place soon has no attention, as its score falls.

For p = 1/2, even K and odd N the same holds for the difference between even and odd lags, see `parity.py`.

Positions have the length M >= N; deviations of a start, learning rate and the offset `epsilon` of the loss are above 0.
Other values raise InputError.
"""

from lib.errors import require, whole
from lib.portable import lift
from lib.theory._arrays import positive
from lib.theory.random_walk import portable, portable_escape

even_output = lift(portable.even_output, positive=("lr", "epsilon"), epsilon=0.1, start=0.0)
growth = lift(portable.growth, positive=("lr", "epsilon"), epsilon=0.1, unit_length=False)
escape_clock = lift(portable_escape.escape_clock, positive=("lr", "epsilon"), epsilon=0.1)
escape_depth = lift(portable_escape.escape_depth, positive=("sigma",))
escape_step = lift(portable_escape.escape_step, positive=("lr", "sigma", "epsilon"), epsilon=0.1)


def ridge_scores(K: int, N: int, M: int, lr: float = 1.0, epsilon: float = 0.1) -> tuple[float, float]:
    r"""Scores on the ridge from the second step on, from zero with the log-loss: of any token with content, of the
    empty one.

    The empty token has no value to offer. So its score falls at the second step, and once it has no attention all
    stay: with $v = \frac{\eta(N-1)}{\epsilon NK^2}$ and $f = \frac{N-1}Nv$ after the first step,
    $g_N = -\frac{\eta\rho^2f}{N(f+\epsilon)}$, and $g_j = -\frac{g_N}{N-1}$ for the others. Exact while
    $e^{g_N}$ is nothing beside 1; N = rK + 1.

    Source: ours. The paper's theorem on p = 0 and 1 calls all scores equal, which those of tokens 1 to N - 1 are.

    Example:
        >>> [round(score, 3) for score in ridge_scores(6, 97, 1000)]
        [19.671, -1888.412]
    """
    K, N = whole("K", K, 3), whole("N", N, 2)
    require((N - 1) % K == 0, "N", "a multiple of K, plus 1", N)
    rho, rate, offset = (whole("M", M, N) + 1) / 2, float(positive(lr, "lr")), float(positive(epsilon, "epsilon"))
    f = rate / (offset * K**2) * ((N - 1) / N) ** 2
    own = -rate * rho**2 * f / (N * (f + offset))
    return -own / (N - 1), own
