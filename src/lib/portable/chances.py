"""Chances: the normal distribution function."""

from lib.portable.numbers import exp
from lib.portable.primitives import nan

_ROOT_TWO_PI = 2.5066282746310002


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
