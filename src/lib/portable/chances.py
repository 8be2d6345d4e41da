"""Chances: the normal distribution function, how sure a counted share is, and the entropy of shares."""

from lib.portable.numbers import exp, log
from lib.portable.primitives import Vector, nan, sqrt

_ROOT_TWO_PI = 2.5066282746310002
_TWO_SIDED_95 = 1.959963984540054  # normal quantile of 0.975


def normal_cdf(x: float) -> float:
    """Phi(x), the chance that a standard normal number is below x; absolute error under 1e-15.

    Source: Marsaglia, "Evaluating the normal distribution", Journal of Statistical Software 11 (2004): the series
    1/2 + phi(x) (x + x^3 / 3 + x^5 / (3 5) + ...).
    """
    if x != x:
        return nan
    if abs(x) > 8.5:
        return 1.0 if x > 0.0 else 0.0
    term, series, sum_before, odd = x, x, 0.0, 1.0
    while series != sum_before:
        sum_before = series
        odd += 2.0
        term = term * (x * x / odd)
        series += term
    return min(1.0, max(0.0, 0.5 + series * exp(-0.5 * x * x) / _ROOT_TWO_PI))


def share_interval(count: float, trials: float) -> tuple[float, float]:
    """The 95 % interval of a share counted in independent trials; (0, 1) before the first.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
    """
    if trials < 1.0:
        return 0.0, 1.0
    share = count / trials
    z2 = _TWO_SIDED_95 * _TWO_SIDED_95 / trials
    middle = (share + 0.5 * z2) / (1.0 + z2)
    half = _TWO_SIDED_95 / (1.0 + z2) * sqrt(share * (1.0 - share) / trials + 0.25 * z2 / trials)
    low = middle - half if count > 0.0 else 0.0
    high = middle + half if count < trials else 1.0
    return low, high


def entropy(shares: Vector) -> float:
    """Entropy in nats of shares that sum to 1; those that are not above 0 count for nothing."""
    result = 0.0
    for i in range(len(shares)):
        if shares[i] > 0.0:
            result -= shares[i] * log(shares[i])
    return result
