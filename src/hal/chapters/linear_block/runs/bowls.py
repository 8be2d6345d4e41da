"""The bowl of one prompt with one feature, and a step down on it; portable.

Chapter `linear_block`. Source: arXiv 2402.14951, equation 5.1 and Theorem 5.2, with H = Psi = 1.
"""

from lib.portable.primitives import Readings, Vector, divide, nan, zeros
from lib.portable.random_numbers import generator, normals
from lib.portable.vectors import dot, filled
from lib.theory.linear_block.portable import best_gains

MEAN = 2.0  # prior mean of the slope
START = 2.0  # slope at which the step starts
SIGMA = 0.5  # standard deviation of the label noise
MOST = 12  # examples
CURVE = 81  # points of the bowl
LOW = -1.0  # slopes in the picture
HIGH = 5.0
TOP = 8.0  # errors in the picture
FIRST = 6.0  # height of the first line's dash, among labels
ROW = 4.5  # to the next
DASH = 3.0  # its rise


def on(slopes: Vector, which: int) -> Vector:
    """(5,) labels of a line at both ends of the picture, and of a dash at its right, before which its name stands; the
    steepest line has the first row.
    """
    slope, row, drawn = slopes[which], 0.0, filled(5, nan)
    for k in range(len(slopes)):
        row += 1.0 if slopes[k] > slope or (k < which and slopes[k] == slope) else 0.0
    drawn[0] = -3.0 * slope
    drawn[1] = 3.0 * slope
    drawn[4] = FIRST - ROW * row
    drawn[3] = drawn[4] + DASH
    return drawn


def above(slope: float, bottom: float, S: float) -> float:
    """How high a slope stands on the bowl."""
    return S * (slope - bottom) * (slope - bottom) if S > 0.0 else 0.0


def bowl_of(seed: int, M: int, hand_x: float, hand_y: float) -> Readings:
    """A prompt, its bowl and one step on it.

    Args:
        seed: of the prompt's other examples.
        M: examples.
        hand_x, hand_y: feature and label of the last example.

    Returns:
        x, y (M,): the examples. slopes, errors (81,): the bowl, the error less the least one. at, high, kinds (3,):
        where the step starts and lands, and the Bayes predictor, on the bowl; way, down (2,): the step. ends, from, to,
        best (5,): their lines, and where their names stand. Single numbers: gain, steepness S, percent of the way to
        the bottom, hand_x, hand_y.
    """
    drawn, x, y = zeros(2 * MOST + 1), zeros(M), zeros(M)
    normals(generator(seed, 3), drawn)
    for i in range(M - 1):
        x[i] = drawn[1 + 2 * i]
        y[i] = (MEAN + drawn[0]) * x[i] + SIGMA * drawn[2 + 2 * i]
    x[M - 1] = hand_x
    y[M - 1] = hand_y
    count, xx, xy = float(M), dot(x, x), dot(x, y)
    S, gains = xx / count, best_gains(filled(1, 1.0), 1.0, SIGMA, count)
    gain = gains[0]
    lands = START + gain * (xy / count - S * START)
    bayes = MEAN + (xy - MEAN * xx) / (xx + SIGMA * SIGMA)
    bottom = divide(xy, xx)
    slopes, errors, at, high, kinds, down = zeros(CURVE), zeros(CURVE), zeros(3), zeros(3), zeros(3), zeros(2)
    for k in range(CURVE):
        slopes[k] = LOW + (HIGH - LOW) * float(k) / float(CURVE - 1)
        error = above(slopes[k], bottom, S)
        errors[k] = error if error <= TOP else nan
    at[0] = START
    at[1] = lands
    at[2] = bayes
    for k in range(3):
        high[k] = above(at[k], bottom, S)
        kinds[k] = float(k)
    down[0] = min(high[0], TOP)
    down[1] = min(high[1], TOP)
    return {
        "x": x, "y": y, "ends": [-3.0, 3.0, nan, 4.7, 4.3], "from": on(at, 0), "to": on(at, 1), "best": on(at, 2),
        "slopes": slopes, "errors": errors, "at": at, "high": high, "kinds": kinds, "way": [at[0], at[1]], "down": down,
        "gain": [gain], "S": [S], "percent": [100.0 * gain * S], "hand_x": [hand_x], "hand_y": [hand_y],
    }  # fmt: skip
