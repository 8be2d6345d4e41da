r"""Streams of a new task, one by one: how many examples a learner of few numbers needs until few are wrong.

Chapter `group_sparse`. Source: ours, beyond arXiv 2504.08638; the learners are those of `portable_downstream`. Given
the weights the share of wrong ones is a mean of normal distribution functions, so no test examples are drawn.
"""

from lib.portable.chances import normal_cdf
from lib.portable.numbers import exp, log
from lib.portable.primitives import Matrix, Vector, floor, nan, sqrt, zero_matrix, zeros
from lib.portable.quadrature import gauss_places, gauss_weights
from lib.portable.random_numbers import normals
from lib.portable.vectors import dot, scale, total
from lib.theory.group_sparse.portable_downstream import Learner

SIGNALS = 12  # places of |g|, up to 4.5
SURE = 1.96  # standard errors of a 95% interval
LONGEST = 20000  # examples


def counted(learner: Learner, gamma: float, level: float, count: int, random: Vector) -> Vector:
    """Of so many streams: after how many examples the mean error falls to a level, and the ends of its 95% interval do.

    Args:
        learner: online SGD, each example used once.
        gamma: margin.
        level: share of fresh examples that are wrong.
        count: of streams.
        random: a generator, which moves on.

    Returns:
        The three numbers (3,); NaN beyond 20,000 examples.

    Source: beyond the paper.
    """
    ways = floor(learner.across + 0.5)
    weights, a, bias, z = zero_matrix(count, ways), zeros(count), zeros(count), zeros(ways + 3)
    found, before, now = zeros(3), zeros(3), zeros(3)
    w, still, due, last, seen = learner.s * learner.s + learner.noise, sqrt(learner.still), 2, 0, 0
    for k in range(3):
        found[k] = nan
        before[k] = 0.5
    while not found[2] > 0.0 and seen < LONGEST:
        for r in range(count):
            normals(random, z)
            along = learner.s * (gamma + abs(z[ways])) + sqrt(learner.noise) * z[ways + 1]
            constant = still if z[ways + 2] > 0.0 else -still
            m = a[r] * along + bias[r] * constant
            for k in range(ways):
                m += sqrt(w) * weights[r][k] * z[k]
            p = learner.rate / (1.0 + exp(m))
            a[r] += p * along
            bias[r] += p * constant
            for k in range(ways):
                weights[r][k] += p * sqrt(w) * z[k]
        seen += 1
        if seen == due:
            errors(learner, gamma, weights, a, bias, now)
            for k in range(3):
                if not found[k] > 0.0 and now[k] <= level:
                    share = log(before[k] / level) / log(before[k] / max(now[k], 1e-9))
                    found[k] = float(last) + share * float(due - last)
                before[k] = now[k]
            last = due
            due = max(due + 1, due * 9 // 8)
    return found


def errors(learner: Learner, gamma: float, weights: Matrix, a: Vector, bias: Vector, out: Vector) -> None:
    """Mean error of the streams' weights, that less and plus 1.96 standard errors, into `out` (3,).

    Source: beyond the paper.
    """
    g, s = gauss_places(SIGNALS), learner.s
    share, mean, square = gauss_weights(g), 0.0, 0.0
    for k in range(SIGNALS):
        g[k] *= 4.5
        share[k] *= exp(-0.5 * g[k] * g[k])
    scale(share, 1.0 / total(share))
    for r in range(len(a)):
        across = dot(weights[r], weights[r]) * (s * s + learner.noise) + a[r] * a[r] * learner.noise
        spread, off, wrong = sqrt(across) + 1e-9, bias[r] * sqrt(learner.still), 0.0
        for k in range(SIGNALS):
            along = a[r] * s * (gamma + g[k])
            wrong += 0.5 * share[k] * (normal_cdf((off - along) / spread) + normal_cdf((-off - along) / spread))
        mean += wrong / float(len(a))
        square += wrong * wrong / float(len(a))
    half = SURE * sqrt(max(0.0, square - mean * mean) / float(len(a) - 1))
    out[0] = mean
    out[1] = mean - half
    out[2] = mean + half
