"""The late laws of training, for the page and, lifted, for `lib.theory.one_nn.ends`.

Chapter `one_nn`, beyond the paper (Li et al. 2024, arXiv 2411.10830), which bounds the loss by poly(N, d) / log t.
"""

from lib.portable.numbers import exp, log
from lib.portable.primitives import nan

GAP_INTEGRAL = 0.1931471805599453  # int_0^inf du / (1 + e^u)^2 = log 2 - 1/2, the share of a gap's loss; no unit


def late_xi1(t: float, kappa: float, d: int) -> float:
    """The late law xi_1 = (3 kappa (log 2 - 1/2) t / d)^(1/3).

    Args:
        t: learning rate times steps; NaN comes out unless it is above 0.
        kappa: density at 0 of the gap between the two largest inner products, finite; NaN unless above 0.
        d: dimension.

    Source: beyond the paper.
    """
    return exp(log(3.0 * kappa * GAP_INTEGRAL * t / float(d)) / 3.0) if t > 0.0 and kappa > 0.0 else nan


def late_loss(xi1: float, kappa: float) -> float:
    """The late loss L = kappa (log 2 - 1/2) / xi_1, once the query no longer attends to itself.

    Args:
        xi1: weight of the inner products; NaN comes out unless it is above 0.
        kappa: density at 0 of the gap between the two largest inner products.

    Returns:
        Squared error, with the factor 1/2.

    Source: beyond the paper.
    """
    return kappa * GAP_INTEGRAL / xi1 if xi1 > 0.0 else nan
