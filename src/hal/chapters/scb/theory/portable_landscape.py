"""The landscape of the two signals in portable Python: the expected loss on the two lines.

Chapter `scb`, beyond the paper; the loss is that of arXiv 2410.23438 (population process of Stages 1 and 2).
"""

from lib.portable.numbers import log
from lib.portable.primitives import Vector, zeros

FLOOR = 0.01  # of the excess, as it is drawn on a logarithm: it is 0 at the true solution


def excess_fraction(alpha_V: float, alpha_A: float, d: float) -> float:
    """The expected loss above the best possible at (alpha_V, alpha_A) = (x, y), as a fraction of that at zero.

    With drift number d it is ((x y - 1)^2 + d (x - 1)^2) / (1 + d): at zero it is K_P (K_Q + 1 / T) / 2, no unit.

    It is `lib.theory.scb.excess_loss` on the two lines, over its value at zero.
    """
    wrong, level = alpha_V * alpha_A - 1.0, alpha_V - 1.0
    return (wrong * wrong + d * level * level) / (1.0 + d)


def valleys(d: float, side: int) -> tuple[Vector, Vector, Vector]:
    """The logarithm, to base 10, of `excess_fraction` on a grid, at least -2.

    Args:
        d: drift number.
        side: points a side, over |alpha_V| <= 1.4 and |alpha_A| <= 1.8.

    Returns:
        x, y (side,), and z (side side,), row by row of y.
    """
    x, y, z = zeros(side), zeros(side), zeros(side * side)
    for i in range(side):
        share = 2.0 * float(i) / float(side - 1) - 1.0
        x[i] = 1.4 * share
        y[i] = 1.8 * share
    for j in range(side):
        for i in range(side):
            z[j * side + i] = log(max(excess_fraction(x[i], y[j], d), FLOOR)) / log(10.0)
    return x, y, z
