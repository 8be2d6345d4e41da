"""The bowl of one prompt with one feature, and the ways on it; portable.

Chapter `linear_block`. Source: arXiv 2402.14951, equation 5.1 and Theorem 5.2, with H = Psi = 1.
"""

from lib.portable.primitives import Matrix, Readings, Vector, nan, zero_matrix, zeros
from lib.portable.random_numbers import generator, normals
from lib.portable.vectors import filled
from lib.theory.linear_block.portable import best_gains

MEAN = 2.0  # prior mean of the slope
SIGMA = 0.5  # standard deviation of the label noise
MOST = 24  # examples
MADE = 8  # of the prompts for which the block that sums is made
CURVE = 81  # points of the bowl
LOW = -1.0  # slopes in the picture
HIGH = 6.0
TOP = 13.0  # errors in the picture
FOOT = -6.5  # where names below the bowl end: that of the mark furthest left stands highest


def above(slope: float, bottom: float, S: float) -> float:
    """How high a slope stands on the bowl."""
    return S * (slope - bottom) * (slope - bottom) if S > 0.0 else 0.0


def bowl_with(bottom: float, S: float, at: Vector) -> Readings:
    """A bowl and three marks on it: the start, and two other places.

    Args:
        bottom, S: of the bowl.
        at: (3,) slopes of the marks.

    Returns:
        slopes, errors (81,): the bowl, the error less the least. at, high, kinds (3,): the marks. start_x, start_y,
        other_x, other_y (2,): from first and third mark down to their names. to_x, to_y (4,): from the first across to
        the second, and down.
    """
    slopes, errors, high, kinds, foot = zeros(CURVE), zeros(CURVE), zeros(3), zeros(3), filled(3, -2.6)
    for k in range(CURVE):
        slopes[k] = LOW + (HIGH - LOW) * float(k) / float(CURVE - 1)
        error = above(slopes[k], bottom, S)
        errors[k] = error if error <= TOP else nan
    for k in range(3):
        high[k] = above(at[k], bottom, S)
        kinds[k] = float(k)
        for j in range(3):
            if at[j] < at[k] or (at[j] == at[k] and j < k):
                foot[k] -= 1.9
    return {
        "slopes": slopes, "errors": errors, "at": at, "high": high, "kinds": kinds,
        "start_x": [at[0], at[0]], "start_y": [high[0], foot[0]],
        "to_x": [at[0], at[1], at[1], at[1]], "to_y": [high[0], high[0], high[1], foot[1]],
        "other_x": [at[2], at[2]], "other_y": [high[2], foot[2]],
    }  # fmt: skip


def prompt_of(seed: int, M: int, hand_x: float, hand_y: float) -> Matrix:
    """Features and labels (2, M) of a prompt, the last example given."""
    drawn, prompt = zeros(2 * MOST + 1), zero_matrix(2, M)
    normals(generator(seed, 3), drawn)
    for i in range(M - 1):
        prompt[0][i] = drawn[1 + 2 * i]
        prompt[1][i] = (MEAN + drawn[0]) * prompt[0][i] + SIGMA * drawn[2 + 2 * i]
    prompt[0][M - 1] = hand_x
    prompt[1][M - 1] = hand_y
    return prompt


def start_and_gain(block: int, M: int) -> Vector:
    """(2,) where the best block with the MLP (0), the best step without it (1), the trap (2) or a block whose attention
    sums (3), the best for 8 examples, starts, and its gain.

    The trap steps along one direction; this is what it does along the others.
    """
    wide = 1.0 + MEAN * MEAN if block == 1 else 1.0  # from zero the mean is one more spread of the tasks
    gains = best_gains(filled(1, 1.0), wide, SIGMA, float(MADE if block == 3 else M))
    factor = 0.0 if block == 2 else float(M) / float(MADE) if block == 3 else 1.0
    return [0.0 if block == 1 else MEAN, factor * gains[0]]
