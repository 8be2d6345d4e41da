"""The landscape of the two signals in portable Python: the expected loss, the watershed, and how a marble rolls.

Chapter `scb`, beyond the paper; loss and motion are those of arXiv 2410.23438 (population process of Stages 1 and 2).
"""

from lib.portable.numbers import log
from lib.portable.primitives import Vector, sqrt, zeros
from lib.theory.scb.portable import velocity

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


def watershed(d: float, points: int) -> tuple[Vector, Vector]:
    """The line between the valleys: the two paths into the saddle (0, -d), from far away, as x and y (points,).

    Backwards in time from the saddle along its direction of approach, by the midpoint rule at equal lengths, until
    |x| = 1.4 or |y| = 1.8; where a path has ended its last point repeats. `points` is odd, the saddle in the middle.
    """
    x, y, middle = zeros(points), zeros(points), points // 2
    y[middle] = -d
    trace = d + d * d
    approach = 0.5 * (trace + sqrt(trace * trace + 4.0))  # minus the eigenvalue; the direction is (approach, -1)
    length = 4.0 / float(middle)
    for side in range(2):
        sign = 1.0 if side == 0 else -1.0
        norm = sqrt(approach * approach + 1.0)
        at_x, at_y = sign * length * approach / norm, -d - sign * length / norm
        for k in range(middle):
            place = middle + k + 1 if side == 0 else middle - k - 1
            x[place] = at_x
            y[place] = at_y
            if abs(at_x) < 1.4 and abs(at_y) < 1.8:
                u, v = velocity(at_x, at_y, d)
                half = 0.5 * length / (sqrt(u * u + v * v) + 1e-30)
                u, v = velocity(at_x - half * u, at_y - half * v, d)
                whole = length / (sqrt(u * u + v * v) + 1e-30)
                at_x -= whole * u
                at_y -= whole * v
    return x, y


def rolled(start_V: float, start_A: float, d: float, eta: float, steps: int, points: int) -> tuple[Vector, Vector]:
    """The way of full-population descent from a start, alpha_V and alpha_A (points,): a point wherever it has moved
    by a fiftieth, and its end at the last. The end repeats where fewer are needed.

    Args:
        start_V, start_A: the signals at the start.
        d: drift number.
        eta: base step; no unit.
        steps, points: numbers of steps and of points.
    """
    xs, ys = zeros(points), zeros(points)
    x, y, kept = start_V, start_A, 0
    for step in range(steps + 1):
        gone = abs(x - xs[max(kept - 1, 0)]) + abs(y - ys[max(kept - 1, 0)])
        if kept == 0 or (gone >= 0.02 and kept < points - 1):
            xs[kept] = x
            ys[kept] = y
            kept += 1
        if step < steps:
            move_V, move_A = velocity(x, y, d)
            x += eta * move_V
            y += eta * move_A
    for k in range(kept, points):
        xs[k] = x
        ys[k] = y
    return xs, ys
